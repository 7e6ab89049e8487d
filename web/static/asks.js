/** What the camera asks, and what it saw that breaks a rule: the same two sheets in every game. */

import { answer } from "./act.js";
import { el } from "./dom.js";
import { current } from "./live.js";
import { closeSheet, openSheet, sheetName } from "./sheet.js";
import { known, say } from "./messages.js";

/** @import { AnyGame, Guess, SightingView, TableNow } from "./types.js" */

/** @typedef {Record<string, string | number>} Facts */

/** The sighting that the person put aside. */
let aside = 0;

/** Put aside what the camera asks or says now; the sheet goes. */
export function putAside() {
  aside = current()?.sighting?.id ?? 0;
  closeSheet();
}

/** Ask again what was put aside. */
export function askAgain() {
  aside = 0;
}

/** @param {SightingView | null} sighting whether it asks a person, or says that a rule is broken */
const wantsPerson = (sighting) => sighting?.verdict === "ask" || sighting?.verdict === "breaks";

/** @param {SightingView | null} sighting whether it wants a person, and was put aside */
export const isAside = (sighting) => wantsPerson(sighting) && sighting?.id === aside;

/**
 * The sheet's name for what stands open; empty when nothing does, or it was put aside.
 * @param {SightingView | null} sighting
 */
export const askedName = (sighting) => (sighting && wantsPerson(sighting) && sighting.id !== aside ? `seen-${sighting.id}` : "");

/**
 * What the camera waits for, in words; empty while it does not wait.
 * @param {SightingView | null} sighting
 * @param {string} otherwise the sentence's key where the reason has none
 */
export function waitSaid(sighting, otherwise) {
  if (sighting?.verdict !== "wait") return "";
  const why = `why.${sighting.why}`;
  return known(why) ? say(why, sighting.facts) : say(otherwise);
}

/**
 * What a page says of its own in the two sheets.
 * @template {AnyGame} G
 * @typedef {object} Question
 * @property {string} unclear the question's key, where the sighting has no reason of its own
 * @property {string} breaks the title's key where a rule is broken
 * @property {string} [one] the question where there is one answer
 * @property {(guess: Guess<G>, n: number) => {label?: string, inside: Node[]}} guess what stands on its button
 * @property {number} [most] how many guesses are offered; all, if it is not said
 * @property {() => void} [close] what puts the question aside
 * @property {Facts} [facts] those of the sighting, in words
 * @property {Node[]} [more] what stands below the guesses, in place of "none of these"
 */

/**
 * Show what the camera asks, or the rule that is broken; false where nothing is to be shown.
 * @template {AnyGame} G
 * @param {TableNow<G>} now
 * @param {Question<G>} what
 */
export function sightingSheet(now, what) {
  const { sighting } = now;
  if (!sighting || !askedName(sighting)) return false;
  if (sighting.verdict === "breaks") breaksSheet(sighting, what);
  else askSheet(sighting, Boolean(now.camera), what);
  return true;
}

/**
 * Ask: what the camera saw, and what it may have been, each a tap. A question that is open already stays.
 * @template {AnyGame} G
 * @param {SightingView<G>} sighting
 * @param {boolean} watched whether a camera is there, to show a part of its picture
 * @param {Question<G>} what
 */
function askSheet(sighting, watched, { unclear, one, guess, most, close = putAside, more = [noneOfThese(close)] }) {
  const name = askedName(sighting);
  if (sheetName() === name) return;
  const why = `why.${sighting.why}`;
  const crop = watched ? el("img", { class: "crop", alt: say("web.crop"), src: `/api/camera/crop?sighting=${sighting.id}` }) : null;
  if (crop) crop.onerror = () => crop.remove();
  const isOne = Boolean(one) && sighting.guesses.length === 1;
  const title = isOne && one && sighting.why !== "not-kept" ? one : say(known(why) ? why : unclear, sighting.facts);
  const choices = sighting.guesses.slice(0, most).map((each, n) => {
    const { label, inside } = guess(each, n);
    return el("button", { type: "button", class: isOne ? "main" : null, "aria-label": label, onclick: () => answer(sighting.id, n) }, ...inside);
  });
  const body = el("div", { class: "stack" }, crop, el("div", { class: "answers", role: "group", "aria-labelledby": "sheet-title" }, ...choices), ...more);
  openSheet({ name, title, close, kind: "ask", body: [body] });
}

/** @param {() => void} close puts the question aside: what was done is tapped by hand */
const noneOfThese = (close) => el("button", { type: "button", onclick: close, text: say("web.none-of-these") });

/**
 * Say which rule is broken.
 * @template {AnyGame} G
 * @param {SightingView<G>} sighting
 * @param {Question<G>} what
 */
function breaksSheet(sighting, { breaks, close = putAside, facts = sighting.facts }) {
  const rule = `rule.${sighting.rule}`;
  const body = el("div", { class: "stack", role: "alert" },
    el("p", { class: "said-large cap", text: known(rule) ? say(rule, facts) : sighting.rule }), el("p", { text: say("web.breaks-how") }));
  openSheet({ name: `seen-${sighting.id}`, title: say(breaks), close, kind: "warn", body: [body] });
}
