/** The page on which the table is asked to play a seat, and for a hint. */

import { send } from "./act.js";
import { byId, set } from "./dom.js";
import { capital } from "./messages.js";

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

for (const deal of document.querySelectorAll("form[data-deal]")) deal.addEventListener("submit", dealt);

/** Let the table deal; whoever asks for it and sits nowhere takes the first free seat. @param {Event} event */
async function dealt(event) {
  event.preventDefault();
  const asked = /** @type {HTMLFormElement} */ (event.currentTarget);
  const fields = new FormData(asked);
  const { deal, instead } = asked.dataset;
  const wanted = { people: Number(fields.get("people")), opponents: Number(fields.get("opponents")), level: fields.get("level") };
  document.documentElement.dataset.leaves = ""; // the seat of the match before is gone: that is no news
  /** @type {TableNow | null} */
  const now = await send("/api/opponent/deal", { ...wanted, game: deal, instead_of: Number(instead) });
  if (!now) {
    delete document.documentElement.dataset.leaves;
    return;
  }
  const seat = now.match.seats.find((each) => !now.sitting.includes(each));
  if (now.seat || !seat || (await send("/api/seats/take", { seat }))) location.assign("/");
}

/** A hint as a sentence: the move, what it is worth, and why. @param {Hint} hint */
const hintSaid = ({ called, worth, says }) => [capital(called), [worth, says].filter(Boolean).join(" ")].filter(Boolean).join(": ");

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
