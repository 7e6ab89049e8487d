/** A die as a picture. */

import { svg } from "./dom.js";

/** Where the pips of each value are: places in a square of three by three, from the top left. */
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/**
 * @param {number} value 1 to 6
 * @param {string | null} [kind] a class, where dice of several kinds are told apart
 */
export function die(value, kind = null) {
  const pips = PIPS[value].map((at) => svg("circle", { class: "pip", cx: 10 + 10 * (at % 3), cy: 10 + 10 * Math.floor(at / 3), r: 4 }));
  return svg("svg", { class: kind, viewBox: "0 0 40 40", "aria-hidden": "true" }, svg("rect", { class: "die-face", x: 1, y: 1, width: 38, height: 38, rx: 8 }), ...pips);
}
