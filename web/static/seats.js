/** Who sits where: sitting down by a code, giving a seat up, showing codes, throwing a lost phone out. */

import { send } from "./act.js";
import { byId, el, keyed, query, redraw, set } from "./dom.js";
import { current, onNews } from "./live.js";
import { playerSign, seatLabel, showName } from "./names.js";
import { remember, remembered } from "./player.js";
import { say } from "./messages.js";

/** @import { Sat, SeatNow, SeatsNow } from "./types.js" */

/** @type {SeatsNow} what is shown before the first answer */
const NOBODY = { match: 0, seat: null, screen: false, trusted: false, seats: [], role: "watcher", may_remove: false, wait_s: 0, asks: 0, asking: [], askers: [], guests: 0, pin: "" };

/** `freeAt`: when those that sit may be removed by any phone, in ms; `seats`: what /api/seats gave; `of`: the state of the table that it was given for; `open`: the seat whose
 * QR code is shown; `asked`: the seat whose phone may be about to be thrown out; `scanned`: a code to sit by. */
const ui = { freeAt: 0, seats: NOBODY, of: "", open: "", asked: "", scanned: decodeURIComponent(location.hash.slice(1)) };

/** A tablet in the middle of the table shows all QR codes at once; a phone has room for one. */
const wide = matchMedia("(min-width: 700px)");
wide.addEventListener("change", () => ui.seats !== NOBODY && draw());

// A code that was scanned is used once: it stays in no address that is kept or sent on.
if (ui.scanned) history.replaceState(null, "", location.pathname);

/** @param {string} code */
const spaced = (code) => `${code.slice(0, 3)} ${code.slice(3)}`;

byId("sit").addEventListener("submit", (event) => {
  event.preventDefault();
  sit({ code: byId("code", HTMLInputElement).value });
});

byId("be-host").addEventListener("submit", async (event) => {
  event.preventDefault();
  /** @type {Sat | null} */
  const host = await send("/api/seats/host", { pin: byId("pin", HTMLInputElement).value });
  if (host) location.reload();
});

byId("holder").addEventListener("change", async () => {
  /** @type {HTMLInputElement | null} */
  const animal = document.querySelector("input[name=animal]:checked");
  // The animal is the colour.
  const colour = animal?.nextElementSibling?.getAttribute("data-colour") ?? "";
  const holder = { name: byId("name", HTMLInputElement).value.trim(), animal: animal?.value ?? "", colour };
  remember(holder);
  await change("/api/seats/me", holder);
});

onNews(({ id, match, sitting, seat, role, asking, opponent }) => {
  const of = JSON.stringify([id.split("-")[0], match.id, match.players, sitting, seat, role, asking, opponent?.seats]);
  if (of === ui.of) return;
  ui.of = of;
  look();
});

async function look() {
  try {
    const answer = await fetch("/api/seats");
    if (answer.ok) await show(await answer.json());
  } catch {
    ui.of = ""; // asked again with the next news
  }
}

/** @param {SeatsNow} seats */
async function show(seats) {
  ui.seats = seats;
  ui.freeAt = seats.wait_s ? Date.now() + 1000 * seats.wait_s : 0;
  const scanned = ui.scanned;
  if (scanned && !seats.seat && !seats.screen) {
    ui.scanned = "";
    if (await sit({ code: scanned })) return;
  }
  draw();
}

/**
 * Sit down by a code, typed or scanned, or at a seat; then the table is shown.
 * @param {{code: string} | {seat: string}} by
 */
async function sit(by) {
  /** @type {Sat | null} */
  const sat = await send("/api/seats/take", { ...by, ...remembered() });
  if (sat) location.assign("/");
  return sat;
}

/** @param {string} path @param {object} [body] */
async function change(path, body = {}) {
  /** @type {SeatsNow | null} */
  const seats = await send(path, body);
  if (!seats) return;
  ui.asked = "";
  if ((seats.seat ?? "") !== (ui.seats.seat ?? "")) location.reload();
  else {
    ui.seats = seats;
    draw();
  }
}

