/** Questions to the table, for whoever sees it badly: the answer is spoken, and stands large on the page. */

import { el, set } from "./dom.js";
import { answer, voice } from "./sounds.js";

/** @import { Page } from "./later.js" */

const QUESTIONS = ["ask.turn", "ask.standing", "ask.throw", "ask.place"];

/** Make the sheet of questions; a digit on a keyboard asks one. Returns what opens it. @param {Page["say"]} say */
export function questions(say) {
  document.head.append(el("link", { rel: "stylesheet", href: "/static/ask.css" }));
  const said = el("p", { class: "answer", role: "speechSynthesis" in globalThis ? null : "status" });
  const where = el("input", { "aria-label": say("ask.where"), placeholder: say("ask.where"), autocomplete: "off", enterkeyhint: "go" });
  const ask = async (/** @type {string} */ question) => {
    const text = (await answer(question, where.value)) || say("web.lost");
    set(said, { text });
    voice(text);
  };
  const keys = QUESTIONS.map((key, n) => el("button", { type: "button", autofocus: !n, onclick: () => ask(key.slice(4)), text: `${n + 1} · ${say(key)}` }));
  const dialog = el("dialog", { id: "asking", class: "sheet", "aria-labelledby": "asking-title" });
  dialog.append(
    el("header", {}, el("h2", { id: "asking-title", text: say("ask.menu") }),
      el("button", { class: "icon", type: "button", "aria-label": say("web.close"), onclick: () => dialog.close() }, "✕")),
    el("div", { class: "sheet-body stack" }, said, ...keys, where));
  dialog.onclose = () => voice("");
  dialog.addEventListener("keydown", ({ key, target }) => {
    if (target !== where) keys[Number(key) - 1]?.click();
    else if (key === "Enter") void ask("place");
  });
  document.body.append(dialog);
  return () => dialog.open || dialog.showModal();
}
