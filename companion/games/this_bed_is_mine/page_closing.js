/** The sheets before a pass and at the end. They come when they are asked for. */

import { el } from "/static/dom.js";
import { seatName } from "/static/names.js";
import { say } from "/static/messages.js";
import { face } from "./page_bed.js";
import { OWNERS } from "./page_shapes.js";
import { insteadSaid } from "./page_toys.js";

/** @import { Sheet } from "/static/sheet.js" */
/** @import { BedView, Now } from "./page_types.js" */
/** @import { Tools, Ui } from "./page_sheets.js" */

/** What the page's own modules give. @typedef {{openSheet: (sheet: Sheet) => void, outcomeSaid: (board: BedView) => string}} Page */

/** A pass although a tile fits, which is drawn on the bed. @param {Now} now @param {Ui} _ @param {Tools} tools @param {Page} page */
export function passSheet({ match: { board: { fit }, options } }, _, tools, { openSheet }) {
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

/** @param {Now} now @param {Ui} ui @param {Tools} tools @param {Page} page */
export function endSheet({ match: { board } }, ui, tools, { openSheet, outcomeSaid }) {
  const finals = OWNERS.map((owner) => el("div", { class: owner }, face(owner), el("span", { class: "cap", text: seatName(owner) }), el("span", { class: "total", text: board.points[owner].total })));
  openSheet({
    name: "end",
    title: outcomeSaid(board),
    close: () => {
      Object.assign(ui, { endSeen: true, sheet: null });
      tools.again();
    },
    body: [el("div", { class: "stack" }, el("div", { class: "final" }, ...finals),
      ...board.short.map((short) => el("p", { class: "cap", text: insteadSaid(short) })),
      el("button", { type: "button", class: "main", onclick: () => { ui.endSeen = true; tools.show({ kind: "layout" }); }, text: say("bed.end-steps") }))],
  });
}
