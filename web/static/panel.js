/** The panel: the lamps and clocks of every seat, and buttons that are pressed, held, and held together. */

import { post } from "./act.js";
import { byId, el, keyed, query, set } from "./dom.js";
import { current, onNews } from "./live.js";
import { seatLabel, showName } from "./names.js";
import { capital, say, sayWhole } from "./messages.js";
import { asClock, askPanel, heardAt, leftOf, leftSaid, TICK_MS } from "./turn_clock.js";

/** @import { ClockRules, Curve, PanelFault, PanelNow, PanelSeat } from "./types.js" */

/** @typedef {PanelSeat & {place: number}} PlacedSeat a seat and which one it is, counted from 0 */

const HELD_MS = 400; // a held button says so again: what falls silent was let go
const SAME_MS = 400; // a pattern that began this close to the one shown is the one shown

/** @type {Record<string, Curve>} */
const curves = JSON.parse(byId("curves").textContent || "{}");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {PanelNow | null} */
let panel = JSON.parse(byId("panel-now").textContent || "null");
let heardMs = panel ? heardAt(panel) : 0; // when `panel` was so

// What the panel is like.

let asking = false;
let askAgain = false;

/** Ask how it stands; while an answer is under way, once more afterwards. */
async function refresh() {
  draw();
  if (asking) {
    askAgain = true;
    return;
  }
  asking = true;
  const answer = await askPanel();
  if (answer) take(answer);
  asking = false;
  if (!askAgain) return;
  askAgain = false;
  refresh();
}

/** @param {PanelNow} now */
function take(now) {
  panel = now;
  heardMs = heardAt(now);
  draw();
}

// Buttons.

/** @typedef {"down" | "up" | "cancel" | "tap"} Does */

let sending = Promise.resolve();

/**
 * Say what was done to a button, each thing after the one before.
 * @param {string} button
 * @param {Does} does
 * @param {number} [held] for how many seconds
 */
function tell(button, does, held) {
  sending = sending.then(() => sendButton(button, does, held));
  return sending;
}

/** @param {string} button @param {Does} does @param {number} [held] */
async function sendButton(button, does, held) {
  /** @type {PanelNow | null} */
  const now = await post("/api/panel/buttons", { button, does, held_s: held }, { keepalive: true });
  if (now) take(now);
}

/**
 * Let a node be a button of the panel: by finger, mouse, key, or a reader's single click.
 * @param {HTMLElement} node
 * @param {string} name
 */
function wire(node, name) {
  let holding = 0;
  let downMs = 0;
  let unsent = 0; // of this button: another one that is held as well does not silence it
  const hold = () => {
    unsent += 1;
    tell(name, "down").finally(() => (unsent -= 1));
  };
  const down = () => {
    if (holding) return;
    holding = setInterval(() => unsent || hold(), HELD_MS);
    downMs = performance.now();
    set(node, { "data-held": true });
    hold();
  };
  const end = (/** @type {Does} */ does) => {
    if (!holding) return;
    clearInterval(holding);
    holding = 0;
    set(node, { "data-held": null });
    tell(name, does, (performance.now() - downMs) / 1000);
  };
  const isPress = (/** @type {KeyboardEvent} */ event) => event.key === "Enter" || event.key === " ";
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    node.setPointerCapture(event.pointerId);
    down();
  });
  node.addEventListener("pointerup", () => end("up"));
  node.addEventListener("pointercancel", () => end("cancel"));
  node.addEventListener("keydown", (event) => {
    if (!isPress(event)) return;
    event.preventDefault();
    down();
  });
  node.addEventListener("keyup", (event) => {
    if (!isPress(event)) return;
    event.preventDefault();
    end("up");
  });
  node.addEventListener("blur", () => end("cancel"));
  node.addEventListener("contextmenu", (event) => event.preventDefault());
  node.addEventListener("click", (event) => event.detail === 0 && tell(name, "tap"));
  addEventListener("pagehide", () => end("cancel"));
}

wire(byId("panel-undo"), "undo");
wire(byId("panel-pause"), "pause");

// Lamps and clocks.

function draw() {
  if (!panel) return;
  const { seats: shown, clock } = panel;
  const seats = shown.map((seat, place) => ({ ...seat, place }));
  keyed(byId("seats"), seats, ({ seat }) => seat, ({ seat }) => card(seat), (node, seat) => update(node, seat, seats.length, clock));
  const line = panel.paused ? "web.panel-paused" : panel.begun || seats.some(({ pattern }) => over(pattern)) ? "" : "web.panel-not-begun";
  set(byId("state"), { text: line && say(line), "data-kind": panel.paused ? "paused" : null });
  set(byId("pause-said"), { text: say(panel.paused ? "web.panel-go-on" : "web.panel-pause") });
  set(byId("pause-sign", SVGPathElement), { d: panel.paused ? "M8 5l11 7-11 7z" : "M8 5v14M16 5v14" });
  set(byId("panel-undo"), { "aria-disabled": current()?.match.can_undo ? null : "true" });
  drawFaults(panel.faults);
}

/** @param {string} pattern */
const over = (pattern) => pattern === "over" || pattern === "won";

/** @param {string} seat */
function card(seat) {
  const press = el("button", { type: "button", class: "press" },
    el("span", { class: "lamp", "aria-hidden": "true" }, el("span", { class: "glow" })),
    el("span", { class: "who" }, el("span", { class: "name" }), el("span", { class: "said", role: "status" })));
  wire(press, seat);
  return el("article", { class: "panel-seat" }, press,
    el("details", { class: "time" },
      el("summary", {}, el("span", { class: "clock" }), el("span", { class: "unit" }), el("span", { class: "runs", "aria-hidden": "true" })),
      el("div", { class: "why" }, el("p"), el("p", { text: say("web.panel-why-runs") }))));
}

