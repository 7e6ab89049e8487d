/** What the camera asks, and what it saw that breaks a rule: the same two sheets in every game. */

import { el } from "./dom.js";
import { openSheet, sheetName } from "./sheet.js";
import { known, say } from "./messages.js";

/** The sheet's name for what stands open; empty when nothing does, or it was put aside. */
export const askedName = (sighting, aside) =>
  sighting && sighting.id !== aside && ["ask", "breaks"].includes(sighting.verdict) ? `seen-${sighting.id}` : "";

/**
 * Ask: what the camera saw, and what it may have been, each a tap. A question that is open already stays.
 * @param {any} now what the table shows
 * @param {{unclear: string, choices: Node[], close: () => void, more?: Node[]}} what `unclear`: the
 *   sentence's key where the sighting has none of its own
 */
export function askSheet({ sighting, eyes }, { unclear, choices, close, more = [] }) {
  const name = `seen-${sighting.id}`;
  if (sheetName() === name) return;
  const why = `why.${sighting.why}`;
  const crop = eyes ? el("img", { class: "crop", alt: say("web.crop"), src: `/api/eyes/crop?sighting=${sighting.id}`, onerror: (event) => event.target.remove() }) : null;
  const title = say(known(why) ? why : unclear, sighting.facts);
  const body = el("div", { class: "stack" }, crop, el("div", { class: "answers", role: "group", "aria-labelledby": "sheet-title" }, ...choices), ...more);
  openSheet({ name, title, close, kind: "ask", body: [body] });
}

/**
 * Say which rule is broken.
 * @param {any} sighting
 * @param {{title: string, close: () => void, facts?: any}} what `facts`: those of the sighting, in words
 */
export function breaksSheet(sighting, { title, close, facts = sighting.facts }) {
  const rule = `rule.${sighting.rule}`;
  const body = el("div", { class: "stack", role: "alert" },
    el("p", { class: "said-large cap", text: known(rule) ? say(rule, facts) : sighting.rule }), el("p", { text: say("web.breaks-how") }));
  openSheet({ name: `seen-${sighting.id}`, title, close, kind: "warn", body: [body] });
}
