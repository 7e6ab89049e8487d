/** The newest moves in the game's notation: a line at the page's end; a tap on it, or long on Undo, opens their list with Redo. */

import { byId, el, query, redraw, set } from "./dom.js";

/** @import { TableNow } from "./types.js" */

/**
 * A move in the game's notation, with the seats in it called as people call them.
 * @param {string} move
 * @param {string[]} seats
 * @param {(seat: string) => string} name
 */
export const moveSaid = (move, seats, name) => move.split(" ").map((word) => (seats.includes(word) ? name(word) : word)).join(" ");

/**
 * @param {(tell: (now: TableNow) => void) => void} onNews
 * @param {(seat: string) => string} name
 */
export function lastMoves(onNews, name) {
  const line = byId("last-moves");
  const how = byId("notation", HTMLDialogElement);
  line.onclick = () => how.showModal();
  query(how, "button").onclick = () => how.close();
  // All that is seen of the dialog are its children: a tap on itself is one beside it.
  how.onclick = ({ target }) => target === how && how.close();
  onNews(({ match: { last, seats } }) => show(last.map((move) => moveSaid(move, seats, name))));
}

/** @param {string[]} last the newest at the end */
function show(last) {
  const line = byId("last-moves");
  set(line, { "data-none": !last.length });
  // The newest first: what finds no room beside it wraps out of sight, so that no move is cut in two.
  redraw(query(line, ".moves"), ...last.flatMap((move) => [" ", el("span", { text: move })]).reverse());
  redraw(query(byId("notation"), ".moves"), ...last.map((move) => el("li", { text: move })));
}
