/** Setting the camera up: steps with a tick each, which can be left and come back to at any time. */

import { post, send } from "./act.js";
import { setUpCorners, showCorners } from "./setup_corners.js";
import { byId, el, keyed, query, set, svg } from "./dom.js";
import { current, onNews } from "./live.js";
import { say } from "./messages.js";
import { tryPanel } from "./setup_panel.js";
import { rehearse } from "./setup_rehearsal.js";
import { known, lookAtTiles, setUpTiles, showTiles, tileLines } from "./setup_tiles.js";
import { toast } from "./toast.js";

/** @import { CameraState, EmptyCheck, PictureCheck } from "./types.js" */

const PAUSE_MS = 700; // between two looks at the picture
const LOOKS = 2; // how often in a row the board must be seen to be empty
const SURE_MS = 5000; // for the second tap that forgets everything
const FAR_PX = 3; // from which on the grid lies beside the markers

/** @type {PictureCheck | null} */
let check = null;
/** @type {EmptyCheck | null} */
let empty = null;
let looksEmpty = 0;
let takesAgain = false;
let isOpened = false;
let panelDone = () => true;

/** Begin the set-up on a page that has its steps. */
export function setUp() {
  for (const step of steps()) step.addEventListener("toggle", () => step.open && history.replaceState(null, "", `#${step.id}`));
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll("[data-next-step]");
  for (const button of buttons) button.onclick = () => goOn(button);
  setUpCorners();
  setUpTiles();
  if (document.getElementById("panel-try")) panelDone = tryPanel();
  if (document.getElementById("rehearsal")) rehearse(startAgain);
  byId("again").onclick = () => {
    takesAgain = true;
    looksEmpty = 0;
  };
  byId("sure").onclick = () => takeEmpty(true);
  byId("forget").onclick = forget;
  byId("players", HTMLFormElement).onsubmit = namePlayers;
  onNews(({ camera }) => camera && showTiles(camera));
  round();
}

/** @returns {HTMLDetailsElement[]} */
const steps = () => [...document.querySelectorAll("details")].filter((each) => each.dataset.step);

/** The name of the step that is open; empty if none is. */
const openStep = () => steps().find((each) => each.open)?.dataset.step ?? "";

/** @param {HTMLElement} button of a step that is done */
function goOn(button) {
  const every = steps();
  const next = every[every.findIndex((each) => each.contains(button)) + 1];
  if (next) open(next);
}

/** @param {HTMLDetailsElement} step */
function open(step) {
  for (const each of steps()) each.open = each === step;
  step.scrollIntoView({ block: "nearest" });
  query(step, "summary").focus({ preventScroll: true });
}

async function round() {
  if (!document.hidden) await look();
  // Only now is it known which step is open: before, the others would jump.
  byId("steps").dataset.looked = "";
  setTimeout(round, PAUSE_MS);
}

/** Look at the newest picture for the step that is open. */
async function look() {
  check = await ask("/api/camera/check");
  const step = openStep();
  empty = step === "empty" && check && (takesAgain || !check.empty_shown) ? await ask("/api/camera/check/empty") : null;
  if (step === "empty") await lookForEmpty();
  if (step === "tiles") await lookAtTiles(Boolean(check?.empty_shown));
  showAdvice();
  showMarkers();
  showCorners(check);
  drawLines(step);
  tick();
}

/**
 * What the companion says; null where it says nothing, as without a picture.
 * @template T
 * @param {string} path
 * @returns {Promise<T | null>}
 */
