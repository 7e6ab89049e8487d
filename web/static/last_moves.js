/** The newest moves in the game's notation: a long press on Undo, or a button on a kept match, opens their list with Redo. */

import { byId, el, query, redraw } from "./dom.js";

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
  const how = byId("notation", HTMLDialogElement);
  document.getElementById("last-moves")?.addEventListener("click", showMoves);
  query(how, "button").onclick = () => how.close();
  // All that is seen of the dialog are its children: a tap on itself is one beside it.
  how.onclick = ({ target }) => target === how && how.close();
  onNews(({ match: { last, seats } }) => redraw(query(how, ".moves"), ...last.map((move) => el("li", { text: moveSaid(move, seats, name) }))));
}

/** Open the list. */
export const showMoves = () => byId("notation", HTMLDialogElement).showModal();
