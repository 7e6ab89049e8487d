/** What people make themselves: keeping it under a name, bringing it as a file, removing it. */

import { send } from "./act.js";
import { byId } from "./dom.js";
import { say } from "./messages.js";
import { toast } from "./toast.js";

/** @import { OwnName } from "./types.js" */

/** The key under which the session's store keeps what the next page says. */
const SAID = "own-said";
const game = document.documentElement.dataset.game ?? "";

/** The form in which something is made. */
export const form = byId("own", HTMLFormElement);
const option = form.dataset.option ?? "";

/** @param {object} made its rows, its numbers or its text; without a name that of the form */
export async function keep(made) {
  const name = byId("own-name", HTMLInputElement).value;
  /** @type {OwnName | null} */
  const kept = await send("/api/own", { game, option, name, ...made });
  if (kept) leave("web.own-saved", `?name=${encodeURIComponent(kept.name)}`);
}

/** Show the page again, and say there what was done. @param {string} said @param {string} [search] */
function leave(said, search = "") {
  sessionStorage.setItem(SAID, said);
  location.assign(`/own/${game}/${option}${search}`);
}

document.getElementById("own-file")?.addEventListener("change", async ({ target }) => {
  const file = target instanceof HTMLInputElement && target.files?.[0];
  if (!file) return;
  await keep({ name: file.name.replace(/\.toml$/i, ""), text: await file.text() });
  // The same file may be chosen again, once it is mended.
  target.value = "";
});

/** @type {NodeListOf<HTMLButtonElement>} */
const removers = document.querySelectorAll("[data-remove]");
for (const button of removers) {
  button.addEventListener("click", async () => {
    if (await send("/api/own/remove", { game, option, name: button.dataset.remove })) leave("web.own-removed");
  });
}

const said = sessionStorage.getItem(SAID);
sessionStorage.removeItem(SAID);
if (said) toast(say(said));
