/** What people make themselves: keeping it under a name, bringing it as a file, removing it. */

import { send } from "./act.js";
import { byId } from "./dom.js";
import { say } from "./messages.js";
import { toast } from "./toast.js";

/** @import { OwnName, OwnPicture, Refusal } from "./types.js" */

/** The key under which the session's store keeps what the next page says. */
const SAID = "own-said";
const game = document.documentElement.dataset.game ?? "";

/** What begins the pictures in a file that was shared, each a line `name = "base64"`. */
const PICTURES = "\n[pictures]\n";

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

/**
 * The text of a shared file, once this table keeps its pictures; null (and said) where it does not.
 * @param {string} shared
 * @returns {Promise<string | null>}
 */
async function withPictures(shared) {
  const [own, pictures = ""] = shared.split(PICTURES);
  let text = own;
  for (const [, name, base64] of pictures.matchAll(/^(\w+) = "([\w+/=]+)"$/gm)) {
    const body = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const answer = await fetch("/api/own/picture", { method: "POST", headers: { "Content-Type": "image/jpeg" }, body }).catch(() => null);
    /** @type {OwnPicture | Refusal | null} */
    const kept = answer && (await answer.json());
    if (!kept || "says" in kept) {
      toast(kept?.says ?? say("web.not-sent"), "refusal");
      return null;
    }
    // A picture is called by its pixels, and this table has made its own of it.
    text = text.replaceAll(name, kept.picture);
  }
  return text;
}

document.getElementById("own-file")?.addEventListener("change", async ({ target }) => {
  const file = target instanceof HTMLInputElement && target.files?.[0];
  if (!file) return;
  const text = await withPictures(await file.text());
  if (text !== null) await keep({ name: file.name.replace(/\.toml$/i, ""), text });
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
