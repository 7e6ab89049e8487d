/** The animals on the table, and the sheet that says why: card by card, and who can be caught. */

import { el, keyed, redraw, set } from "/static/dom.js";
import { nameOf, seatName, showName } from "/static/names.js";
import { signed } from "/static/numbers.js";
import { say } from "/static/messages.js";
import { colourNames, pill, portrait } from "./page_cards.js";

/** @import { AnimalView, CatchResult, Caught, Effect, HideView, Line, SeatView, Traits } from "./page_types.js" */
/** @import { Colour } from "./page_cards.js" */

/** @param {CatchResult} verdict why an animal is safe, or by what it can be caught, in a sentence */
export function verdictSaid(verdict) {
  const { speed, against } = verdict;
  return say(verdict.why ? `safe.${verdict.why}` : "safe.caught", { colour: colourNames(verdict.colours), speed, against });
}

/** Speed before and after, as far as they differ. @param {Traits} stand */
function speeds({ speed_before: before, speed }) {
  const node = el("span", { class: "speeds", "aria-label": say("hide.speed-of", { before, after: speed }) });
  if (before !== speed) node.append(el("span", { class: "before", text: before }), el("span", { text: "→" }));
  node.append(el("strong", { class: speed > before ? "up" : speed < before ? "down" : "", text: speed }));
  return node;
}

/** Each colour as a pill. @param {Traits} stand */
function colours(stand) {
  const added = (/** @type {Colour} */ colour) => !stand.colours_before.includes(colour);
  return stand.colours.map((colour) => pill(colour, added(colour)));
}

/** A card that lies there, and what it does, in few words. @param {Effect} effect */
export function effectSaid(effect) {
  const colour = effect.colours.length === 5 ? nameOf("rainbow") : colourNames(effect.colours);
  return say(`note.${effect.note}`, { colour });
}

/**
 * The cards that lie on an animal, the newest first: what finds no room is said by its account.
 * @param {Pick<AnimalView, "animal" | "standing">} animal @param {(card: string) => boolean} isNew
 */
function chips({ animal, standing }, isNew) {
  return standing.effects.map((effect, index) =>
    el("span", { class: `chip-card ${effect.note}${isNew(`${animal} ${index} ${effect.card}`) ? " new" : ""}` }, `${nameOf(effect.card)} `, el("b", { text: effect.speed ? signed(effect.speed) : "±0" }))).reverse();
}

/** How long a card that was turned up is seen to come, in ms. */
const COMES_MS = 500;

/**
 * The cards that lay there at the last news, when these came, and those that came with them.
 * @type {WeakMap<HTMLElement, {board: HideView, lay: Set<string>, came: Set<string>, at: number}>}
 */
const lying = new WeakMap();

/** Says of a card whether it was turned up just now. @param {HTMLElement} parent @param {HideView} board */
function newCards(parent, board) {
  const before = lying.get(parent);
  if (before?.board !== board) {
    const lay = new Set(board.animals.flatMap(({ animal, standing }) => standing.effects.map(({ card }, index) => `${animal} ${index} ${card}`)));
    const came = new Set([...lay].filter((card) => before && !before.lay.has(card)));
    lying.set(parent, { board, lay, came, at: performance.now() });
  }
  const { came, at } = lying.get(parent) ?? { came: new Set(), at: 0 };
  return (/** @type {string} */ card) => came.has(card) && performance.now() - at < COMES_MS;
}

/**
 * How an animal stands out, and what taps do.
 * @typedef {{mark: (animal: AnimalView) => string, tap: (animal: AnimalView) => void,
 *   points: (seat: SeatView) => void, why: (animal: AnimalView) => void, byTable: (seat: string) => boolean}} Does
 */

/**
 * A player's animals; where taps do nothing there are no buttons.
 * @param {HTMLElement} parent @param {HideView} board @param {Does | null} does
 */
export function players(parent, board, does) {
  const seeker = board.phase === "over" ? "" : board.seeker;
  const isNew = newCards(parent, board);
  keyed(parent, board.seats, (seat) => seat.seat, () => el("section", { class: "player", role: "group" }), (node, seat) => {
    set(node, { class: `player${seeker === seat.seat ? " seeks" : ""}${board.outcome?.winners.includes(seat.seat) ? " won" : ""}`, "aria-label": seatName(seat.seat) });
    const head = el("h2", {}, showName(el("span", { class: "name" }), seat.seat));
    if (seeker === seat.seat) head.append(el("span", { class: "badge", text: say("hide.seeks") }));
    if (does?.byTable(seat.seat)) head.append(el("span", { class: "in-hand", text: say("hide.the-table") }));
    head.append(el("span", { class: "in-hand", text: say("hide.in-hand", { cards: seat.hand }) }));
    redraw(node, el("header", {}, head, pointsOf(seat, does)), ...seat.animals.map((name) => place(name, board, does, isNew)));
  });
}

/** @param {SeatView} seat @param {Does | null} does */
function pointsOf(seat, does) {
  const said = [el("b", { text: seat.points }), ` ${say("hide.points", { points: seat.points })}`];
  if (!does) return el("span", { class: "points" }, ...said);
  return el("button", { type: "button", class: "points", onclick: () => does.points(seat) }, ...said, el("span", { class: "unseen", text: say("hide.points-why") }));
}

