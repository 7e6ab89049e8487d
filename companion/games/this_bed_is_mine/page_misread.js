/** A tile whose number was misread gets the right one: the move that laid it is put right. It comes when it is asked for. */

import { el } from "/static/dom.js";
import { seatName } from "/static/names.js";
import { say } from "/static/messages.js";
import { boxOf, covered, placeAt } from "./page_shapes.js";

/** @import { Corrected, Course } from "/static/types.js" */
/** @import { Sheet } from "/static/sheet.js" */
/** @import { Now, TileView } from "./page_types.js" */
/** @import { Board, Turned } from "./page_shapes.js" */
/** @import { Tools } from "./page_sheets.js" */

/** What the page's own modules give. @typedef {{openSheet: (sheet: Sheet) => void, send: <T>(path: string, body: object) => Promise<T | null>}} Page */

const REACH = 1.6; // squares around where it lay in which a free place is looked for

/** Ask which number it is. @param {Now} now @param {Turned} name @param {Tools} tools @param {Page} page */
export function misreadSheet({ match }, { owner, digit }, tools, { openSheet, send }) {
  const board = tools.board();
  const tile = board.tiles.find((each) => each.owner === owner && each.digit === digit);
  if (!tile) return tools.close();
  const is = (/** @type {number} */ other) => async () => {
    if (await misread(match, board, tile, other, send)) tools.close();
  };
  return openSheet({
    name: `misread-${owner}${digit}`,
    title: `${seatName(owner)} ${digit}: ${say("bed.misread")}`,
    close: tools.close,
    focus: true,
    body: [el("div", { class: "numbers" }, ...board.left[owner].map((other) => el("button", { type: "button", text: other, onclick: is(other) })))],
  });
}

/**
 * Put it right at once where every later move still fits; else ask first. Gives whether it was put right.
 * @param {{id: number, n: number}} match
 * @param {Board} board
 * @param {TileView} tile as it was read
 * @param {number} digit what it is
 * @param {Page["send"]} send
 */
async function misread({ id, n }, board, tile, digit, send) {
  const answer = await fetch(`/api/matches/${id}/course`).catch(() => null);
  if (!answer?.ok) return false;
  /** @type {Course} */
  const { moves } = await answer.json();
  // A tile that was taken off and laid again has several: the newest counts.
  const laid = new RegExp(`^${tile.owner[0]}${tile.digit}(?:\\+\\d)?@`);
  const number = moves.length - [...moves].reverse().findIndex((move) => laid.test(move));
  const wanted = { number, n, move: { ...right(board, tile, digit), move: "lay" } };
  /** @type {Corrected | null} */
  const what = await send(`/api/matches/${id}/correct`, wanted);
  if (!what) return false;
  if (what.lost.length && !globalThis.confirm(say("bed.misread-loses", { moves: what.lost.length }))) return false;
  return Boolean(await send(`/api/matches/${id}/correct`, { ...wanted, keep: true }));
}

/** The tile as it must lie, nearest to where it was read. @param {Board} board @param {TileView} tile @param {number} digit */
function right(board, tile, digit) {
  // It stands at its turn among the others: so the marked zone binds it as it bound the one that was read.
  const renamed = { ...board, tiles: board.tiles.map((each) => (each === tile ? { ...each, digit } : each)) };
  // A 6 and a 9 are one shape, turned half-way.
  const turns = tile.digit + digit === 15 && tile.digit % 3 === 0 ? (tile.turns + 2) % 4 : tile.turns;
  const { top, left, bottom, right: end } = boxOf(covered(board, tile));
  return placeAt(renamed, { owner: tile.owner, digit, turns }, [(top + bottom) / 2, (left + end) / 2], REACH).tile;
}