function draw() {
  mine(ui.seats);
  // One kind of QR code on a page: those of the seats, else that of the page.
  byId("for-all").hidden = ui.seats.seats.some((seat) => seat.code);
  byId("seats").classList.toggle("all", ui.seats.screen && wide.matches);
  /** @type {() => NodeListOf<HTMLButtonElement>} */
  const buttons = () => document.querySelectorAll("#seats button");
  const focused = [...buttons()].findIndex((node) => node === document.activeElement);
  keyed(byId("seats"), ui.seats.seats, (seat) => seat.seat, () => el("li"), row);
  if (focused >= 0) buttons()[focused]?.focus({ preventScroll: true });
}

/** @param {SeatsNow} seats */
function mine(seats) {
  const { seat, screen, trusted, role, pin } = seats;
  const title = seat ? say("web.this-phone", { seat: seatLabel(seat) }) : say(screen ? "web.screen" : "web.looks-on");
  set(byId("mine-title"), { text: title });
  const how = seat ? "web.this-phone-how" : screen ? "web.screen-how" : trusted ? "web.take-one" : "web.looks-on-how";
  const whose = role === "host" && (seat || screen || pin) ? say("web.role-host") : role === "player" && !seat && !screen ? say("web.role-guest") : "";
  set(byId("mine-how"), { text: [say(how), whose].filter(Boolean).join("\n") });
  holderOf(seat);
  byId("be-host").hidden = Boolean(pin);
  set(byId("host-pin"), { text: pin && say("web.host-pin", { pin: spaced(pin) }), hidden: !pin });
  byId("sit").hidden = Boolean(seat || screen || trusted);
  byId("elsewhere").hidden = trusted;
  const moves = ui.scanned
    ? [el("p", { text: say("web.sit-instead") }), button("web.sit", () => sit({ code: ui.scanned }), "main"), button("web.cancel", dropScanned)]
    : seat
      ? [el("a", { class: "button main", href: "/", text: say("web.to-the-table") }), button("web.leave-seat", () => change("/api/seats/leave"))]
      : screen
        ? [button("web.leave-screen", () => change("/api/seats/leave"))]
        : trusted
          ? [button("web.make-screen", () => change("/api/seats/screen"))]
          : [];
  redraw(byId("mine-do"), ...moves, ...letIn(seats));
}

/** Who holds this phone, to be changed. @param {string | null} seat */
function holderOf(seat) {
  const form = byId("holder");
  if (!form.hidden || !seat) return;
  form.hidden = false;
  const now = current();
  byId("name", HTMLInputElement).value = now?.match.players[seat] ?? "";
  /** @type {HTMLInputElement | null} */
  const animal = form.querySelector(`input[value="${now?.animals[seat]}"]`);
  if (animal) animal.checked = true;
}

/** Ask to be let in; the live stream begins anew, since the phone has a name now. */
async function ask() {
  if (await send("/api/seats/ask", remembered())) location.reload();
}

/** What a phone that only watches may ask for, and what is asked of those who play. @param {SeatsNow} seats */
function letIn({ role, asks, askers, guests, may_remove, wait_s }) {
  const said = [
    asks ? say("web.asked-in", { number: asks }) : "",
    role === "watcher" && wait_s ? say("web.wait-for-seats") : "",
  ].filter(Boolean);
  set(byId("asked-in"), { text: said.join("\n"), hidden: !said.length });
  return [
    ...(role === "watcher" && !asks ? [button("web.ask-in", ask)] : []),
    ...askers.map((asker) => el("button", { type: "button", class: "main", onclick: () => change("/api/seats/let-in", { number: asker.number }), ...playerSign(asker),
      text: say(asker.name ? "web.let-in-by-name" : "web.let-in", { name: asker.name, number: asker.number }) })),
    ...(guests && may_remove ? [el("button", { type: "button", onclick: () => change("/api/seats/throw-out", { guests: true }), text: say("web.remove-guests", { guests }) })] : []),
  ];
}

function dropScanned() {
  ui.scanned = "";
  draw();
}

