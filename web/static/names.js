/** Names of seats and of the things of a game, in the reader's language. */

import { current } from "./live.js";
import { capital, known, say } from "./messages.js";

/**
 * What the game calls a thing of its own (a seat, a card, a piece); what has no name there is called as it is.
 * @param {string} thing
 */
export const nameOf = (thing) => (known(`name.${thing}`) ? say(`name.${thing}`) : thing);

/**
 * Who sits on a seat, in a sentence: the player's own name, else the seat's.
 * @param {string} seat
 */
export const seatName = (seat) => current()?.match.players[seat] || nameOf(seat);

/**
 * The same where it stands alone: the seat's name with a capital.
 * @param {string} seat
 */
export const seatLabel = (seat) => current()?.match.players[seat] || capital(nameOf(seat));
