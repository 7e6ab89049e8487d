/** The animals on the table, and the sheet that says why: card by card, and who can be caught. */

import { el, keyed, redraw, set } from "/static/dom.js";
import { computerSaid, nameOf, seatName, signOf } from "/static/names.js";
import { signed as withSign } from "/static/signs.js";
import { signed } from "/static/numbers.js";
import { say } from "/static/messages.js";
import { chip, colourNames, COLOURS, icon, pill, portrait } from "./page_cards.js";

/** @import { AnimalView, CatchResult, Caught, Effect, HideView, Line, SeatView, Traits } from "./page_types.js" */

/** @param {CatchResult} verdict why an animal is safe, or by what it can be caught, in a sentence */
export function verdictSaid(verdict) {
  const { speed, against } = verdict;
  return say(verdict.why ? `safe.${verdict.why}` : "safe.caught", { colour: colourNames(verdict.colours), speed, against });
}

/** Speed before and after, as far as they differ. @param {number} before @param {number} speed */
function speeds(before, speed) {
  const node = el("span", { class: "speeds", "aria-label": say("hide.speed-of", { before, after: speed }) });
  if (before !== speed) node.append(el("span", { class: "before", text: `${before}→` }));
  node.append(el("strong", { text: speed }));
  return node;
}

/** A card that lies there, and what it does, in few words. @param {Effect} effect */
export function effectSaid(effect) {
  const colour = effect.colours.length === 5 ? nameOf("rainbow") : colourNames(effect.colours);
  return say(`note.${effect.note}`, { colour });
}

/**
 * The cards that lie on an animal.
 * @param {HideView} board @param {Pick<AnimalView, "animal" | "standing">} animal @param {(card: string) => boolean} isNew
 */
const chips = (board, { animal, standing }, isNew) => standing.effects.map((effect, index) =>
  chip(effect.card, board.set.cards[effect.card], signed(effect.speed), isNew(`${animal} ${index} ${effect.card}`)));

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
 * The card in hand, who lays it and what was said with it; the option of the slowest speed.
 * @typedef {{card: string, by: string, colour: string, faster: boolean | null, slowest: string}} Held
 */

/**
 * How an animal stands out, and what taps do.
 * @typedef {{mark: (animal: AnimalView) => string, tap: (animal: AnimalView) => void, held: Held | null,
 *   points: (seat: SeatView) => void}} Does
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
    const head = el("span", { class: "line" }, set(el("span", { class: "name" }), { ...withSign(signOf(seat.seat), board.seats.indexOf(seat)), text: seatName(seat.seat) }));
    if (seeker === seat.seat) head.append(el("span", { class: "badge", text: say("hide.seeks") }));
    head.append(el("span", { class: "in-hand", text: [computerSaid(seat.seat), say("hide.in-hand", { cards: seat.hand })].filter(Boolean).join(" · ") }));
    const gone = seat.animals.filter((name) => !board.animals.some((each) => each.animal === name));
    head.append(el("span", { class: "gone", text: gone.length ? say("hide.gone", { animals: gone.map(nameOf).join(", ") }) : "" }));
    const points = el("span", { class: "points" }, el("b", { text: seat.points }), ` ${say("hide.points", { points: seat.points })}`);
    const header = does ? el("button", { type: "button", class: "owner", onclick: () => does.points(seat) }, head, points) : el("div", { class: "owner" }, head, points);
    node.style.setProperty("--animals", String(seat.animals.length));
    redraw(node, el("h2", {}, header), ...board.animals.filter((each) => seat.animals.includes(each.animal)).map((animal) => row(animal, board, does, isNew)));
  });
}

/**
 * What a card in hand would do to an animal: its speed then, and the rest in few words.
 * @param {HideView} board @param {AnimalView} animal @param {Held} held
 */
