/** The live picture with what was read drawn over it, and the steps of setting the camera up. */

import { send } from "./act.js";
import { byId, el, keyed, query, set, svg } from "./dom.js";
import { current, onNews } from "./live.js";
import { nameOf } from "./names.js";
import { percent } from "./numbers.js";
import { toast } from "./toast.js";
import { capital, say, sayWhole } from "./messages.js";

/** @import { CameraState, Lesson, Overlay, OverlayTile } from "./types.js" */

/** @typedef {[number, number]} Point x, y in px of the picture */

const PAUSE_MS = 300; // between a picture shown and the next one asked for
const TROUBLE_MS = 1500;

const SECOND = "dog"; // whose outlines are dashed
/** @type {Lesson[]} */
let lessons = []; // what is to be shown at once, and where
/** @type {Lesson | null} */
let lesson = null; // the one that is being shown
/** @param {string} owner */
const ownerLabel = (owner) => capital(nameOf(owner));

if (document.getElementById("eye")) {
  look();
  onNews(({ camera }) => camera && showStatus(camera));
  if (document.getElementById("steps")) setUp();
}

/** Ask for picture after picture, and what was read in it, for as long as the page is seen. */
async function look() {
  let pause = PAUSE_MS;
  if (!document.hidden) {
    try {
      const [picture, overlay] = await Promise.all([fetch("/api/camera/picture"), fetch("/api/camera/overlay")]);
      if (picture.ok) await show(await picture.blob());
      if (overlay.ok) draw(await overlay.json());
      byId("picture").hidden = !picture.ok;
      if (!picture.ok) pause = TROUBLE_MS;
    } catch {
      pause = TROUBLE_MS;
    }
  }
  setTimeout(look, pause);
}

/** @param {Blob} blob */
async function show(blob) {
  const picture = byId("picture", HTMLImageElement);
  const address = URL.createObjectURL(blob);
  const old = picture.src;
  // Decoded before it is put in: the old picture stays until the new one can be seen.
  const next = new Image();
  next.src = address;
  await next.decode();
  picture.src = address;
  if (old) URL.revokeObjectURL(old);
}

/** @param {Overlay} overlay */
function draw({ width, height, grid, tiles }) {
  const over = byId("overlay", SVGSVGElement);
  set(over, { viewBox: `0 0 ${width} ${height}` });
  byId("eye").style.aspectRatio = `${width} / ${height}`;
  if (!over.firstChild) over.append(svg("g"), svg("g"), svg("g", { id: "tapped" }), svg("g"));
  const [lines, read, , places] = /** @type {SVGGElement[]} */ ([...over.children]);
  keyed(lines, grid.entries(), ([at]) => String(at), () => svg("polyline", { class: "grid-line" }),
    (node, [, points]) => set(node, { points: points.join(" ") }));
  keyed(read, tiles, (tile) => `${tile.owner}${tile.digit}`, () => svg("g", {}, svg("polygon"), svg("text")),
    (node, tile) => label(node, tile, width));
  read.style.display = lesson ? "none" : "";
  const { outlines = [], digits = [] } = lesson ?? {};
  const shown = outlines.map((polygon, at) => ({ polygon, digit: digits[at] }));
  keyed(places, shown, ({ digit }) => String(digit), () => svg("g", {}, svg("polygon", { class: "place" }), svg("text", { class: "read-name" })),
    (node, { polygon, digit }) => {
      const [outline, name] = node.children;
      set(outline, { points: polygon.join(" ") });
      set(name, { ...middleOf(polygon), "font-size": width / 26, text: digit });
    });
}

/** @param {Point[]} polygon */
const middleOf = (polygon) => {
  const [x, y] = /** @type {const} */ ([0, 1]).map((axis) => polygon.reduce((sum, point) => sum + point[axis], 0) / polygon.length);
  return { x, y };
};

/** @param {SVGElement} node @param {OverlayTile} tile @param {number} width of the picture */
function label(node, tile, width) {
  const [outline, name] = node.children;
  const second = tile.owner === SECOND ? " second" : "";
  set(outline, { points: tile.polygon.join(" "), class: `read${second}` });
  set(name, { ...middleOf(tile.polygon), class: "read-name", "font-size": width / 38,
    text: `${ownerLabel(tile.owner)} ${tile.digit} · ${percent(tile.confidence)}` });
}

/** @param {CameraState} camera the camera's status */
function showStatus(camera) {
  const sighting = current()?.sighting;
  const facts = sighting?.why === camera.why ? sighting.facts : {};
  const why = camera.unsure && camera.why ? sayWhole(`why.${camera.why}`, facts, say("web.eye-unsure")) : "";
  const source = [camera.source, camera.kind === "ok" ? say("web.fps", { fps: camera.fps.toFixed(1) }) : ""].filter(Boolean).join(" · ");
  const markers = camera.needs === "markers" ? say("web.markers-how") : "";
  set(byId("eye-line"), { text: [say(`web.eye-${camera.kind}-long`), markers || why, source].filter(Boolean).join("\n") });
  set(byId("nothing"), { text: say(`web.eye-${camera.kind}-long`) });
  for (const step of document.querySelectorAll("[data-step]")) set(step, { "data-next": step.getAttribute("data-step") === camera.needs });
  lock(camera.needs === "empty" || camera.needs === "markers");
  for (const [at, button] of document.querySelectorAll("#lessons > button").entries()) nameLesson(button, lessons[at], camera);
}

