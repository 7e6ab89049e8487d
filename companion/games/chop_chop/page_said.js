/** What happened in the kitchen, in sentences: for the page and for the big screen. */

import { squareName } from "/static/names.js";
import { capital, say } from "/static/messages.js";

/** @import { Event, GoTo, Now, WayView } from "./page_types.js" */

/** Where a person is to move a piece for the table; null for nothing. @param {Now} now */
export function asked({ opponent }) {
  const move = /** @type {GoTo | null} */ (opponent?.move ?? null);
  return move?.move === "go" ? move : null;
}

/** The same in words. @param {GoTo} go @param {string} who */
export function askedSaid(go, who) {
  return say("chop.move-mine", { who, piece: go.piece, square: squareName([go.row, go.col]) });
}

/** The way to there, for the drawing. @param {GoTo} go @param {WayView[]} ways */
export function askedWay(go, ways) {
  return ways.filter(({ piece, to }) => piece === go.piece && to[0] === go.row && to[1] === go.col).slice(0, 1);
}

/** @param {Event} event */
export function eventSaid(event) {
  const key = ["cut", "missed"].includes(event.what) ? `did-${event.what}-${event.side}` : `did-${event.what}`;
  const slab = event.slab ? say(`slab.${event.slab}`) : "";
  return capital(say(`chop.${key}`, { side: event.side, piece: event.piece ?? "", n: event.n, slab, square: event.at ? squareName(event.at) : "" }));
}
