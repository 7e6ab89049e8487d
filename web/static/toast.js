/** One sentence over the page for some seconds: a refusal, or that something was done. */

import { byId } from "./dom.js";

const SHOWN_MS = 7000;
let hiding = 0;

/**
 * @param {string} sentence
 * @param {"refusal" | "done"} [kind]
 */
export function toast(sentence, kind = "done") {
  const box = byId("toast");
  box.textContent = sentence;
  box.dataset.kind = kind;
  box.classList.add("shown");
  clearTimeout(hiding);
  hiding = setTimeout(hideToast, SHOWN_MS);
}

/** Take it away at once. */
export function hideToast() {
  clearTimeout(hiding);
  byId("toast").classList.remove("shown");
}

document.getElementById("toast")?.addEventListener("click", hideToast);
