/** What every page does: listen, say how connection and camera fare, undo and redo, the menu. */

import { change } from "./act.js";
import { byId, set } from "./dom.js";
import { onConnection, onNews, start } from "./live.js";
import { toast } from "./toast.js";
import { capital, known, say } from "./messages.js";

const first = document.getElementById("now")?.textContent;
const mine = document.documentElement.dataset.game;
const SAID = "said-after-reload";
let sitting = null;
const came = first ? JSON.parse(first) : null;
start(came);
sayAfterReload();

onConnection((connected) => {
  const line = byId("lost");
  line.hidden = connected;
  document.documentElement.classList.toggle("lost", !connected);
});

onNews((now) => {
  const { match, eyes } = now;
  byId("not-kept").hidden = now.kept;
  // Another game is played now: its page is another page.
  if (document.documentElement.dataset.page === "game" && match.game !== mine) location.reload();
  seatChip(now);
  eyesChip(eyes);
  for (const [id, can] of [["undo", match.can_undo], ["redo", match.can_redo]]) {
    const button = document.getElementById(id);
    if (button) set(button, { "aria-disabled": can ? null : "true" });
  }
  const another = document.getElementById("another");
  if (another) {
    another.hidden = !match.outcome;
    byId("redo").hidden = Boolean(match.outcome) && !match.can_redo;
  }
});

function eyesChip(eyes) {
  const chip = byId("eyes");
  const kind = eyes ? eyes.kind : "none";
  const asks = kind === "ok" && eyes.needs ? `web.needs-${eyes.needs}` : `web.eye-${kind}`;
  set(chip, { "data-kind": kind === "ok" && eyes.needs ? "needs" : kind });
  set(byId("eyes-said"), { text: say(asks) });
}

function nameOf(seat, { match }) {
  return capital(match.players[seat] || (known(`name.${seat}`) ? say(`name.${seat}`) : seat));
}

function seatChip(now) {
  const { seat } = now;
  if (came && seat !== came.seat) {
    // Nothing that was shown to the old seat may stay on the page.
    if (came.seat) sessionStorage.setItem(SAID, say("web.no-longer-sits", { seat: nameOf(came.seat, now) }));
    location.reload();
  }
  const chip = byId("seat");
  set(chip, { "data-sits": Boolean(seat) });
  const { hides, page } = document.documentElement.dataset;
  chip.hidden = page === "join" || (!seat && hides === undefined);
  set(byId("seat-said"), { text: seat ? nameOf(seat, now) : say("web.take-a-seat") });
  seatsNews(now);
}

/** Whoever sits down or stands up is told to all: nobody takes a seat, or loses one, unseen. */
function seatsNews(now) {
  const before = sitting;
  sitting = now.sitting;
  if (!before) return;
  const news = [
    ...sitting.filter((seat) => !before.includes(seat)).map((seat) => say("web.sits-now", { seat: nameOf(seat, now) })),
    ...before.filter((seat) => !sitting.includes(seat) && now.match.seats.includes(seat)).map((seat) => say("web.stands-now", { seat: nameOf(seat, now) })),
  ];
  if (news.length) toast(news.join(" "));
}

function sayAfterReload() {
  const said = sessionStorage.getItem(SAID);
  sessionStorage.removeItem(SAID);
  if (said) toast(said, "refusal");
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