/** An animal has its place as long as the match lasts: nothing moves up when it is caught. @param {string} name @param {HideView} board @param {Does | null} does @param {(card: string) => boolean} isNew */
function place(name, board, does, isNew) {
  const animal = board.animals.find((each) => each.animal === name);
  return animal ? row(animal, board, does, isNew) : gone(name, board);
}

/** An animal that was caught. @param {string} name @param {HideView} board */
function gone(name, board) {
  const caught = board.caught.find((each) => each.animal === name);
  return el("div", { class: "animal gone" }, caught ? caughtSaid(caught) : nameOf(name));
}

/** @param {AnimalView} animal @param {HideView} board @param {Does | null} does @param {(card: string) => boolean} isNew */
function row(animal, board, does, isNew) {
  const { standing: stand, verdict } = animal;
  const name = `animal ${does?.mark(animal) ?? ""}${animal.seeks ? " seeks" : ""}`;
  const lines = [
    el("span", { class: "line" }, portrait(board.set.animals[animal.animal]), el("span", { class: "name", text: nameOf(animal.animal) }), speeds(stand)),
    el("span", { class: "marks" }, ...colours(stand), ...chips(animal, isNew)),
  ];
  if (verdict) lines.push(el("span", { class: `verdict ${verdict.why || "caught"}`, text: verdictSaid(verdict) }));
  else if (animal.seeks) lines.push(el("span", { class: "verdict seeker", text: seekerSaid(board, stand) }));
  else if (board.brawl && stand.hides.length) lines.push(el("span", { class: "verdict", text: say("safe.hides", { colour: colourNames(stand.hides) }) }));
  if (!does) return el("div", { class: name }, ...lines);
  const main = el("button", { type: "button", class: name, onclick: () => does.tap(animal) }, ...lines);
  const why = el("button", { type: "button", class: "icon why", "aria-label": say("hide.why-of", { animal: animal.animal }), onclick: () => does.why(animal), text: "?" });
  return el("div", { class: "row-animal" }, main, why);
}

/** @param {HideView} board @param {Traits} stand */
function seekerSaid(board, stand) {
  if (board.brawl) return say("hide.seeks-now");
  return stand.catches.length ? say("hide.catches-by", { colour: colourNames(stand.catches) }) : say("hide.catches-by-none");
}

/**
 * What an animal or the enemy is before, what each card does, and what comes of it.
 * @param {Traits} stand @param {CatchResult | null} verdict
 */
export function account(stand, verdict) {
  const list = [el("li", {}, el("span", { text: say("hide.by-itself") }), el("span", { class: "pills" }, ...stand.colours_before.map((each) => pill(each))), el("b", { text: stand.speed_before }))];
  for (const effect of stand.effects) {
    list.push(el("li", {}, el("span", {}, nameOf(effect.card), el("small", { text: ` ${effectSaid(effect)} · ${say("hide.laid-by", { seat: effect.by })}` })), el("b", { text: signed(effect.speed) })));
  }
  const sum = stand.speed_before + stand.effects.reduce((all, effect) => all + effect.speed, 0);
  if (sum !== stand.speed) list.push(el("li", {}, el("span", { text: say("hide.no-slower") }), el("b", { text: signed(stand.speed - sum) })));
  list.push(el("li", { class: "sum" }, el("span", { text: say("hide.now") }), el("span", { class: "pills" }, ...stand.colours.map((each) => pill(each))), el("b", { text: stand.speed })));
  /** @type {HTMLElement[]} */
  const nodes = [el("ul", { class: "account" }, ...list)];
  if (verdict) nodes.push(el("p", { text: verdictSaid(verdict) }));
  return nodes;
}

/**
 * The enemy at large: how it stands, and how the brawl would end.
 * @param {HTMLElement} section @param {HideView} board
 * @param {{mark: string, tap: () => void, why: () => void}} does
 */
export function enemy(section, board, { mark, tap, why }) {
  const { enemy: out, ends } = board;
  section.hidden = !out || board.phase === "over";
  if (!out || section.hidden) return;
  const lines = [
    el("span", { class: "line" }, el("span", { class: "name", text: nameOf(out.card) }), speeds(out.standing)),
    el("span", { class: "marks" }, ...colours(out.standing), ...chips({ animal: "enemy", standing: out.standing }, () => false)),
  ];
  lines.push(el("span", { class: "verdict", text: ends ? say(`brawl.${ends.why}`, { speed: ends.speed, against: ends.against }) : say("hide.enemy-out", { points: out.points + out.standing.food, seat: seatName(out.by) }) }));
  redraw(section,
    el("h2", { text: say("hide.enemy") }),
    el("div", { class: "row-animal" },
      el("button", { type: "button", class: `animal ${mark}`, onclick: tap }, ...lines),
      el("button", { type: "button", class: "icon why", "aria-label": say("hide.why-of", { animal: nameOf(out.card) }), onclick: why, text: "?" })));
}

/** What a line of the points is for. @param {Line} line */
export const lineSaid = (line) => say(`points.${line.what}`, { name: nameOf(line.name) });

/** Which round it is, and who seeks in it. @param {HideView} board */
export function roundSaid(board) {
  const round = say(board.rounds ? "hide.round-of" : "hide.round", { round: board.round, rounds: board.rounds });
  const who = board.seeker ? say("hide.who-seeks", { seat: seatName(board.seeker) }) : "";
  return [round, board.brawl ? say("hide.brawl") : who].filter(Boolean).join(" · ");
}

/** @param {Caught} each */
export const caughtSaid = (each) => say("hide.caught-by", { animal: each.animal, by: seatName(each.by), round: each.round });