/**
 * What a lesson's button says: whose tiles, which digits, and whether they are learnt.
 * @param {Element} button @param {Lesson} lesson @param {CameraState | null} camera
 */
function nameLesson(button, { owner, digits }, camera) {
  const done = digits.every((digit) => (camera?.taught[owner] ?? []).includes(digit));
  set(button, { "data-done": done, text: `${done ? "✓ " : ""}${ownerLabel(owner)} ${span(digits)}` });
}

/** @param {boolean} locked whether the empty board must be shown before any tile can be learned */
function lock(locked) {
  const step = document.querySelector('[data-step="teach"]');
  if (!step) return;
  set(byId("teach-how"), { text: say(locked ? "web.step-locked" : "web.step-teach-how") });
  set(step, { "data-locked": locked });
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = step.querySelectorAll("button");
  for (const button of buttons) button.disabled = locked || (button.id === "teach" && !lesson);
  if (locked && lesson) choose(null);
}

/** @param {Lesson["digits"]} digits `1–6` for digits in a row, else each of them */
const span = (digits) => {
  const [first, last] = [digits[0], digits[digits.length - 1]];
  const inARow = typeof first === "number" && typeof last === "number" && last - first === digits.length - 1;
  return digits.length > 1 && inARow ? `${first}–${last}` : digits.join(" ");
};

/** What is to be shown: asked again when one is begun, since the camera may have been moved. */
async function learnLessons() {
  const answer = await fetch("/api/camera/lessons");
  if (answer.ok) lessons = await answer.json();
}

function setUp() {
  byId("remember").onclick = () => setStep("/api/camera/empty", {});
  byId("teach").onclick = async () => {
    if (lesson && await setStep("/api/camera/teach", { owner: lesson.owner, digits: lesson.digits })) choose(null);
  };
  listLessons();
  byId("corners").onclick = tapCorners;
}

async function listLessons() {
  await learnLessons();
  set(query(document, '[data-step="teach"]'), { hidden: !lessons.length });
  byId("lessons").replaceChildren(...lessons.map((each, at) => {
    const button = el("button", {
      type: "button", "aria-pressed": "false", onclick: () => choose(lesson === lessons[at] ? null : at),
    });
    nameLesson(button, each, null);
    return button;
  }));
  const answer = await fetch("/api/camera");
  if (answer.ok) showStatus(await answer.json());
}

/**
 * Show where the tiles of a lesson are to lie.
 * @param {number | null} at which lesson; null: show what was read again
 */
async function choose(at) {
  if (at !== null) await learnLessons();
  lesson = at === null ? null : lessons[at];
  for (const [n, button] of [...byId("lessons").children].entries()) set(button, { "aria-pressed": String(n === at) });
  byId("teach", HTMLButtonElement).disabled = !lesson;
  if (lesson && !lesson.outlines.length) toast(say("why.markers"), "refusal");
  if (lesson) byId("eye").scrollIntoView({ block: "nearest", behavior: "smooth" });
}

/** @param {string} path @param {object} body */
async function setStep(path, body) {
  /** @type {CameraState | null} */
  const camera = await send(path, body);
  if (!camera) return false;
  showStatus(camera);
  toast(say("web.done"));
  return true;
}

/** Four taps on the picture: top left first, then clockwise. */
function tapCorners() {
  const eye = byId("eye");
  const over = byId("overlay", SVGSVGElement);
  if (!over.viewBox.baseVal?.width) {
    toast(say("web.eye-starting-long"), "refusal");
    return;
  }
  /** @type {Point[]} */
  const points = [];
  const ask = () => set(byId("corners-how"), { text: say("web.tap-corner", { n: points.length + 1 }) });
  const end = () => {
    eye.classList.remove("tapping");
    eye.onpointerup = null;
    set(byId("corners-how"), { text: say("web.step-corners-how") });
    set(byId("corners"), { text: say("web.set-corners") });
    byId("tapped", SVGGElement).replaceChildren();
    byId("corners").onclick = tapCorners;
  };
  eye.classList.add("tapping");
  eye.scrollIntoView({ block: "nearest" });
  set(byId("corners"), { text: say("web.cancel") });
  byId("corners").onclick = end;
  ask();
  eye.onpointerup = async (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(over.getScreenCTM()?.inverse());
    points.push([Math.round(at.x * 10) / 10, Math.round(at.y * 10) / 10]);
    byId("tapped", SVGGElement).replaceChildren(
      svg("polygon", { class: "corner-line", points: points.join(" ") }),
      ...points.map(([x, y]) => svg("circle", { class: "corner", cx: x, cy: y, r: over.viewBox.baseVal.width / 110 })),
    );
    if (points.length < 4) ask();
    else {
      end();
      await setStep("/api/camera/corners", { corners_px: points });
    }
  };
}
