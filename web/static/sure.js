/** The question before a match is put aside or stopped. */

import { el } from "./dom.js";

/** Keys of its words. @typedef {{title: string, how: string, yes: string}} Question */

/**
 * Ask whether something is to be done that ends a match.
 * @param {Question} question
 * @param {number} moves of the match
 * @param {(key: string, facts?: Record<string, number>) => string} say
 * @returns {Promise<boolean>}
 */
export function sure({ title, how, yes }, moves, say) {
  return new Promise((resolve) => {
    const dialog = el("dialog", { class: "sheet", "aria-labelledby": "sure-title", "aria-describedby": "sure-how" });
    const choice = (/** @type {string} */ word, /** @type {string} */ kind, /** @type {string} */ value) =>
      el("button", { type: "button", class: kind, onclick: () => dialog.close(value), text: say(word) });
    dialog.append(el("header", {}, el("h2", { id: "sure-title", text: say(title) })),
      el("div", { class: "sheet-body stack" }, el("p", { id: "sure-how", text: say(how, { moves }) }),
        el("div", { class: "row" }, choice("web.cancel", "", ""), choice(yes, "main", "yes"))));
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    };
    document.body.append(dialog);
    dialog.showModal();
  });
}