async function ask(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Say what keeps the board from being taken as empty; take it once nothing does. */
async function lookForEmpty() {
  looksEmpty = empty && !empty.hindrance ? looksEmpty + 1 : 0;
  const shown = check?.empty_shown && !takesAgain;
  const text = shown ? say("setup.empty-shown") : empty ? say(`setup.empty-${empty.hindrance || "ready"}`) : "";
  set(byId("empty-said"), { text, "data-kind": shown || looksEmpty ? "good" : "wait" });
  byId("sure").hidden = empty?.hindrance !== "tile";
  byId("again").hidden = !shown;
  if (looksEmpty >= LOOKS) await takeEmpty(false);
}

/** @param {boolean} sure whether what seems to lie there is printed on the board */
async function takeEmpty(sure) {
  looksEmpty = 0;
  /** @type {CameraState | null} */
  const camera = await post("/api/camera/empty", { sure });
  if (!camera) return;
  takesAgain = false;
  toast(say("setup.empty-shown"));
}

function showAdvice() {
  const advice = check?.advice.map((each) => `setup.advice-${each}`) ?? [];
  const camera = current()?.camera;
  if (advice.length && camera?.kind === "ok") set(byId("camera"), { "data-kind": "needs" });
  const lines = camera && camera.kind !== "ok" ? [`web.eye-${camera.kind}-long`] : check && !advice.length ? ["setup.advice-good"] : advice;
  keyed(byId("advice"), lines, (key) => key, () => el("li"),
    (node, key) => set(node, { text: say(key), "data-kind": key === "setup.advice-good" ? "good" : "wait" }));
}

function showMarkers() {
  keyed(byId("marker-checks"), check?.markers ?? [], ({ number }) => String(number), () => el("li"),
    (node, { number, state }) => set(node, { text: say(`setup.marker-${state}`, { n: number }), "data-kind": state === "seen" ? "good" : "wait" }));
  set(byId("fit"), { text: fitSaid(), "data-kind": check?.grid.length ? "good" : "wait" });
  byId("corners-off").hidden = !check?.by_hand;
}

function fitSaid() {
  if (!check) return "";
  const { fit_px: px, by_hand: byHand, grid } = check;
  const fit = px === null ? "" : say(px > FAR_PX ? "setup.fit-bad" : "setup.fit", { px: px.toFixed(1) });
  return [grid.length ? "" : say("setup.not-located"), byHand ? say("setup.by-hand") : "", fit].filter(Boolean).join(" ");
}

/**
 * Draw over the picture what the open step is about.
 * @param {string} step
 */
function drawLines(step) {
  const lines = document.getElementById("setup-lines");
  if (!(lines instanceof SVGGElement) || !check) return;
  const over = byId("overlay", SVGSVGElement);
  set(over, { viewBox: `0 0 ${check.width} ${check.height}`, "data-step": step });
  byId("eye").style.setProperty("--ratio", String(check.width / check.height));
  const grid = ["markers", "empty", "tiles"].includes(step) ? check.grid.map((points) => ({ points, kind: "grid-line", name: "" })) : [];
  const markers = step === "markers" ? check.markers.filter(({ outline }) => outline.length)
    .map(({ number, state, outline }) => ({ points: [...outline, outline[0]], kind: `place ${state === "seen" ? "right" : "missing"}`, name: String(number) })) : [];
  const things = (empty?.things ?? []).map((points) => ({ points: [...points, points[0]], kind: "place thing", name: "" }));
  const shapes = [...grid, ...markers, ...things, ...(step === "tiles" ? tileLines() : [])];
  keyed(lines, shapes.entries(), ([at]) => String(at), () => svg("g", {}, svg("polyline"), svg("text", { class: "read-name" })),
    (node, [, { points, kind, name }]) => {
      const [outline, text] = node.children;
      set(outline, { points: points.join(" "), class: kind });
      const [x, y] = points.slice(1).reduce(([sumX, sumY], point) => [sumX + point[0], sumY + point[1]], [0, 0]);
      set(text, { x: x / (points.length - 1), y: y / (points.length - 1), "font-size": over.viewBox.baseVal.width / 30, text: name });
    });
}

/** Tick what is done; the first look opens the first step that is not. */
function tick() {
  const seats = current()?.match;
  /** @type {Record<string, boolean>} */
  const done = {
    language: true,
    camera: Boolean(check) && current()?.camera?.kind === "ok" && !check?.advice.length,
    markers: Boolean(check?.grid.length),
    empty: Boolean(check?.empty_shown),
    tiles: Boolean(check?.empty_shown) && known(),
    panel: panelDone(),
    players: Boolean(seats?.seats.every((seat) => seats.players[seat])),
  };
  for (const step of steps()) {
    const isDone = done[step.dataset.step ?? ""];
    set(step, { "data-done": isDone });
    set(query(step, ".ticked"), { text: isDone ? say("setup.ticked") : "" });
    const next = step.querySelector("[data-next-step]");
    if (next && step.dataset.step === "tiles") set(next, { class: isDone ? "main" : null, text: say(isDone ? "setup.next" : "setup.skip") });
  }
  if (isOpened) return;
  isOpened = true;
  const wanted = steps().find((each) => `#${each.id}` === location.hash) ?? steps().find((each) => !done[each.dataset.step ?? ""]);
  if (wanted) wanted.open = true;
}

/** After everything was forgotten the steps begin with the camera again. */
function startAgain() {
  takesAgain = false;
  const step = steps().find((each) => each.dataset.step === "camera");
  if (step) open(step);
}

/** The first tap asks for a second one. */
async function forget() {
  const button = byId("forget");
  if (button.dataset.sure === undefined) {
    set(button, { "data-sure": true, text: say("setup.forget-sure") });
    setTimeout(() => set(button, { "data-sure": null, text: say("setup.forget") }), SURE_MS);
    return;
  }
  set(button, { "data-sure": null, text: say("setup.forget") });
  if (!await send("/api/camera/forget")) return;
  toast(say("setup.forgotten"));
  startAgain();
}

/** @param {SubmitEvent} event */
async function namePlayers(event) {
  event.preventDefault();
  /** @type {Record<string, string>} */
  const players = {};
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = document.querySelectorAll("#players [data-seat]");
  for (const { dataset, value } of inputs) if (dataset.seat) players[dataset.seat] = value.trim();
  if (await send("/api/players", { players })) toast(say("web.done"));
}