/** @param {HTMLElement} node @param {SeatNow} shown */
function row(node, shown) {
  const { seat, taken, mine: own, code, hand_over: mayHandOver, kept_back: keptBack } = shown;
  const { trusted, may_remove: mayRemove, seat: sitsAt } = ui.seats;
  const state = stateSaid(shown);
  /** @type {HTMLElement[]} */
  const parts = [showName(el("p", { class: "who" }), seat, seatLabel(seat)), el("p", { class: "state quiet", text: state })];
  const levels = byId("seats").dataset.levels?.split(" ").filter(Boolean) ?? [];
  if (!taken && trusted && levels.length) parts.push(player(seat, levels));
  if (code) parts.push(...codes(shown));
  else if (!taken && trusted && !sitsAt) parts.push(button("web.sit-here", () => sit({ seat }), "aside"));
  else if (taken && !own && mayRemove) parts.push(...throwing(seat));
  if (keptBack) parts.push(el("p", { class: "quiet", text: say("web.kept-back") }));
  if (mayHandOver) parts.push(button("web.hand-over", () => change("/api/seats/hand-over", { seat }), "aside"));
  set(node, { "data-mine": own });
  redraw(node, ...parts);
}

/** Who plays an empty seat: nobody, or the computer. @param {string} seat @param {string[]} levels */
function player(seat, levels) {
  const { opponent = null } = current() ?? {};
  const plays = opponent?.seats.includes(seat) ?? false;
  const choice = (/** @type {string} */ level) => el("option", { value: level, text: level ? say("start.computer", { level: say(`web.level-${level}`) }) : say("web.seat-free"), selected: level ? plays && (opponent?.seat !== seat || opponent.level === level) : !plays });
  const select = el("select", { "aria-label": say("web.seat-player", { seat: seatLabel(seat) }) }, ...["", ...levels].map(choice));
  select.onchange = ({ target }) => target instanceof HTMLSelectElement && send("/api/opponent", { seat, level: target.value });
  return select;
}

/** @param {SeatNow} seat */
function stateSaid({ taken, mine: own }) {
  if (taken && !own && ui.freeAt) return say("web.seat-free-in", { time: timeLeft() });
  return say(own ? "web.seat-mine" : taken ? "web.seat-taken" : "web.seat-free");
}

/** Until a lost seat is free, as minutes and seconds. */
function timeLeft() {
  const left = Math.max(0, Math.round((ui.freeAt - Date.now()) / 1000));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

/** Count down; at the end it is asked who may be removed. */
setInterval(() => {
  if (!ui.freeAt) return;
  if (Date.now() >= ui.freeAt) {
    ui.freeAt = 0;
    look();
    return;
  }
  const rows = byId("seats").children; // none before they are first drawn
  for (const [at, seat] of ui.seats.seats.entries()) if (rows[at]) set(query(rows[at], ".state"), { text: stateSaid(seat) });
}, 1000);

/** @param {SeatNow} seat */
function codes({ seat, code }) {
  const all = ui.seats.screen && wide.matches;
  const shown = all || ui.open === seat;
  const tools = [];
  if (!all) tools.push(button("web.show-code", () => openCode(shown ? "" : seat), "", { "aria-expanded": String(shown) }));
  if (!ui.seats.seat) tools.push(button("web.sit-here", () => sit({ seat })));
  const place = ui.seats.seats.findIndex((each) => each.seat === seat);
  // The code in the address: a new one is never taken for the picture of the old.
  const picture = el("img", { class: "code", src: `/join/${place}.svg?of=${code}`, width: 240, height: 240, alt: say("web.seat-qr", { seat: seatLabel(seat) }) });
  return [el("p", { class: "short-code", text: spaced(code) }), el("div", { class: "row" }, ...tools), ...(shown ? [picture] : [])];
}

/** @param {string} seat whose code is shown; empty: none */
function openCode(seat) {
  ui.open = seat;
  draw();
}

/** @param {string} seat whose phone may be about to be thrown out; empty: none */
function askToThrow(seat) {
  ui.asked = seat;
  draw();
}

/** @param {string} seat */
function throwing(seat) {
  if (ui.asked !== seat) return [button("web.throw-out", () => askToThrow(seat), "aside")];
  return [
    el("p", { class: "warning", role: "status", text: say("web.throw-out-how") }),
    el("div", { class: "row" },
      button("web.throw-out", () => change("/api/seats/throw-out", { seat }), "danger"),
      button("web.cancel", () => askToThrow(""))),
  ];
}

/** @param {string} word @param {() => unknown} onclick @param {string} [kind] @param {object} [more] */
const button = (word, onclick, kind = "", more = {}) => el("button", { type: "button", class: kind || null, onclick, text: say(word), ...more });
