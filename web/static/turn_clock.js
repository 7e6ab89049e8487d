/** The time of a seat, as the panel, the big screen and phones show it. */

/** @import { PanelNow, PanelSeat } from "./types.js" */

export const TICK_MS = 100; // pages and lamps differ by no more than twice this

/**
 * The seconds that a seat has left now; null where its clock only counts.
 * @param {PanelSeat} seat @param {number} passed seconds since this was so
 */
export const leftOf = ({ left_s: left, free_s: free, rate }, passed) => (left === null ? null : left + rate * Math.max(0, passed - free));

/** @param {number} seconds as m:ss, or h:mm:ss */
export function asClock(seconds) {
  const whole = Math.floor(seconds);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The time left, in whole seconds; the time over it with a plus. @param {number} left */
export const leftSaid = (left) => (left > 0 ? asClock(Math.ceil(left)) : `+${asClock(-left)}`);

let offMs = Infinity; // of this page's clock against the panel's, by the answer that came fastest
let latestMs = 0;

/** When this page's clock stood where the panel's did, in ms; a slow answer makes nobody's time longer. @param {PanelNow} now */
export function heardAt({ at_s: at }) {
  if (at * 1000 < latestMs) offMs = Infinity; // the table's machine has started again
  latestMs = at * 1000;
  offMs = Math.min(offMs, performance.now() - latestMs);
  return latestMs + offMs;
}

/** Ask how the panel is; null without an answer: the page's own line says that the connection is lost. @returns {Promise<PanelNow | null>} */
export async function askPanel() {
  try {
    const answer = await fetch("/api/panel");
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
