/** Names of seats and of the things of a game, in the reader's language. */

import { el, set } from "./dom.js";
import { current } from "./live.js";
import { capital, known, say } from "./messages.js";

/**
 * What the game calls a thing of its own (a seat, a card, a piece); what has no name there is called as it is.
 * @param {string} thing
 */
export const nameOf = (thing) => (known(`name.${thing}`) ? say(`name.${thing}`) : thing);

/**
 * A column of a board as people say it: A to Z, then AA.
 * @param {number} col counted from 0
 * @returns {string}
 */
export const columnName = (col) => (col < 0 ? "" : columnName(Math.floor(col / 26) - 1) + String.fromCharCode(65 + (col % 26)));

/**
 * A square of a board as people say it: its column, and its row counted from 1.
 * @param {readonly [number, number]} square row and column, counted from 0
 */
export const squareName = ([row, col]) => `${columnName(col)}${row + 1}`;

/**
 * Who sits on a seat, in a sentence: the player's own name, else the seat's.
 * @param {string} seat
 */
export const seatName = (seat) => current()?.match.players[seat] || nameOf(seat);

/** "computer" for a seat that it plays; else empty. @param {string} seat */
export const computerSaid = (seat) => (current()?.dealt?.players[seat] || current()?.opponent?.seats.includes(seat) ? say("web.computer") : "");

/**
 * The same where it stands alone: the seat's name with a capital.
 * @param {string} seat
 */
export const seatLabel = (seat) => current()?.match.players[seat] || capital(nameOf(seat)) + (computerSaid(seat) && ` (${computerSaid(seat)})`);

/**
 * What draws a player's sign before a text: the animal of one's own, else a spot, in the player's colour.
 * @param {{colour?: string, animal?: string}} player
 */
export const playerSign = ({ colour, animal }) => ({ "data-sign": animal || (colour ? "spot" : null), "data-colour": colour || null });

/**
 * The sign of who sits on a seat.
 * @param {string} seat
 */
export const signOf = (seat) => playerSign({ colour: current()?.colours[seat], animal: current()?.animals[seat] });

/**
 * Show who sits on a seat: the name, after the player's sign.
 * @template {Element} N
 * @param {N} node
 * @param {string} seat
 * @param {string} [text] instead of the name
 */
export const showName = (node, seat, text = seatName(seat)) => set(node, { ...signOf(seat), text });

/** For whom a tap records a move, where that is not the player of this phone: "for Mei"; else empty. */
export function forOther() {
  const now = current();
  const turn = now?.match.turn;
  return now?.seat && turn && turn !== now.seat && now.match.seats.includes(turn) ? say("web.for-seat", { seat: seatName(turn) }) : "";
}

/**
 * A button that makes a move says for whom.
 * @template {Element} N
 * @param {N} button
 */
export function withWhom(button) {
  const text = forOther();
  if (text) button.append(el("small", { class: "for-whom", text }));
  return button;
}
