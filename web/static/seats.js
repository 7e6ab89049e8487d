/** Who sits where: sitting down by a code, giving a seat up, showing codes, throwing a lost phone out. */

import { send } from "./act.js";
import { byId, el, keyed, set } from "./dom.js";
import { current, onNews } from "./live.js";
import { capital, known, say } from "./messages.js";

/** `seats`: what /api/seats told; `of`: the state of the table that it was told of; `open`: the seat whose
 * QR code is shown; `asked`: the seat whose phone may be about to be thrown out; `scanned`: a code to sit by. */
const ui = { seats: null, of: "", open: "", asked: "", scanned: decodeURIComponent(location.hash.slice(1)) };

/** A tablet in the middle of the table shows all QR codes at once; a phone has room for one. */
const wide = matchMedia("(min-width: 700px)");
wide.addEventListener("change", () => ui.seats && draw());

// A code that was scanned is used once: it stays in no address that is kept or sent on.
if (ui.scanned) history.replaceState(null, "", location.pathname);

const nameOf = (seat) => capital(current()?.match.players[seat] || (known(`name.${seat}`) ? say(`name.${seat}`) : seat));
const spaced = (code) => `${code.slice(0, 3)} ${code.slice(3)}`;

byId("sit").addEventListener("submit", (event) => {
  event.preventDefault();
  sit({ code: byId("code").value });
});

onNews(({ id, match, sitting, seat }) => {
  const of = JSON.stringify([id.split("-")[0], match.id, match.players, sitting, seat]);
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

async function show(seats) {
  ui.seats = seats;
  const scanned = ui.scanned;
  if (scanned && !seats.seat && !seats.screen) {
    ui.scanned = "";
    if (await sit({ code: scanned })) return;
  }
  draw();
}

/** Sit down by a code, typed or scanned, or at a seat; then the table is shown. */
async function sit(by) {
  const sat = await send("/api/seats/take", by);
  if (sat) location.assign("/");
  return sat;
}

async function change(path, body = {}) {
  const seats = await send(path, body);
  if (!seats) return;
  ui.asked = "";
  if ((seats.seat ?? "") !== (ui.seats.seat ?? "")) return location.reload();
  ui.seats = seats;
  draw();
}

function draw() {
  mine(ui.seats);
  byId("seats").classList.toggle("all", ui.seats.screen && wide.matches);
  const held = [...document.querySelectorAll("#seats button")].indexOf(document.activeElement);
  keyed(byId("seats"), ui.seats.seats, (seat) => seat.seat, () => el("li"), row);
  if (held >= 0) document.querySelectorAll("#seats button")[held]?.focus({ preventScroll: true });
}

function mine({ seat, screen, trusted }) {
  const title = seat ? say("web.this-phone", { seat: nameOf(seat) }) : say(screen ? "web.screen" : "web.looks-on");
  set(byId("mine-title"), { text: title });
  const how = seat ? "web.this-phone-how" : screen ? "web.screen-how" : trusted ? "web.take-one" : "web.looks-on-how";
  set(byId("mine-how"), { text: say(how) });
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
  byId("mine-do").replaceChildren(...moves);
}

function dropScanned() {
  ui.scanned = "";
  draw();
}

function row(node, told) {
  const { seat, taken, mine: own, code } = told;
  const { trusted, seat: mine } = ui.seats;
  const state = say(own ? "web.seat-mine" : taken ? "web.seat-taken" : "web.seat-free");
  const parts = [el("p", { class: "who" }, nameOf(seat)), el("p", { class: "state quiet", text: state })];
  if (code) parts.push(...codes(told));
  else if (!taken && trusted && !mine) parts.push(button("web.sit-here", () => sit({ seat }), "aside"));
  else if (taken && !own && trusted) parts.push(...throwing(seat));
  set(node, { "data-mine": own });
  node.replaceChildren(...parts);
}

function codes({ seat, code }) {
  const all = ui.seats.screen && wide.matches;
  const shown = all || ui.open === seat;
  const tools = [];
  if (!all) tools.push(button("web.show-code", () => ((ui.open = shown ? "" : seat), draw()), "", { "aria-expanded": String(shown) }));
  if (!ui.seats.seat) tools.push(button("web.sit-here", () => sit({ seat })));
  const place = ui.seats.seats.findIndex((each) => each.seat === seat);
  // The code in the address: a new one is never taken for the picture of the old.
  const picture = el("img", { class: "code", src: `/join/${place}.svg?of=${code}`, width: 240, height: 240, alt: say("web.seat-qr", { seat: nameOf(seat) }) });
  return [el("p", { class: "short-code", text: spaced(code) }), el("div", { class: "row" }, ...tools), ...(shown ? [picture] : [])];
}

function throwing(seat) {
  if (ui.asked !== seat) return [button("web.throw-out", () => ((ui.asked = seat), draw()), "aside")];
  return [
    el("p", { class: "warning", role: "status", text: say("web.throw-out-how") }),
    el("div", { class: "row" },
      button("web.throw-out", () => change("/api/seats/throw-out", { seat }), "danger"),
      button("web.cancel", () => ((ui.asked = ""), draw()))),
  ];
}

const button = (word, onclick, kind = "", more = {}) => el("button", { type: "button", class: kind || null, onclick, text: say(word), ...more });
