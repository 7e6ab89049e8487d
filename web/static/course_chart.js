/** The course of a match as a small chart: one line a seat; the same in words for who cannot see it. */

import { el, svg } from "./dom.js";

/** @import { Course } from "./types.js" */

const WHOLE = { width: 300, height: 60 };
const MOST_LINES = 5; // kinds of line that can be told apart without colour

/**
 * The chart with its names, and a line that can be set at a move; nothing for a course in which nothing is counted up.
 * @param {Pick<Course, "seats" | "standing">} course
 * @param {string} title what it shows
 * @param {(seat: string) => string} label what a seat is called
 * @param {(value: number) => string} written how a value is written
 */
export function courseChart({ seats, standing }, title, label, written = String) {
  if (!standing.length) return [];
  const every = standing.flatMap((each) => Object.values(each));
  const [most, least] = [Math.max(1, ...every), Math.min(0, ...every)];
  const last = Math.max(1, standing.length - 1);
  const y = (/** @type {number} */ value) => (WHOLE.height - 3 - ((WHOLE.height - 6) * (value - least)) / (most - least)).toFixed(1);
  const line = (/** @type {string} */ seat, /** @type {number} */ n) => svg("path", { class: `course line-${n % MOST_LINES}`,
    d: standing.map((each, i) => `${i ? "L" : "M"}${((WHOLE.width * i) / last).toFixed(1)} ${y(each[seat] ?? 0)}`).join("") });
  const words = seats.map((seat) => `${label(seat)} ${written(standing[standing.length - 1][seat] ?? 0)}`).join(", ");
  const picture = svg("svg", { viewBox: `0 0 ${WHOLE.width} ${WHOLE.height}`, preserveAspectRatio: "none", role: "img", "aria-label": `${title}: ${words}` },
    ...seats.map(line), svg("path", { class: "now-at" }));
  const names = seats.map((seat, n) => el("span", {}, svg("svg", { viewBox: "0 0 24 8", "aria-hidden": "true" }, svg("path", { class: `course line-${n % MOST_LINES}`, d: "M1 4H23" })), label(seat)));
  return [picture, el("figcaption", { class: "quiet" }, ...names)];
}

/** The line that marks a move. @param {number} move @param {number} moves all of them */
export const markAt = (move, moves) => `M${moves ? (WHOLE.width * move) / moves : 0} 0V${WHOLE.height}`;
