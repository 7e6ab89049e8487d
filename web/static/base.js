/** What every page does: listen, say how connection and camera fare, undo and redo, the menu. */

import { change } from "./act.js";
import { byId, set } from "./dom.js";
import { onConnection, onNews, start } from "./live.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const first = document.getElementById("now")?.textContent;
const mine = document.documentElement.dataset.game;
start(first ? JSON.parse(first) : null);

onConnection((connected) => {
  const line = byId("lost");
  line.hidden = connected;
  document.documentElement.classList.toggle("lost", !connected);
});

onNews(({ match, eyes }) => {
  // Another game is played now: its page is another page.
  if (document.documentElement.dataset.page === "game" && match.game !== mine) location.reload();
  eyesChip(eyes);
  for (const [id, can] of [["undo", match.can_undo], ["redo", match.can_redo]]) {
    const button = document.getElementById(id);
    if (button) set(button, { "aria-disabled": can ? null : "true" });
  }
});

function eyesChip(eyes) {
  const chip = byId("eyes");
  const kind = eyes ? eyes.kind : "none";
  const asks = kind === "ok" && eyes.needs ? `web.needs-${eyes.needs}` : `web.eye-${kind}`;
  set(chip, { "data-kind": kind === "ok" && eyes.needs ? "needs" : kind });
  set(byId("eyes-said"), { text: say(asks) });
}

for (const what of ["undo", "redo"]) {
  document.getElementById(what)?.addEventListener("click", async (event) => {
    const button = event.currentTarget;
    if (button.getAttribute("aria-disabled") === "true") return toast(say(`rule.nothing-to-${what}`));
    await change(`/api/${what}`);
  });
}

const menu = byId("menu");
addEventListener("click", (event) => !menu.contains(event.target) && menu.removeAttribute("open"));
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.hasAttribute("open")) return;
  menu.removeAttribute("open");
  menu.querySelector("summary").focus();
});
