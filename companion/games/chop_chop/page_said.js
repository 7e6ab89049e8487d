/** What happened in the kitchen, in sentences: for the page and for the big screen. */

import { squareName } from "/static/names.js";
import { capital, say } from "/static/messages.js";

/** @import { Event } from "./page_types.js" */

/** @param {Event} event */
export function eventSaid(event) {
  const key = ["cut", "missed"].includes(event.what) ? `did-${event.what}-${event.side}` : `did-${event.what}`;
  const slab = event.slab ? say(`slab.${event.slab}`) : "";
  return capital(say(`chop.${key}`, { side: event.side, piece: event.piece ?? "", n: event.n, slab, square: event.at ? squareName(event.at) : "" }));
}
