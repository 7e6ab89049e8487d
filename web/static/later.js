/** What a game's page loads after its first view: the sounds' switch, what keeps the screen on, stopping early. */

import { awake } from "./awake.js";
import { set } from "./dom.js";
import { heldDown } from "./held.js";
import { hints } from "./hint.js";
import { lastMoves, showMoves } from "./last_moves.js";
import { sounds, voice } from "./sounds.js";
import { stops } from "./stop.js";

/** @import { TableNow } from "./types.js" */

/** Where this phone keeps whether it sounds. */
const SOUNDS = "sounds";
const isLoud = () => localStorage.getItem(SOUNDS) === "on";

/**
 * What the page's own modules give: its news and its words.
 * @typedef {{onNews: (tell: (now: TableNow) => void) => void, label: (seat: string) => string, name: (seat: string) => string,
 *   say: (key: string, facts?: Record<string, string | number>) => string, send: (path: string, body: object) => unknown, toast: (sentence: string) => void}} Page
 */

/** @param {Page} page */
export function later({ onNews, ...words }) {
  const loud = document.getElementById("sounds");
  if (loud) {
    set(loud, { "aria-pressed": String(isLoud()) });
    loud.onclick = () => {
      localStorage.setItem(SOUNDS, isLoud() ? "off" : "on");
      set(loud, { "aria-pressed": String(isLoud()) });
    };
  }
  lastMoves(onNews, words.name);
  const undo = document.getElementById("undo");
  if (undo) heldDown(undo, showMoves);
  hints(words, words.toast);
  stops(onNews, words);
  awake(onNews);
  sounds(onNews, isLoud);
  /** @type {Promise<() => unknown> | null} */
  let sheet = null;
  const ask = () => (sheet ??= import("/static/ask.js").then((its) => its.questions(words.say))).then((open) => open()).catch(() => {});
  document.getElementById("ask")?.addEventListener("click", ask);
  addEventListener("keydown", ({ key }) => key === "F2" && void ask());
  /** @type {Promise<(now: TableNow) => void> | null} */
  let clock = null;
  onNews((now) => {
    if (now.timed) clock ??= import("/static/clock.js").then((its) => its.clock(words, (/** @type {string} */ text) => isLoud() && voice(text)));
    void clock?.then((tell) => tell(now)).catch(() => {});
  });
  set(document.documentElement, { "data-later": true });
}
