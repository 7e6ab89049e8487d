/** The table of points: a column for each player with its total, a line for each round or row. */

import { el, redraw } from "/static/dom.js";
import { say } from "/static/messages.js";
import { seatName, signOf } from "/static/names.js";
import { signed } from "/static/signs.js";

/** @import { Now, SheetView, ThrowView } from "./page_types.js" */

/**
 * The deeds of taps on the table; without them it is only looked at.
 * @typedef {{cell: {seat: string, line: number}, tapped: (seat: string, line: number) => void, turn: (seat: string) => void, round: (round: number) => void}} Taps
 */

/** @param {number} points with a minus that is as long as a plus */
export const number = (points) => String(points).replace("-", "−");

/** The sign of who sits on a seat, else one by its place. @param {string} seat @param {string[]} seats */
export const signAt = (seat, seats) => signed(signOf(seat), seats.indexOf(seat));

/** @param {SheetView} board @param {number} line @param {boolean} [isRound] */
export const lineName = (board, line, isRound) => (!isRound && board.sheet.rows[line - 1]) || say("points.round", { round: line });

/** @param {ThrowView} thrown */
export const thrownSaid = ({ seat, sum, as_sum: { part, of } }) => say("points.thrown", { seat: seatName(seat), sum, part, of });

/**
 * Draw it. Gives whether it has more lines than before.
 * @param {HTMLElement} node @param {Now["match"]} match @param {Taps | null} taps
 */
export function table(node, { board, seats }, taps) {
  const { cells, totals, sheet, turn, open, outcome } = board;
  const used = Math.max(...seats.flatMap((seat) => [cells[seat].length, ...open[seat]]), 1);
  const lines = Array.from({ length: sheet.rows.length || used }, (_, n) => n + 1);
  const before = node.querySelectorAll("tbody tr").length;
  const head = (/** @type {string} */ seat) => {
    const inside = [el("span", { class: "name", ...signAt(seat, seats) }, el("span", { text: seatName(seat) })), el("b", { text: number(totals[seat]) })];
    const first = outcome ? outcome.winners.includes(seat) : seat === turn;
    return el("th", { scope: "col", "data-colour": signAt(seat, seats)["data-colour"], class: first ? "now" : null },
      taps && turn && seat !== turn ? el("button", { type: "button", title: say("points.give-turn", { seat: seatName(seat) }), onclick: () => taps.turn(seat) }, ...inside) : el("div", {}, ...inside));
  };
  const cell = (/** @type {string} */ seat, /** @type {number} */ line) => {
    const there = cells[seat][line - 1] ?? null;
    const text = there === null ? "" : number(there);
    const where = `${seatName(seat)}, ${lineName(board, line)}`;
    const inside = taps && turn && (there !== null || open[seat].includes(line))
      ? el("button", { type: "button", "aria-label": text ? `${text}: ${where}` : where, "aria-pressed": String(taps.cell.seat === seat && taps.cell.line === line), onclick: () => taps.tapped(seat, line) }, text)
      : el("span", { text });
    return el("td", { "data-colour": signAt(seat, seats)["data-colour"] }, inside);
  };
  const label = (/** @type {number} */ line) => (taps && !sheet.rows.length
    ? el("button", { type: "button", "aria-label": `${line}: ${say("points.round-more", { round: line })}`, class: board.notes[line] ? "noted" : null, onclick: () => taps.round(line) }, String(line))
    : el("span", { text: sheet.rows[line - 1] ?? line }));
  redraw(node, el("thead", {}, el("tr", {}, el("td"), ...seats.map(head))),
    el("tbody", {}, ...lines.map((line) => el("tr", {}, el("th", { scope: "row" }, label(line)), ...seats.map((seat) => cell(seat, line))))));
  return lines.length > before;
}
