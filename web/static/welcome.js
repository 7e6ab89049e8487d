/** The welcome: what is played, who plays, and joining with a name, a colour, an animal and a seat. */

import { send } from "./act.js";
import { byId, el, keyed, query, set } from "./dom.js";
import { onNews, shown } from "./live.js";
import { capital, say } from "./messages.js";
import { nameOf, seatLabel, showName } from "./names.js";
import { remember, remembered } from "./player.js";

/** @import { Sat, SeatsNow, TableNow } from "./types.js" */

/** Where this phone keeps the seat for which it asks to be let in. */
const WANTED = "wanted-seat";

/** `scanned`: the code of a seat, from its QR code; `wanted`: the seat for which this phone asks. */
const ui = { scanned: decodeURIComponent(location.hash.slice(1)), wanted: sessionStorage.getItem(WANTED) ?? "", seat: "" };

// A code that was scanned stays in no address that is kept or sent on.
if (ui.scanned) history.replaceState(null, "", location.pathname);
fillIn();

onNews((now) => {
  // A phone that has a seat is asked before it moves to another one.
  if (now.seat) return location.replace(ui.scanned ? `/join#${encodeURIComponent(ui.scanned)}` : "/");
  set(byId("stand"), { text: stand(now) });
  keyed(byId("who"), now.match.seats, String, () => el("li", {}, el("span", { class: "who" }), el("span", { class: "state quiet" })), (node, seat) => person(node, seat, now));
  freeSeats(now);
  how(now);
  if (ui.wanted && now.role !== "watcher") return sit({ seat: ui.wanted });
  return undefined;
});

byId("join").addEventListener("submit", (event) => {
  event.preventDefault();
  join();
});

if (ui.wanted) askedAs();

/** @param {TableNow} now */
function stand({ match }) {
  if (match.outcome) return capital(say("web.over"));
  if (!match.moves) return say("web.not-begun");
  const moves = say("web.moves", { moves: match.moves });
  return match.turn ? `${say("web.turn", { seat: seatLabel(match.turn) })} · ${moves}` : moves;
}

/** @param {HTMLElement} node @param {string} seat @param {TableNow} now */
function person(node, seat, { match, sitting }) {
  const name = match.players[seat];
  showName(query(node, ".who"), seat, name ? `${name} (${nameOf(seat)})` : capital(nameOf(seat)));
  set(query(node, ".state"), { text: say(sitting.includes(seat) ? "web.seat-taken" : "web.seat-free") });
}

/** @param {TableNow} now */
function freeSeats({ match, sitting }) {
  const free = match.seats.filter((seat) => !sitting.includes(seat));
  if (!free.includes(ui.seat)) ui.seat = free.find((seat) => !match.players[seat]) ?? free[0] ?? "";
  byId("free").hidden = Boolean(ui.scanned) || !free.length;
  keyed(byId("free-seats"), free, String, choice, (node, seat) => {
    set(query(node, "span"), { text: match.players[seat] || capital(nameOf(seat)) });
    query(node, "input", HTMLInputElement).checked = seat === ui.seat;
  });
}

/** @param {string} seat */
function choice(seat) {
  const input = el("input", { type: "radio", name: "seat", value: seat });
  input.onchange = () => {
    ui.seat = seat;
  };
  return el("label", {}, input, el("span"));
}

/** @param {TableNow} now */
function how({ role, match, sitting }) {
  const asks = role === "watcher" && !ui.scanned;
  const full = sitting.length === match.seats.length;
  byId("by-code").hidden = !asks || full;
  byId("join-button", HTMLButtonElement).disabled = full;
  if (ui.wanted) return;
  set(byId("join-how"), { text: full ? say("web.all-taken") : say("web.join-asks"), hidden: !full && !asks });
}

async function join() {
  remember(who());
  const code = ui.scanned || byId("code", HTMLInputElement).value.trim();
  if (code) await sit({ code });
  else if (shown().role !== "watcher") await sit({ seat: ui.seat });
  else {
    sessionStorage.setItem(WANTED, ui.seat);
    // The live stream begins anew, since this phone has a name now.
    if (await send("/api/seats/ask", who())) location.reload();
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

/** Once this phone asks no more, it sits down by itself no more. */
function forget() {
  ui.wanted = "";
  sessionStorage.removeItem(WANTED);
}

/** What this phone is called while it waits to be let in. */
async function askedAs() {
  const answer = await fetch("/api/seats").catch(() => null);
  /** @type {SeatsNow | null} */
  const seats = answer?.ok ? await answer.json() : null;
  if (!ui.wanted) return;
  if (seats?.asks) set(byId("join-how"), { text: say("web.asked-in", { number: seats.asks }), hidden: false });
  // Who was let in meanwhile asks no more either: the next news seats that phone.
  else if (seats?.role === "watcher") forget();
}

byId("join").addEventListener("change", inColour);

/** Who holds this phone, as it stands in the form. */
function who() {
  return { name: byId("name", HTMLInputElement).value.trim(), colour: picked("colour"), animal: picked("animal") };
}

/** @param {string} what which of the radio buttons of that name is chosen; empty: none */
function picked(what) {
  /** @type {HTMLInputElement | null} */
  const chosen = document.querySelector(`input[name=${what}]:checked`);
  return chosen?.value ?? "";
}

/** Fill in who held this phone at the last match. */
function fillIn() {
  const { name, colour, animal } = remembered();
  byId("name", HTMLInputElement).value = name;
  /** @type {NodeListOf<HTMLInputElement>} */
  const choices = document.querySelectorAll("input:is([name=colour], [name=animal])");
  for (const each of choices) each.checked = each.value === (each.name === "colour" ? colour : animal);
  inColour();
}

/** The animals are shown in the colour that is chosen. */
function inColour() {
  set(query(document, ".animals"), { "data-colour": picked("colour") || null });
}
