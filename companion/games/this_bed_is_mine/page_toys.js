/** Toys and what they bring, in pictures and in words. */

import { svg } from "/static/dom.js";
import { nameOf } from "/static/names.js";
import { say } from "/static/messages.js";
import { toyPicture } from "./page_bed.js";

/** @import { CompareToys, Shortage } from "./page_types.js" */

/** @param {string} kind */
export function toyIcon(kind) {
  return svg("svg", { viewBox: "-.5 -.5 1 1", class: "toy-icon", role: "img", "aria-label": nameOf(kind) }, svg("g", { class: `toy ${kind}` }, ...toyPicture(kind)));
}

/** Who gets the points for more toys of a kind, or that nobody does. @param {Omit<CompareToys, "step">} compared */
export function bonusSaid({ toy, cat, dog, points, owner }) {
  return say(owner ? "layout.bonus" : "layout.no-bonus", { toy, cat, dog, points, owner: owner ?? "" });
}

/** What to take where the box has too few pieces of a kind. @param {Shortage} short */
export const insteadSaid = ({ what, need, there, short, instead }) => say(`layout.${instead}`, { toy: what, need, there, short });
