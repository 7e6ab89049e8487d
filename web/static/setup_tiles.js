/** The tiles, one lesson at a time: each is taken by itself once all of its tiles lie right. */

import { post } from "./act.js";
import { byId, el, keyed, redraw, set } from "./dom.js";
import { current } from "./live.js";
import { capital, say } from "./messages.js";
import { nameOf } from "./names.js";
import { toast } from "./toast.js";

/** @import { CameraState, LearntTile, Lesson, LessonCheck, TileCheck } from "./types.js" */
/** @typedef {Pick<Lesson, "owner" | "digits">} Group */
/** @typedef {{points: [number, number][], kind: string, name: string}} Line drawn over the picture */

const LOOKS = 2; // how often in a row all tiles must lie right

/** @type {Lesson[]} */
let lessons = [];
/** @type {Group | null} */
let lesson = null; // the one that is being shown
/** @type {LessonCheck | null} */
let check = null;
let looksRight = 0;
let isAsked = false; // whether the lessons of this match were asked for

/** Let the buttons of the step begin lessons. */
export function setUpTiles() {
  byId("teach").onclick = teach;
  byId("learnt").addEventListener("toggle", showLearnt);
  listLessons();
}

/** What the chosen lesson needs on the table; null if none is chosen. */
export const chosenLesson = () => lesson ?? lessons.find((each) => !isKnown(each)) ?? lessons[0] ?? null;

/** @param {Group} group */
const isKnown = ({ owner, digits }) => digits.every((digit) => (current()?.camera?.taught[owner] ?? []).includes(digit));

/** Whether every tile was learnt; a game without tiles has none to learn. */
export const known = () => isAsked && lessons.every(isKnown);

async function listLessons() {
  const answer = await fetch("/api/camera/lessons");
  if (!answer.ok) return;
  lessons = await answer.json();
  isAsked = true;
  byId("step-tiles").hidden = !lessons.length;
  redraw(byId("lessons"), ...lessons.map((each) =>
    el("button", { type: "button", "aria-pressed": "false", onclick: () => choose(lesson === each ? null : each) })));
  const camera = current()?.camera;
  if (camera) showTiles(camera);
}

/**
 * Say of each group whether it is learnt.
 * @param {CameraState} camera
 */
export function showTiles(camera) {
  for (const [at, button] of [...byId("lessons").children].entries()) {
    const group = lessons[at];
    const isDone = group.digits.every((digit) => (camera.taught[group.owner] ?? []).includes(digit));
    set(button, { "data-done": isDone, "aria-pressed": String(lesson === group), text: `${isDone ? "✓ " : ""}${nameOfGroup(group)}` });
  }
  byId("learnt").hidden = !Object.values(camera.taught).some((kinds) => kinds.length);
}

/** @param {Group} group */
const nameOfGroup = ({ owner, digits }) => `${capital(nameOf(owner))} ${span(digits)}`;

/** @param {Lesson["digits"]} digits `1–6` for digits in a row, else each of them */
const span = (digits) => {
  const [first, last] = [digits[0], digits[digits.length - 1]];
  const inARow = typeof first === "number" && typeof last === "number" && last - first === digits.length - 1;
  return digits.length > 1 && inARow ? `${first}–${last}` : digits.join(" ");
};

/** @param {Group | null} group */
function choose(group) {
  lesson = group;
  check = null;
  looksRight = 0;
  set(byId("teach"), { disabled: true });
  const camera = current()?.camera;
  if (camera) showTiles(camera);
}

/**
 * Look whether the tiles of the lesson lie right; learn them once they do.
 * @param {boolean} emptyShown whether there is an empty board to compare with
 */
export async function lookAtTiles(emptyShown) {
  if (!emptyShown && lesson) choose(null);
  for (const button of byId("lessons").children) set(button, { disabled: !emptyShown });
  check = lesson && emptyShown ? await post("/api/camera/check/lesson", { owner: lesson.owner, digits: lesson.digits }) : null;
  const isRight = Boolean(check) && !check?.hindrance && !check?.things.length && Boolean(check?.tiles.every(({ state }) => state === "right"));
  looksRight = isRight ? looksRight + 1 : 0;
  const lieElsewhere = !check || Boolean(check.hindrance) || check.things.length > 0 || check.tiles.some(({ state }) => state === "beside");
  set(byId("teach"), { disabled: lieElsewhere, text: say(isRight || lieElsewhere ? "setup.tiles-now" : "setup.tiles-anyway") });
  set(byId("tiles-said"), { text: tilesSaid(emptyShown), "data-kind": isRight || (!lesson && known()) ? "good" : "wait" });
  if (looksRight >= LOOKS) await teach();
}

/** @param {boolean} emptyShown */
function tilesSaid(emptyShown) {
  if (!emptyShown) return say("setup.tiles-first");
  if (!lesson) return say(known() ? "setup.tiles-known" : "setup.tiles-choose");
  if (!check) return "";
  if (check.hindrance) return say(`setup.empty-${check.hindrance}`);
  const missing = named(check.tiles, "missing");
  const beside = named(check.tiles, "beside");
  return [
    missing && say("setup.tiles-missing", { tiles: missing }),
    beside && say("setup.tiles-beside", { tiles: beside }),
    check.things.length ? say("setup.tiles-things") : "",
  ].filter(Boolean).join(" ") || say("setup.tiles-ready");
}

/** @param {TileCheck[]} tiles @param {TileCheck["state"]} state */
const named = (tiles, state) => tiles.filter((each) => each.state === state).map(({ digit }) => digit).join(", ");

/** Learn the tiles of the lesson, and go on to the next one that is not known. */
async function teach() {
  if (!lesson) return;
  looksRight = 0;
  const { owner, digits } = lesson;
  /** @type {CameraState | null} */
  const camera = await post("/api/camera/teach", { owner, digits });
  if (!camera) return;
  toast(`✓ ${nameOfGroup({ owner, digits })}`);
  const isTaught = (/** @type {Group} */ group) => group.digits.every((digit) => (camera.taught[group.owner] ?? []).includes(digit));
  choose(lessons.find((each) => !isTaught(each)) ?? null);
  showTiles(camera);
  await showLearnt();
}

/** Where the tiles of the lesson are to lie, and what lies elsewhere. @returns {Line[]} */
export function tileLines() {
  const tiles = (check?.tiles ?? []).filter(({ outline }) => outline.length)
    .map(({ outline, state, digit }) => ({ points: [...outline, outline[0]], kind: `place ${state}`, name: String(digit) }));
  const things = (check?.things ?? []).map((outline) => ({ points: [...outline, outline[0]], kind: "place thing", name: "" }));
  return [...tiles, ...things];
}

/** The tiles as they were learnt; a tap on one shows it again alone. */
async function showLearnt() {
  if (!byId("learnt", HTMLDetailsElement).open) return;
  const answer = await fetch("/api/camera/learnt");
  if (!answer.ok) return;
  /** @type {LearntTile[]} */
  const learnt = await answer.json();
  keyed(byId("learnt-tiles"), learnt, ({ owner, digit }) => `${owner} ${digit}`,
    () => el("button", { type: "button" }, el("img", { alt: "" }), el("span")),
    (node, { owner, digit, picture }) => {
      const [image, name] = node.children;
      set(image, { src: picture });
      set(name, { text: nameOfGroup({ owner, digits: [digit] }) });
      set(node, { onclick: () => {
        choose({ owner, digits: [digit] });
        byId("tiles-said").scrollIntoView({ block: "nearest" });
      } });
    });
}
