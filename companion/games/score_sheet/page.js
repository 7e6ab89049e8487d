/** The page of a score sheet: the table of points, and keys to write them or to tap a throw. */

import { play } from "/static/act.js";
import { sightingSheet, waitSaid } from "/static/asks.js";
import { die } from "/static/die.js";
import { byId, el, query, redraw, set } from "/static/dom.js";
import { onNews, shown } from "/static/live.js";
import { say } from "/static/messages.js";
import { seatName } from "/static/names.js";
import { closeSheet, openSheet, sheetName } from "/static/sheet.js";
import { lineName, number, signAt, table, thrownSaid } from "./page_table.js";

/** @import { Now, SheetView, Throw } from "./page_types.js" */

const DIGITS = 5; // of the largest points
const MOST_DICE = 12;

/** Taps that are not sent yet: the cell, its points, or dice instead. */
const ui = { seat: "", line: 0, digits: "", below: false, throws: false, dice: /** @type {number[]} */ ([]) };
/** The match and the entry that the page shows, as one text; and which round its sheet is about. */
let drawn = "";

byId("go").onclick = go;
byId("finish").onclick = () => play({ move: "finish" });
byId("other").onclick = () => {
  ui.throws = !ui.throws;
  draw();
};
byId("round").onclick = () => openRound(nowShown().match.board.round);
byId("odds").onclick = async () => {
  const { odds } = await sheets();
  openSheet({ name: "odds", title: say("web.odds"), close: closeSheet, focus: true, body: [odds(nowShown().match.board, { seatName, thrownSaid })] });
};

onNews((/** @type {Now} */ now) => {
  const at = `${now.match.id} ${now.match.n}`;
  const isNew = at !== drawn;
  drawn = at;
  if (isNew) Object.assign(ui, { seat: "", line: 0, digits: "", below: false, dice: [] });
  draw();
  const asks = sightingSheet(now, { unclear: "why.dice-unclear", one: say("why.dice-unclear"), breaks: "points.breaks", guess: ({ moves: [move] }) => guessSaid(/** @type {Throw} */ (move)) });
  if (!asks && (isNew || !["odds", "round"].includes(sheetName()))) closeSheet();
});

/** @returns {Now} */
function nowShown() {
  return shown();
}

function draw() {
  const { match, seat: mine, sighting } = nowShown();
  const { board } = match;
  const cell = cellNow(board);
  const lines = table(byId("table"), match, { cell, tapped, turn: (seat) => play({ move: "turn", seat }), round: openRound });
  if (lines && !board.sheet.rows.length) byId("paper").scrollTop = byId("paper").scrollHeight;
  const waits = waitSaid(sighting, "points.waiting");
  set(byId("status"), { "data-kind": waits ? "wait" : board.turn && board.turn === mine ? "you" : null });
  redraw(query(byId("status"), ".face-box"), el("span", { class: "face", ...signAt(board.turn ?? board.outcome?.winners[0] ?? "", match.seats) }));
  const typed = ui.digits !== "" && cell.line > 0;
  set(query(byId("status"), ".bubble span"), { text: waits || (typed ? would(board, cell) : sentence(board)) });
  const [last] = board.throws;
  redraw(byId("last"), ...(waits || typed || !last ? [] : [...last.dice.map((value) => die(value)), ` ${thrownSaid(last)}`]));
  set(byId("round"), { text: say("points.round-more", { round: board.round }) });
  byId("finish").hidden = Boolean(board.outcome) || !Object.values(board.cells).flat().some((points) => points !== null);
  byId("odds").hidden = Boolean(board.outcome) || !last;
  byId("tray").hidden = Boolean(board.outcome);
  tray(board, cell);
}

/** Where the next points go: the tapped cell, else the first that whoever is in turn may fill. @param {SheetView} board */
function cellNow({ turn, open, sheet }) {
  if (ui.seat) return ui;
  const seat = turn && open[turn].length ? turn : Object.keys(open).find((other) => open[other].length) ?? "";
  const lines = open[seat] ?? [];
  return { seat, line: sheet.rows.length && lines.length > 1 ? 0 : lines[0] ?? 0 };
}

/** @param {SheetView} board */
function sentence({ turn, outcome, sheet, round }) {
  if (outcome || !turn) return say(`outcome.${outcome?.reason}`);
  return say(sheet.rows.length ? "points.fill-row" : sheet.entries === "free" ? "points.free" : "points.in-round", { seat: seatName(turn), round });
}

