/** The signs of people without an animal of their own. Nothing here knows a game. */

const SIGNS = [["fox", "orange"], ["frog", "green"], ["owl", "violet"], ["rabbit", "red"], ["bear", "yellow"], ["turtle", "blue"]];

/**
 * A player's own sign, else one by the place, counted from 0; from the seventh on in another colour.
 * @param {Record<string, string | null>} own @param {number} place
 * @returns {Record<string, string | null>}
 */
export function signed(own, place) {
  if (place < 0 || own["data-sign"]) return own;
  const [animal] = SIGNS[place % SIGNS.length];
  const [, colour] = SIGNS[(place + Math.floor(place / SIGNS.length)) % SIGNS.length];
  return { "data-sign": animal, "data-colour": colour };
}
