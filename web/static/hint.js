/** A hint for one's own seat, and the switch by which a match has none. */

import { byId, set } from "./dom.js";

/** @import { Hint } from "./types.js" */
/** @import { Page } from "./later.js" */

/** @param {Omit<Page, "onNews">} page @param {(sentence: string) => void} toast */
export function hints({ say, send }, toast) {
  const ask = document.getElementById("hint");
  if (!ask) return;
  ask.onclick = async () => {
    toast(say("web.hint-thinks"));
    const hint = /** @type {Hint | null} */ (await send("/api/hint", {}));
    if (hint) toast([hint.called, hint.worth, hint.says].filter(Boolean).join(" · "));
  };
  const on = byId("hints");
  on.onclick = async () => {
    const wanted = on.getAttribute("aria-pressed") !== "true";
    if (await send("/api/hints", { on: wanted })) set(on, { "aria-pressed": String(wanted) });
  };
}