const points = () => Number(ui.digits) * (ui.below ? -1 : 1);

/** The total that the typed points would make. @param {SheetView} board @param {{seat: string, line: number}} cell */
function would({ sheet, totals, cells }, { seat, line }) {
  const change = points() - (cells[seat][line - 1] ?? 0);
  return say("points.would", { seat: seatName(seat), total: number(totals[seat] + (sheet.counts === "up" ? change : -change)) });
}

/** @param {string} seat @param {number} line */
function tapped(seat, line) {
  const again = ui.seat === seat && ui.line === line;
  Object.assign(ui, { seat: again ? "" : seat, line: again ? 0 : line, throws: false });
  draw();
}

/** @param {SheetView} board @param {{seat: string, line: number}} cell */
function tray(board, cell) {
  const key = (/** @type {string} */ text, /** @type {() => void} */ does, /** @type {string} */ label = text, more = {}) =>
    el("button", { type: "button", "aria-label": label, text, ...more, onclick: () => { does(); draw(); } });
  const digit = (/** @type {number} */ value) => key(String(value), () => { if (ui.digits.length < DIGITS) ui.digits = String(Number(ui.digits + value)); });
  const sign = key("±", () => { ui.below = !ui.below; }, say("points.sign"), { "aria-pressed": String(ui.below) });
  const back = key("⌫", () => { ui.digits = ui.digits.slice(0, -1); }, say("points.back"));
  const pad = [...[1, 2, 3, 4, 5].map(digit), sign, ...[6, 7, 8, 9, 0].map(digit), back];
  redraw(byId("keys"), ...(ui.throws ? dice(board.sheet.dice || MOST_DICE) : pad));
  byId("keys").dataset.dice = ui.throws ? String(ui.dice.length) : "";
  set(byId("other"), { text: say(ui.throws ? "points.to-points" : "points.to-dice") });
  const ready = ui.throws ? ui.dice.length > 0 : ui.digits !== "" && cell.line > 0;
  const throwSaid = ui.dice.length ? say("points.throw-of", { dice: ui.dice.join(" ") }) : say("points.tap-dice");
  const writeSaid = !cell.line ? say("points.tap-row") : ui.digits ? say("points.write", { points: number(points()), seat: seatName(cell.seat) }) : say("points.tap-points");
  set(byId("go"), { "aria-disabled": ready ? null : "true", text: ui.throws ? throwSaid : writeSaid });
}

/** The faces to tap, and below them what was tapped: a tap there takes it back. @param {number} most */
function dice(most) {
  const button = (/** @type {number} */ value, /** @type {string} */ label, /** @type {() => void} */ does) => el("button", { type: "button", "aria-label": label, onclick: () => { does(); draw(); } }, die(value));
  return [...[1, 2, 3, 4, 5, 6].map((value) => button(value, say("points.die", { value }), () => { if (ui.dice.length < most) ui.dice.push(value); })),
    el("div", { class: "tapped" }, ...ui.dice.map((value, n) => button(value, say("points.take-die", { value }), () => ui.dice.splice(n, 1))))];
}

function go() {
  const { board } = nowShown().match;
  const { seat, line } = cellNow(board);
  if (ui.throws && ui.dice.length) play({ move: "throw", seat: board.turn, dice: [...ui.dice] });
  else if (!ui.throws && ui.digits && line) play({ move: "enter", seat, line, points: points() });
}

/** The sheets that open over the table. @returns {Promise<typeof import("./page_sheets.js")>} */
const sheets = () => import(`/games/${nowShown().match.game}/page_sheets.js`);

/** The note and pictures of a round. @param {number} round */
async function openRound(round) {
  const { roundSheet } = await sheets();
  const { match } = nowShown();
  const body = await roundSheet(match, round, { thrownSaid, go: openRound, note: (text) => play({ move: "note", line: round, text }) });
  openSheet({ name: "round", title: lineName(match.board, round, true), close: closeSheet, focus: true, body });
}

/** @param {Throw} move */
const guessSaid = ({ dice: seen }) => ({ label: say("points.throw-of", { dice: seen.join(" ") }), inside: seen.map((value) => (value in [0, 1, 2, 3, 4, 5, 6] ? die(value) : el("b", { text: value }))) });
