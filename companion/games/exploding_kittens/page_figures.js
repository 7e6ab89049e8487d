/** Cards and chances, for the page and for the big screen. */

import { el, svg } from "/static/dom.js";
import { nameOf, seatName } from "/static/names.js";
import { percent, percentNumber } from "/static/numbers.js";
import { known, say } from "/static/messages.js";

/** @import { Chance, LastView } from "./page_types.js" */

const DRAWN = ["kitten", "defuse", "attack", "skip", "shuffle", "future", "nope", "alike", "hidden"];

/** The picture of a kind; any other is a cat, in a coat of its own. @param {string} card @param {number} [px] */
export function mark(card, px = 24) {
  const href = `/games/exploding-kittens/page_cards.svg#${DRAWN.includes(card) ? card : "cat"}`;
  return svg("svg", { class: `mark ${card}`, viewBox: "0 0 48 48", width: px, height: px, "aria-hidden": "true" }, svg("use", { href }));
}

/** A kind in few letters; a kind of cats of a table's own deck has only its name. @param {string} card */
export const shortName = (card) => (known(`boom.short-${card}`) ? say(`boom.short-${card}`) : nameOf(card));

/** A chance as a number from 0 to 1, from its fraction: "3/22", "0". @param {Chance} chance */
export function chanceOf({ exact }) {
  const [part, of = 1] = exact.split("/").map(Number);
  return part / of;
}

/** @param {Chance | null | undefined} chance in percent; a dash where there is none */
export const chanceSaid = (chance) => (chance ? percent(chanceOf(chance)) : "–");

/** @param {Chance | null} chance in percent, for a sentence that writes the sign itself */
export const percentOf = (chance) => (chance ? percentNumber(chanceOf(chance)) : "–");

/** One of the next n cards is a kitten: a column as high as the chance. @param {Chance} chance @param {number} n */
export function step(chance, n) {
  const fill = el("span", { class: "fill" });
  fill.style.height = `${100 * chanceOf(chance)}%`;
  return el("div", { class: "step" }, el("span", { class: "box" }, fill), el("b", { text: chanceSaid(chance) }), el("span", { class: "quiet", text: n === 1 ? say("boom.cards", { cards: n }) : n }));
}

/** What was done last on the table, and whether it was stopped. @param {LastView} last */
export function lastSaid({ deed, works }) {
  const nopes = deed.nopes?.length ?? 0;
  return doneSaid(deed) + (nopes ? ` · ${say(works ? "boom.noped-back" : "boom.noped", { count: nopes })}` : "");
}

/** @param {LastView["deed"]} deed */
export function doneSaid(deed) {
  const facts = { seat: seatName(deed.seat), card: nameOf(deed.card || "kitten"), target: seatName(deed.target ?? ""), named: deed.named ? nameOf(deed.named) : "" };
  return say(`boom.did-${deed.what}`, facts);
}