function would(board, { animal, seat, seeks, standing: stand }, { card, by, colour, faster, slowest }) {
  const kind = board.set.cards[card];
  const of = COLOURS.filter((each) => kind.colour === each || (kind.colour === "rainbow" && (!colour || colour === each)));
  const wears = of.some((each) => stand.colours.includes(each));
  const notes = {
    hide: () => (wears && (board.brawl || !seeks) ? "hides" : board.brawl || seeks ? "catches" : "speed-only"),
    worn: () => (of.every((each) => stand.colours.includes(each)) ? "has-colour" : "adds-colour"),
    rocket: () => (board.set.animals[animal].species !== kind.species ? "no-effect" : faster ?? seat === by ? "faster" : "slower"),
    candy: () => (stand.effects.some(({ note }) => ["food", "waits", "faster"].includes(note)) ? "waits" : "faster"),
    food: () => "food",
    enemy: () => "no-effect",
  };
  const note = notes[kind.does === "gear" || kind.does === "paint" ? "worn" : kind.does]();
  const change = ["no-effect", "waits"].includes(note) ? 0 : note === "slower" ? -(kind.slows ?? Math.abs(kind.speed)) : kind.does === "rocket" ? Math.abs(kind.speed) : kind.speed;
  const speed = stand.speed_before + stand.effects.reduce((sum, effect) => sum + effect.speed, change);
  return { speed: slowest === "none" ? speed : Math.max(speed, Math.min(stand.speed_before, Number(slowest))), said: say(`note.${note}`, { colour: of.length === 5 ? nameOf("rainbow") : colourNames(of) }) };
}

/** An animal in a line of 48 px. @param {AnimalView} animal @param {HideView} board @param {Does | null} does @param {(card: string) => boolean} isNew */
function row(animal, board, does, isNew) {
  const { standing: stand } = animal;
  const mark = does?.mark(animal) ?? "";
  const held = mark === "target" && does?.held ? would(board, animal, does.held) : null;
  const [fate, kind] = held ? [held.said, "held"] : fateOf(board, animal);
  return el(mark ? "button" : "div", { class: `animal ${mark}${animal.seeks ? " seeks" : ""}${held ? " held" : ""}`, ...(mark ? { type: "button", onclick: () => does?.tap(animal) } : {}) },
    portrait(board.set.animals[animal.animal], stand.colours),
    el("span", { class: "line" }, el("span", { class: "name", text: nameOf(animal.animal) }), ...chips(board, animal, isNew)),
    el("span", { class: `verdict ${kind}`, text: fate }),
    held ? speeds(stand.speed, held.speed) : speeds(stand.speed_before, stand.speed));
}

/** How an animal fares, in few words; else its colours. @param {HideView} board @param {AnimalView} animal @returns {[string, string]} */
function fateOf(board, { standing: stand, verdict, seeks }) {
  if (verdict) return [verdictSaid(verdict), verdict.why || "caught"];
  if (seeks) return [seekerSaid(board, stand), "seeker"];
  if (board.brawl && stand.hides.length) return [say("safe.hides", { colour: colourNames(stand.hides) }), "hides"];
  return [colourNames(stand.colours), ""];
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
  section.hidden = !out;
  if (!out) return;
  const { card, standing } = out;
  const said = ends ? say(`brawl.${ends.why}`, { speed: ends.speed, against: ends.against }) : say("hide.enemy-out", { points: out.points + standing.food, seat: seatName(out.by) });
  redraw(section,
    el("button", { type: "button", class: `animal ${mark}`, onclick: mark ? tap : why },
      icon(board.set.cards[card]),
      el("span", { class: "line" }, el("span", { class: "name", text: nameOf(card) }), ...standing.colours.map((each) => pill(each, !standing.colours_before.includes(each))), ...chips(board, { animal: "enemy", standing }, () => false)),
      el("span", { class: "verdict", text: said }), speeds(standing.speed_before, standing.speed)));
}

/** What a line of the points is for. @param {Line} line */
export const lineSaid = (line) => say(`points.${line.what}`, { name: nameOf(line.name) });

/** Which round it is. @param {HideView} board */
export const roundOf = ({ round, rounds }) => say(rounds ? "hide.round-of" : "hide.round", { round, rounds });

/** The same, and who seeks in it. @param {HideView} board */
export function roundSaid(board) {
  const who = board.seeker ? say("hide.who-seeks", { seat: seatName(board.seeker) }) : "";
  return [roundOf(board), board.brawl ? say("hide.brawl") : who].filter(Boolean).join(" · ");
}

/** @param {Caught} each */
export const caughtSaid = (each) => say("hide.caught-by", { animal: each.animal, by: seatName(each.by), round: each.round });
