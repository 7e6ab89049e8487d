/** Who holds this phone: a name, a colour and an animal, kept here from match to match. */

/** Where this phone keeps it. */
const PLAYER = "player";

/** @typedef {{name: string, colour: string, animal: string}} Player */

/**
 * Who held this phone when it last joined; empty words where it never did.
 * @returns {Player}
 */
export function remembered() {
  const { name = "", colour = "", animal = "" } = JSON.parse(localStorage.getItem(PLAYER) ?? "{}");
  return { name, colour, animal };
}

/** @param {Player} player who holds this phone from now on */
export const remember = (player) => localStorage.setItem(PLAYER, JSON.stringify(player));
