/** The page on which the table is asked to play a seat, and for a hint. */

import { send } from "./act.js";
import { byId, set } from "./dom.js";

/** @import { Hint, TableNow } from "./types.js" */

const form = document.getElementById("opponent");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const seat = byId("opponent-seat", HTMLSelectElement).value || null;
  const level = byId("opponent-level", HTMLSelectElement).value;
  /** @type {TableNow | null} */
  const now = await send("/api/opponent", { seat, level });
  if (now) location.assign("/");
});

/** A hint as a sentence: the move, what it is worth, and why. @param {Hint} hint */
function hintSaid({ notation, value, says }) {
  const worth = value === null ? "" : `(${Math.round(value * 10) / 10})`;
  return [notation, worth, says].filter(Boolean).join(" ");
}

if (document.getElementById("hint")) {
  byId("hint-ask").addEventListener("click", async () => {
    const { thinks, none } = byId("hint").dataset;
    set(byId("hint"), { text: thinks });
    /** @type {Hint | null} */
    const hint = await send("/api/hint");
    set(byId("hint"), { text: hint ? hintSaid(hint) : none });
  });
  byId("hint-switch").addEventListener("click", async () => {
    const on = byId("hint-switch").dataset.on === "1";
    if (await send("/api/hints", { on })) location.reload();
  });
}
