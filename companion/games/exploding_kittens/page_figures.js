/** What is drawn of cards and chances, for the page and for the big screen: signs, figures, columns. */

import { el, svg } from "/static/dom.js";
import { nameOf, seatName } from "/static/names.js";
import { percent, percentNumber } from "/static/numbers.js";
import { say } from "/static/messages.js";

/** @import { Chance, LastView } from "./page_types.js" */

/**
 * Signs for kinds of cards, one path each on a field of 24 × 24.
 * @type {Record<string, string>}
 */
const SIGNS = {
  kitten: "M4 20V8l-1-5 5 3h8l5-3-1 5v12zM8 12l2 2m0-2-2 2m6-2 2 2m0-2-2 2M10 17h4",
  defuse: "M6 4l6 8 6-8M9 20a3 3 0 1 1 0-.1M12 12l3 6M15 20a3 3 0 1 0 6 0 3 3 0 0 0-6 0M12 12l-3 6",
  attack: "M13 2 5 14h6l-1 8 9-12h-6z",
  shuffle: "M3 7h4l9 10h5M3 17h4l3-3M14 10l2-3h5M18 4l3 3-3 3M18 14l3 3-3 3",
  skip: "M4 5l9 7-9 7zM14 5v14M19 5v14",
  future: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
  nope: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM6 6l12 12",
};

/** The sign of a kind; a cat has its letter. @param {string} card */
export function mark(card) {
  const path = SIGNS[card];
  if (!path) return el("b", { class: "mark", "aria-hidden": "true", text: card.replace("cat-", "").toUpperCase() });
  return svg("svg", { class: `mark ${card}`, viewBox: "0 0 24 24", width: 22, height: 22, "aria-hidden": "true" },
    svg("path", { d: path, fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" }));
}

/** A chance as a number from 0 to 1, from its fraction: "3/22", "0". @param {Chance} chance */
export function chanceOf({ exact }) {
  const [part, of = 1] = exact.split("/").map(Number);
  return part / of;
}

/** @param {Chance | null | undefined} chance in percent; a dash where there is none */
export const chanceSaid = (chance) => (chance ? percent(chanceOf(chance)) : "–");

/** @param {Chance | null} chance in percent, for a sentence that writes the sign itself */
export const percentOf = (chance) => (chance ? percentNumber(chanceOf(chance)) : "–");

/**
 * A large number with its name; with `onclick` it is a button.
 * @param {string} kind @param {string} value @param {string} name @param {(() => void) | null} onclick
 */
export function figure(kind, value, name, onclick) {
  return box(`figure ${kind}`, onclick, el("b", { text: value }), el("span", { text: name }));
}

/**
 * One of the next n cards is a kitten: a column as high as the chance; with `onclick` it is a button.
 * @param {Chance} chance @param {number} n @param {(() => void) | null} onclick
 */
export function step(chance, n, onclick) {
  const bar = el("span", { class: "bar-fill" });
  bar.style.height = `${100 * chanceOf(chance)}%`;
  return box("step", onclick, el("span", { class: "unseen", text: say("boom.short-kitten") }),
    el("span", { class: "bar-box" }, bar), el("b", { text: chanceSaid(chance) }), el("span", { class: "quiet", text: say("boom.next-n", { count: n }) }));
}

/** @param {string} name @param {(() => void) | null} onclick @param {Node[]} inside */
function box(name, onclick, ...inside) {
  return onclick ? el("button", { type: "button", class: name, onclick }, ...inside) : el("div", { class: name }, ...inside);
}

/** What was done last on the table, and whether it was stopped. @param {LastView} last */
export function lastSaid({ deed, works }) {
  const facts = { seat: seatName(deed.seat), card: nameOf(deed.card || "kitten"), target: seatName(deed.target ?? ""), named: deed.named ? nameOf(deed.named) : "" };
  const nopes = deed.nopes?.length ?? 0;
  return say(`boom.did-${deed.what}`, facts) + (nopes ? ` · ${say(works ? "boom.noped-back" : "boom.noped", { count: nopes })}` : "");
}
