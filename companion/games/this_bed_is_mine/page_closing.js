/** The sheet before a pass. It comes when it is asked for. */

import { el } from "/static/dom.js";
import { seatName } from "/static/names.js";
import { say } from "/static/messages.js";

/** @import { Sheet } from "/static/sheet.js" */
/** @import { Now } from "./page_types.js" */
/** @import { Tools } from "./page_sheets.js" */

/** A pass although a tile fits, which is drawn on the bed. @param {Now} now @param {Tools} tools @param {(sheet: Sheet) => void} openSheet */
export function passSheet({ match: { board: { fit }, options } }, tools, openSheet) {
  if (!fit) return;
  const choice = options.mistaken_pass;
  openSheet({
    name: "pass",
    title: say("bed.pass-title", { owner: seatName(fit.owner) }),
    close: tools.close,
    focus: true,
    body: [el("div", { class: "stack" }, el("p", { text: say(`bed.pass-${choice}`, { digit: fit.digit }) }),
      choice === "warn" ? el("button", { type: "button", text: say("bed.pass-anyway"), onclick: () => tools.pass(fit.owner) }) : null)],
  });
}
