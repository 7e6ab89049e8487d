/** One sentence for some seconds, until the next tap: a refusal, news, or that something was done. A game's page has one place for sentences. */

import { byId } from "./dom.js";

const SHOWN_MS = 7000;
const IN_PLACE_MS = 4000;
const READ_MS = 1000; // news that come with a refusal do not take it away
let hiding = 0;
let since = 0;

/**
 * @param {string} sentence
 * @param {"refusal" | "you" | "news" | "done"} [kind] all but the last stand where the page says whose turn it is
 */
export function toast(sentence, kind = "done") {
  const box = byId("toast");
  const place = kind === "done" ? null : [...document.querySelectorAll("#status .bubble, p#status")].find((node) => node.checkVisibility());
  place?.scrollIntoView({ block: "nearest" });
  const { top = 0, left = 0, width = 0, height = 0 } = place?.getBoundingClientRect() ?? {};
  box.style.cssText = place ? `top: ${top + scrollY}px; left: ${left + scrollX}px; width: ${width}px; min-height: ${height}px` : "";
  box.textContent = sentence;
  box.dataset.kind = kind;
  box.classList.add("shown");
  box.classList.toggle("in-place", Boolean(place));
  since = performance.now();
  clearTimeout(hiding);
  hiding = setTimeout(hideToast, place ? IN_PLACE_MS : SHOWN_MS);
}

/** At a new state of the match it is out of date. */
export const outdate = () => performance.now() - since > READ_MS && hideToast();

function hideToast() {
  clearTimeout(hiding);
  document.getElementById("toast")?.classList.remove("shown");
}

addEventListener("pointerdown", hideToast, true);