/** @param {HTMLElement} node @param {PlacedSeat} seat @param {number} seats how many @param {ClockRules} clock */
function update(node, seat, seats, clock) {
  const press = query(node, ".press");
  const curve = curves[seat.pattern];
  set(press, { "data-pattern": seat.pattern, "data-warns": curve.warns });
  showName(query(press, ".name"), seat.seat, seatLabel(seat.seat));
  set(query(press, ".said"), { text: saidBy(seat) });
  shine(query(press, ".glow"), seat, curve, seats);
  tellTime(query(node, ".time"), seat, clock);
}

/**
 * What a lamp says, in words; where it says no or that a rule is broken, why.
 * @param {PanelSeat} seat
 */
function saidBy({ pattern, rule, facts, done }) {
  const sighting = current()?.sighting;
  const action = panel && { undoing: panel.actions.hold, pausing: panel.actions.both }[pattern];
  const other = action && action !== { undoing: "undo", pausing: "pause" }[pattern];
  const lamp = say(other ? `web.panel-does-${action}` : `web.panel-lamp-${pattern}`);
  if (pattern === "no" && rule) return sayWhole(`rule.${rule}`, facts.seat ? { ...facts, seat: seatLabel(String(facts.seat)) } : facts, lamp);
  if (pattern === "breaks" && sighting?.rule) return capital(sayWhole(`rule.${sighting.rule}`, sighting.facts, lamp));
  if (pattern === "waiting" && sighting?.why) return sayWhole(`why.${sighting.why}`, sighting.facts, lamp);
  if (pattern === "waiting" && done) return say("web.panel-waits-for-move");
  if (pattern === "off" && done) return say("web.panel-done");
  if (pattern === "off" && current()?.match.outcome) return say("web.panel-lost");
  return lamp;
}

/** @type {WeakMap<Element, {pattern: string, sinceMs: number, animation: Animation | null}>} */
const lit = new WeakMap();
/** @type {HTMLElement[]} */
let litNodes = [];

/**
 * Let a lamp follow its curve, from where the real one stands.
 * @param {HTMLElement} glow
 * @param {PlacedSeat} seat
 * @param {Curve} curve
 * @param {number} seats how many there are
 */
function shine(glow, { pattern, age_s, place }, curve, seats) {
  const sinceMs = heardMs - age_s * 1000;
  const was = lit.get(glow);
  if (was && was.pattern === pattern && Math.abs(was.sinceMs - sinceMs) < SAME_MS) return;
  was?.animation?.cancel();
  const levels = curve.points.map(([, level]) => level);
  const still = calm.matches || levels.every((level) => level === levels[0]);
  glow.style.opacity = String(still ? Math.max(...levels) : levels.at(-1));
  let animation = null;
  if (!still) {
    const period = curve.period_s * 1000;
    animation = glow.animate(curve.points.map(([offset, opacity]) => ({ offset, opacity })),
      { duration: period, iterations: curve.once ? 1 : Infinity, fill: "forwards" });
    const later = curve.shift ? (1 - place / seats) * period : 0;
    animation.currentTime = performance.now() - sinceMs + later;
  }
  lit.set(glow, { pattern, sinceMs, animation });
  litNodes = [...litNodes.filter((each) => each !== glow && each.isConnected), glow];
}

function stopLamps() {
  for (const glow of litNodes) {
    lit.get(glow)?.animation?.cancel();
    lit.delete(glow);
  }
}

/** @param {HTMLElement} node @param {PanelSeat} seat @param {ClockRules} clock */
function tellTime(node, seat, { kind, reserve_s: limit, extra_s: extra }) {
  const passed = (performance.now() - heardMs) / 1000;
  const spent = asClock(seat.spent_s + (seat.running ? passed : 0));
  const left = leftOf(seat, passed);
  const late = left !== null && left <= 0;
  set(node, { "data-running": seat.running, "data-late": late, hidden: kind === "none" });
  set(query(node, ".clock"), { text: left === null ? spent : leftSaid(left) });
  set(query(node, ".unit"), { text: say(late ? "web.panel-over-time" : left === null ? "web.panel-spent" : "web.panel-left") });
  set(query(node, ".why p"), { text: left === null
    ? say("web.panel-why-spent", { spent })
    : `${say(`web.clock-${kind}`, { limit: asClock(limit ?? 0), extra: asClock(extra) })} ${say("web.clock-spent", { spent })}` });
}

/** @param {PanelFault[]} faults */
function drawFaults(faults) {
  set(byId("faults"), { hidden: !faults.length });
  keyed(byId("fault-list"), faults, ({ part, seat, gpio, why }) => `${part}-${seat}-${gpio}-${why}`, () => el("li"),
    (node, fault) => set(node, { text: faultSaid(fault) }));
}

/** @param {PanelFault} fault */
function faultSaid({ part, why, seat, gpio, pin, detail, name }) {
  const reason = say(`web.panel-fault-${why}`) + (why === "broken" && detail ? ` (${detail})` : "");
  if (gpio === null || pin === null) return reason;
  return say("web.panel-fault-at", { part: say(`web.panel-part-${part}`, { n: (seat ?? 0) + 1, name }), gpio, pin, why: reason });
}

onNews(refresh);
setInterval(() => !document.hidden && draw(), TICK_MS);
calm.addEventListener("change", () => {
  stopLamps();
  draw();
});
