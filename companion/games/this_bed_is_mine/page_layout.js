/** What is laid out at the end, to be ticked off. It comes when it is asked for. */

import { el } from "/static/dom.js";
import { squareName } from "/static/names.js";
import { say } from "/static/messages.js";
import { face, paw } from "./page_bed.js";
import { OWNERS } from "./page_shapes.js";
import { bonusSaid, insteadSaid, toyIcon } from "./page_toys.js";

/** @import { Sheet } from "/static/sheet.js" */
/** @import { BedView, HandOutChips, LayMarker, NameWinners, Now, TakeToys } from "./page_types.js" */
/** @import { Tools } from "./page_sheets.js" */

const LOOKS = "looks-of-layout";
const LOOKS_AT = "/games/this-bed-is-mine/page_layout.css";

/** Where this phone keeps which steps are done; of another match nothing is kept. @param {number} match */
const ticksAt = (match) => `laid-out-${match}`;

/** The steps that are done, as they were then: one that a correction changed is done again. @param {number} match @returns {Set<string>} */
const ticked = (match) => new Set(JSON.parse(localStorage.getItem(ticksAt(match)) ?? "[]"));

/** @param {number} match @param {Set<string>} done */
function keepTicks(match, done) {
  for (const key of Object.keys(localStorage)) if (key.startsWith("laid-out-")) localStorage.removeItem(key);
  localStorage.setItem(ticksAt(match), JSON.stringify([...done]));
}

/**
 * What is laid out, as a list to tick off with the pieces in hand: the first that is open is shown on the bed.
 * @param {Now} now @param {Tools} tools @param {(sheet: Sheet) => void} openSheet the page's own
 */
export function layoutSheet({ match: { id, board } }, tools, openSheet) {
  if (!document.getElementById(LOOKS)) document.head.append(el("link", { id: LOOKS, rel: "stylesheet", href: LOOKS_AT, onload: showOpen }));
  const done = ticked(id);
  const steps = board.layout.map((step) => ({ step, key: JSON.stringify(step) }));
  const open = steps.find(({ key }) => !done.has(key))?.step;
  const region = open && "region" in open ? board.regions.find((each) => each.id === open.region) : null;
  if (region) tools.bed.choose(region.squares);
  tools.bed.point(open?.step === "marker" ? open.square : null);
  const said = say("bed.laid-out", { n: steps.filter(({ key }) => done.has(key)).length, of: steps.length });
  const tick = (/** @type {string} */ key) => () => {
    if (!done.delete(key)) done.add(key);
    keepTicks(id, done);
    tools.again();
  };
  openSheet({
    name: "layout",
    title: said,
    close: tools.close,
    body: [el("ul", { class: "steps" }, ...steps.map(({ step, key }) => el("li", {},
      el("label", { "data-open": step === open }, el("input", { type: "checkbox", checked: done.has(key), onchange: tick(key) }), el("span", { class: "step-said" }, ...stepSaid(step))))))],
  });
  if (region) tools.reveal(region.squares);
  showOpen();
}

/** Scroll to what is to be done next. */
const showOpen = () => document.querySelector(".steps [data-open]")?.scrollIntoView({ block: "nearest" });

/** @param {(Node | string)[]} inside */
const line = (...inside) => el("div", { class: "step-line" }, ...inside);
/** @param {string} text */
const large = (text) => el("p", { class: "said-large cap", text });

/** What is to be done in a step of the end. @param {BedView["layout"][number]} step */
function stepSaid(step) {
  switch (step.step) {
    case "instead": return [large(insteadSaid(step))];
    case "marker": return markerStep(step);
    case "toys": return toysStep(step);
    case "bonus": return [line(toyIcon(step.toy), large(bonusSaid(step)))];
    case "chips": return chipsStep(step);
    case "winner": return winnerStep(step);
    default: return [];
  }
}

/** @param {LayMarker} step */
function markerStep({ owner, square, points }) {
  return [line(paw(owner), large(say("layout.marker", { owner, square: squareName(square), points })))];
}

/** @param {TakeToys} step */
function toysStep({ owner, toys }) {
  return Object.entries(toys).map(([toy, number]) => line(toyIcon(toy), large(say("layout.toys", { owner, toy, number }))));
}

/** @param {HandOutChips} step */
function chipsStep({ owner, points, chips, short }) {
  const byValue = Object.entries(chips).sort(([one], [two]) => Number(two) - Number(one));
  const coins = byValue.flatMap(([value, number]) => Array.from({ length: number }, () => el("span", { class: `coin ${owner}`, text: value })));
  return [line(face(owner), large(say("layout.chips", { owner, points }))), el("div", { class: "coins" }, ...coins),
    ...(short ? [el("p", { class: "cap", text: say("layout.short", { short, owner }) })] : [])];
}

/** @param {NameWinners} step */
function winnerStep({ winners, reason }) {
  const faces = OWNERS.filter((owner) => !winners.length || winners.includes(owner));
  return [line(...faces.map(face), large(say(`outcome.${reason}`, { winner: winners[0] ?? "" })))];
}
