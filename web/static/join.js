/** Joining: a name and a seat. Where others play, one of them lets this phone in. */

import { send } from "./act.js";
import { byId, query, set } from "./dom.js";
import { onNews, shown } from "./live.js";
import { capital, say } from "./messages.js";
import { nameOf } from "./names.js";
import { remember, remembered } from "./player.js";
import { toast } from "./toast.js";

/** @import { Sat, SeatsNow, TableNow } from "./types.js" */

/** Where this phone keeps the seat for which it asks to be let in. */
const WANTED = "wanted-seat";

/** `scanned`: the code of a seat, from its QR code; `wanted`: the seat for which this phone asks. */
const ui = { scanned: decodeURIComponent(location.hash.slice(1)), wanted: sessionStorage.getItem(WANTED) ?? "" };

/** @type {NodeListOf<HTMLElement>} */
const places = document.querySelectorAll(".place");

// A code that was scanned stays in no address that is kept or sent on.
if (ui.scanned) history.replaceState(null, "", location.pathname);
byId("name", HTMLInputElement).value = remembered().name;
byId("join").addEventListener("submit", (event) => {
  event.preventDefault();
  void join();
});
byId("not-join").onclick = async () => {
  forget();
  if (await send("/api/seats/leave")) location.reload();
};

onNews((now) => {
  // A phone that has a seat is asked before it moves to another one.
  if (now.seat || now.own_face_down) return location.replace(ui.scanned ? `/seats#${encodeURIComponent(ui.scanned)}` : "/");
  const sits = now.sitting.map((seat) => now.match.players[seat] || capital(nameOf(seat)));
  set(byId("stand"), { text: sits.length ? say("join.sits", { names: sits.join(" · ") }) : "" });
  for (const place of places) seatPlace(place, now);
  how(now);
  if (ui.wanted) return now.role === "watcher" ? asked() : sit({ seat: ui.wanted });
  return undefined;
});

/** @param {HTMLElement} place @param {TableNow} now */
function seatPlace(place, { match, sitting, opponent }) {
  const seat = place.dataset.seat ?? "";
  const input = query(place, "input", HTMLInputElement);
  input.disabled = sitting.includes(seat);
  if (input.disabled) input.checked = false;
  set(query(place, "b"), { text: capital(nameOf(seat)) });
  const holder = match.players[seat] || say(opponent?.seats.includes(seat) ? "web.computer" : input.disabled ? "web.seat-taken" : "web.seat-free");
  set(query(place, "small"), { text: holder });
}

/** @param {TableNow} now */
function how({ role, match, sitting }) {
  const full = sitting.length === match.seats.length;
  const free = [...places].map((place) => query(place, "input", HTMLInputElement)).filter((input) => !input.disabled);
  // A seat without a name is nobody's yet.
  if (!free.some((input) => input.checked)) (free.find(({ value }) => !match.players[value]) ?? free[0])?.click();
  byId("places").hidden = Boolean(ui.scanned);
  byId("by-code").hidden = role !== "watcher" || Boolean(ui.scanned) || full;
  byId("join-button", HTMLButtonElement).disabled = full && !ui.scanned;
  if (full) set(byId("stand"), { text: say("web.all-taken") });
  waits(Boolean(ui.wanted));
}

/** @param {boolean} waiting */
function waits(waiting) {
  for (const id of ["asking", "join-button", "just-watch", "to-seats"]) byId(id).hidden = waiting;
  for (const id of ["waiting", "not-join"]) byId(id).hidden = !waiting;
}

async function join() {
  const code = ui.scanned || byId("code", HTMLInputElement).value.trim();
  const seat = query(document, "input[name=seat]:checked, #code", HTMLInputElement).value;
  remember(who());
  if (code) await sit({ code });
  else if (shown().role !== "watcher") await sit({ seat });
  else {
    sessionStorage.setItem(WANTED, seat);
    // The live stream starts again, since this phone has a name now.
    if (await send("/api/seats/ask", who())) location.assign("/join");
    else forget();
  }
}

/** @param {{code: string} | {seat: string}} by */
async function sit(by) {
  forget();
  /** @type {Sat | null} */
  const sat = await send("/api/seats/take", { ...by, ...who() });
  if (sat) location.assign("/");
  else ui.scanned = "";
}

/** Stop asking: then this phone does not sit down by itself either. */
function forget() {
  ui.wanted = "";
  sessionStorage.removeItem(WANTED);
}

/** Show the number of this phone while it waits, or that nobody let it in. */
async function asked() {
  const answer = await fetch("/api/seats").catch(() => null);
  /** @type {SeatsNow | null} */
  const seats = answer?.ok ? await answer.json() : null;
  if (!ui.wanted || !seats) return;
  set(byId("waiting-how"), { text: say("join.waiting-how", { number: seats.asks }) });
  // Who was let in meanwhile has stopped asking too: the next news seats that phone.
  if (seats.asks || seats.role !== "watcher") return;
  forget();
  waits(false);
  toast(say("join.not-let-in"), "refusal");
}

/** Who holds this phone. */
function who() {
  return { ...remembered(), name: byId("name", HTMLInputElement).value.trim() };
}
