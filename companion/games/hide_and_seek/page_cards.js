/** Colours and cards as they look here: a pill for a colour, a small picture for what a card does. */

import { el, svg } from "/static/dom.js";
import { nameOf } from "/static/names.js";
import { signed } from "/static/numbers.js";
import { nameFor, say } from "/static/messages.js";

/** @import { Attributes } from "/static/dom.js" */
/** @import { Animal, CardKind } from "./page_types.js" */

/** @typedef {Animal["colours"][number]} Colour */

/** @type {Colour[]} */
export const COLOURS = ["grey", "white", "brown", "black", "yellow"];

/**
 * Drawn in a square of 24, one path for what a card does.
 * @type {Record<string, string>}
 */
const PATHS = {
  hide: "M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  food: "M3 12c3-5 9-6 13-2l5-3v10l-5-3c-4 4-10 3-13-2zM8 11v.5",
  candy: "M8 12a4 4 0 1 0 8 0 4 4 0 1 0-8 0zM8.5 10L3 7v10l5.5-3M15.5 10L21 7v10l-5.5-3",
  gear: "M8 3L3 7l2.5 4L7 10v11h10V10l1.5 1L21 7l-5-4c-1 2-7 2-8 0z",
  claw: "M6 3c-1 6-1 10 1 17M12 3c-.5 6-.5 11 0 18M18 3c1 6 1 10-1 17",
  paint: "M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z",
  dog: "M4 13V9a2 2 0 0 1 4 0V7a2 2 0 0 1 4 0v0a2 2 0 0 1 4 0v2a2 2 0 0 1 4 0v5a6 6 0 0 1-6 6h-4a6 6 0 0 1-6-7z",
  cat: "M4 14a7 7 0 1 0 14 0 7 7 0 1 0-14 0zM16 8l3-3M19 2v1.5M22 5h-1.5M21.5 2.5l-1 1",
  enemy: "M7 12V4h10v8M3 12h18M6 16c2 4 10 4 12 0M9 15v.5M15 15v.5",
};

/** @param {CardKind} kind a kind of card of the set */
export function icon(kind) {
  const name = (kind.does === "rocket" ? kind.species : null) ?? (kind.gear === "red-claw" ? "claw" : kind.does);
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "sign" }, svg("path", { d: PATHS[name] }));
}

const EARS = { cat: "M5 11L4 3l6 4h4l6-4-1 8", dog: "M7 6C3 5 2 8 3 13l3-1M17 6c4-1 5 2 4 7l-3-1M7 6c3-2 7-2 10 0" };
const HEAD = { cat: "M5 14V11L4 3l6 4h4l6-4-1 8v3c0 4-3 7-7 7s-7-3-7-7z", dog: "M5 14V11c0-7 14-7 14 0v3c0 4-3 7-7 7s-7-3-7-7z" };

/** A face in its coat, in halves where there are two colours: pointed ears for a cat, hanging ones for a dog. @param {Animal["species"]} species @param {string[]} colours */
function face(species, [left, right = left]) {
  return svg("svg", { viewBox: "0 0 24 24", role: "img", "aria-label": say(`name.${species}`), class: "face" },
    svg("path", { d: HEAD[species], class: `coat of-${left}` }), svg("path", { d: HEAD[species], class: `coat half of-${right}` }),
    svg("path", { d: `${EARS[species]}M5 11v3c0 4 3 7 7 7s7-3 7-7v-3` }), svg("path", { class: "eyes", d: "M9 13v1M15 13v1M12 16.5v.5" }));
}

/** An animal's own picture; without one, the face of its kind. @param {Animal} animal @param {string[]} [coat] */
export function portrait({ species, picture, colours }, coat = colours) {
  if (!picture) return face(species, coat);
  const image = el("img", { class: "portrait", src: `/own/pictures/${picture}.jpg`, alt: say(`name.${species}`) });
  // A match that came from another table may name a picture that only that one keeps.
  image.onerror = () => image.replaceWith(face(species, coat));
  return image;
}

/** A card that lies on an animal, small. @param {string} card @param {CardKind} kind @param {string} speed @param {boolean} isNew */
export const chip = (card, kind, speed, isNew) => el("span", { role: "img", "aria-label": `${nameOf(card)} ${speed}`, title: `${nameOf(card)} ${speed}`, class: `chip-card kind ${kind.colour ?? ""}${isNew ? " new" : ""}` }, icon(kind));

/** @param {string[]} colours several as one phrase */
export const colourNames = (colours) => colours.map(nameOf).join(" / ");

/**
 * A colour as a pill with its name in it, so that nothing hangs on seeing the colour.
 * @param {string} colour @param {boolean} [added] by a card
 */
export function pill(colour, added = false) {
  return el("span", { class: `pill ${colour}${added ? " added" : ""}`, text: say(`short.${colour}`) });
}

/** What stands below a card's picture: its colour, or what it adds to the speed. @param {CardKind} kind */
function below(kind) {
  if (kind.colour) return say(`short.${kind.colour}`);
  return kind.does === "rocket" && kind.species ? nameOf(kind.species) : signed(kind.speed);
}

/** How a card is named and looks. @param {string} card @param {CardKind} kind @returns {Attributes} */
function look(card, kind) {
  const name = nameFor(below(kind), [nameOf(card), below(kind), signed(kind.speed)].join(" "));
  return { "aria-label": name, class: `kind ${kind.does} ${kind.colour ?? ""}`, title: nameOf(card) };
}

/**
 * A card as a button of its own size.
 * @param {string} card @param {CardKind} kind @param {Attributes} attributes
 */
export function cardButton(card, kind, attributes) {
  return el("button", { type: "button", ...look(card, kind), ...attributes }, icon(kind), el("span", { text: below(kind) }));
}
