/** What rises above the tray: why a chance is what it is, two or three alike, one's own hand, what was seen. */

import { play } from "/static/act.js";
import { el, redraw } from "/static/dom.js";
import { shown } from "/static/live.js";
import { nameOf, seatName } from "/static/names.js";
import { closeSheet, measure, openSheet } from "/static/sheet.js";
import { known, nameFor, say } from "/static/messages.js";
import { chanceSaid, mark, percentOf } from "./page_figures.js";

/** @import { Attributes } from "/static/dom.js" */
/** @import { Ask, Chance, Effect, KindOdds, KittensView, Risk, SeatView, Sight } from "./page_types.js" */

/** What two or three alike are played as, as far as it is chosen. @typedef {{move?: "pair" | "three", card?: string, target?: string, named?: string}} Alike */

/**
 * A button with a word and, of a kind of card, its sign.
 * @param {string} word @param {() => unknown} onclick @param {string} [card] @param {Attributes} [more]
 */
export function button(word, onclick, card = "", more = {}) {
  return el("button", { type: "button", onclick, ...more }, ...(card ? [mark(card)] : []), el("span", { text: say(word, { card: card ? nameOf(card) : "" }) }));
}

/** @param {string} text @param {string | null} [kind] */
const line = (text, kind = null) => el("p", { class: kind, text });
/** @param {Chance} chance */
const exact = (chance) => (chance.exact === "0" || chance.exact === "1" ? chanceSaid(chance) : `${chance.exact} ≈ ${chanceSaid(chance)}`);

/** @param {[string, string | number][]} rows */
function pairs(rows) {
  return el("dl", { class: "pairs" }, ...rows.flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: value })]));
}

/** @param {string} name @param {string} title @param {Node[]} body @param {string} [kind] */
function show(name, title, body, kind = "") {
  openSheet({ name, title, body, close: closeSheet, kind, focus: true });
}

/* Why */

/** @param {KittensView} board */
function facts({ odds }) {
  const said = odds.facts.map((fact) => say(`fact.${fact.name}`, { seat: seatName(fact.seat), count: fact.count, cards: fact.cards.map(nameOf).join(", ") }));
  return [el("h3", { text: say("boom.known") }), el("ul", { class: "facts" }, ...said.map((text) => el("li", { text }))), line(say("boom.plays-read"), "quiet"), line(say(odds.rough ? "boom.rough" : "boom.exact"), "quiet")];
}

/**
 * What a player's hand may hold: what asking for a card and what picking one blindly bring.
 * @param {KittensView} board @param {string} seat
 */
export function whyHand(board, seat) {
  const hand = board.seats.find((each) => each.seat === seat)?.hand ?? [];
  const may = hand.filter(({ holds }) => holds.exact !== "0");
  const sure = hand.filter((kind) => kind.sure).map((kind) => `${nameOf(kind.card)} × ${kind.sure}`);
  /** @type {HTMLElement[]} */
  const body = sure.length ? [line(say("boom.surely", { cards: sure.join(", ") }))] : [];
  body.push(el("h3", { text: say("boom.holds-one") }), pairs(may.map(({ card, holds }) => [nameOf(card), exact(holds)])));
  body.push(el("h3", { text: say("boom.blind") }), pairs(may.map(({ card, drawn }) => [nameOf(card), exact(drawn)])));
  const theft = board.mine?.thefts.find(({ target }) => target === seat);
  const now = board.odds.this_turn;
  if (theft && now) body.push(el("h3", { text: say("boom.worth") }), pairs([[say("boom.before"), exact(now.explode)], [say("boom.after-theft", { seat: seatName(seat) }), exact(theft.after.explode)]]));
  show(`hand-of-${seat}`, say("boom.may-hold", { seat: seatName(seat) }), [...body, ...facts(board)]);
}

/**
 * Why a kind comes so likely among the next `n` cards.
 * @param {KittensView} board @param {KindOdds} kind @param {number} [n]
 */
export function whyKind(board, kind, n = 1) {
  /** @type {[string, string][]} */
  const rows = kind.within.map((chance, at) => [say("boom.within-next", { count: at + 1 }), exact(chance)]);
  /** @type {[string, number][]} */
  const counts = [
    [say("boom.in-game"), kind.total], [say("boom.discarded"), kind.discarded], [say("boom.held"), kind.held],
    [say("boom.unseen"), kind.unseen], [say("boom.deck-cards"), board.deck], [say("boom.hidden-cards"), board.odds.hidden],
  ];
  const body = [el("p", { class: "answer", text: exact(kind.within[n - 1] ?? { exact: "0", percent: "0" }) }), pairs(counts), ...facts(board), el("h3", { text: say("boom.ahead") }), pairs(rows)];
  show(`why-${kind.card}-${n}`, n > 1 ? say("boom.why-within", { card: nameOf(kind.card), count: n }) : say("boom.why-next", { card: nameOf(kind.card) }), body);
}

/**
 * Why a player's draws are so dangerous.
 * @param {KittensView} board @param {Risk} risk @param {SeatView | null} [each] a player whose turn comes later
 */
export function whyRisk(board, risk, each = null) {
  /** @type {[string, string][]} */
  const rows = [[say("boom.risk-kitten", { count: risk.draws }), exact(risk.kitten)], [say("boom.risk-explode"), exact(risk.explode)]];
  if (each?.ahead) rows.unshift([say("boom.kitten-before", { draws: each.ahead.draws }), exact(each.ahead.kitten_before)]);
  const seat = board.seats.find((other) => other.seat === (each?.seat ?? board.turn));
  if (seat?.defuse && seat.nope) rows.push([say("boom.has-defuse"), exact(seat.defuse)], [say("boom.has-nope"), exact(seat.nope)]);
  const title = say(each ? "boom.why-later" : "boom.why-draws", { seat: seatName(seat?.seat ?? ""), count: risk.draws });
  show(`risk-${each?.seat ?? risk.draws}`, title, [pairs(rows), line(say("boom.risk-how"), "quiet"), ...facts(board)]);
}

/** What a card in the hand would change. @param {KittensView} board @param {Effect} effect */
export function why(board, effect) {
  /** @type {HTMLElement[]} */
  const body = [pairs([
    [say("boom.before"), exact(effect.before.explode)],
    [say("boom.after", { card: nameOf(effect.card) }), exact(effect.after.explode)],
    [say("boom.kitten-now", { count: effect.before.draws }), exact(effect.before.kitten)],
    [say("boom.kitten-then", { count: effect.after.draws }), exact(effect.after.kitten)],
  ]), line(say(`boom.why-${effect.card}`))];
  if (effect.sights.length) {
    body.push(el("h3", { text: say("boom.may-show") }), pairs(effect.sights.map((sight) => [seen(sight), `${chanceSaid(sight.chance)} → ${chanceSaid(sight.risk.explode)}`])));
  }
  show(`effect-${effect.card}`, nameOf(effect.card), [...body, ...facts(board)]);
}

/** @param {Sight} sight */
function seen({ kittens }) {
  return kittens.length ? say("boom.shows-kitten", { places: kittens.map((place) => place + 1).join(", ") }) : say("boom.shows-none");
}

/* Two or three alike */

/** @param {string} text @param {() => unknown} onclick @param {string} [sign] of a kind of card @param {string} [more] */
const choice = (text, onclick, sign = "", more = "") => el("button", { type: "button", onclick }, ...(sign ? [mark(sign)] : []), el("span", { text }), ...(more ? [el("span", { class: "quiet", text: more })] : []));

/** What a player may hold, one tap away. @param {KittensView} board @param {string} seat */
const handOf = (board, seat) => choice(say("boom.may-hold", { seat: seatName(seat) }), () => whyHand(board, seat));

/** A kind of card in a player's hand. @param {KittensView} board @param {string} target @param {string} card */
const inHand = (board, target, card) => board.seats.find(({ seat }) => seat === target)?.hand.find((kind) => kind.card === card);

/**
 * The kinds of which so many alike may be played, as this phone knows its own hand.
 * @param {KittensView} board @param {"pair" | "three"} move
 */
function alike({ can, mine: own, turn }, move) {
  if (own?.seat !== turn || own?.unknown) return can[move];
  const counts = new Map(own?.hand.map(({ card, count }) => [card, count]));
  return can[move].filter((card) => (counts.get(card) ?? 0) >= (move === "pair" ? 2 : 3));
}

/**
 * Which kind, how many, on whom, what is named: each a tap, and what can be only one is not asked.
 * @param {KittensView} board
 * @param {Alike} [chosen] what is chosen so far
 * @returns {unknown}
 */
export function combo(board, chosen = {}) {
  const { can } = board;
  const step = (/** @type {Alike} */ more) => combo(board, { ...chosen, ...more });
  const choose = (/** @type {string} */ title, /** @type {Node[]} */ choices) => show("combo", title, [el("div", { class: "choices", role: "group" }, ...choices)]);
  if (!chosen.move) {
    const threes = alike(board, "three");
    const rows = alike(board, "pair").map((card) => el("div", { class: "alike" }, mark(card), el("span", { text: nameOf(card) }),
      choice("2", () => step({ move: "pair", card })), threes.includes(card) ? choice("3", () => step({ move: "three", card })) : el("span")));
    const hands = el("div", { class: "choices", role: "group" }, ...can.targets.map((seat) => handOf(board, seat)));
    return show("combo", say(can.three.length ? "boom.which-alike" : "boom.which-two"), rows.length ? [...rows, hands] : [line(say("boom.none-alike"))]);
  }
  if (!chosen.target) {
    if (can.targets.length === 1) return step({ target: can.targets[0] });
    const worth = (/** @type {string} */ target) => (chosen.move === "pair" ? say("boom.blind-defuse", { percent: percentOf(inHand(board, target, "defuse")?.drawn ?? null) }) : "");
    return choose(say("boom.from-whom"), can.targets.map((target) => choice(seatName(target), () => step({ target }), "", worth(target))));
  }
  if (chosen.move === "three" && !chosen.named) {
    const { target } = chosen;
    const named = board.odds.kinds.map((kind) => kind.card).filter((card) => card !== "kitten");
    return choose(say("boom.which-named"), named.map((card) => choice(nameOf(card), () => step({ named: card }), card, chanceSaid(inHand(board, target, card)?.holds))));
  }
  closeSheet();
  return play(chosen);
}

/* What a seat tells its own phone */

/** A kind in few letters; a kind of cats of a table's own deck has only its name. @param {string} card */
const shortName = (card) => (known(`boom.short-${card}`) ? say(`boom.short-${card}`) : nameOf(card));

/** Kinds of cards to tap. @param {string[]} kinds @param {(card: string) => void} onclick */
const cards = (kinds, onclick) => el("div", { class: "cards" }, ...kinds.map((card) =>
  el("button", { type: "button", "aria-label": nameFor(shortName(card), nameOf(card)), onclick: () => onclick(card) }, mark(card), el("span", { text: shortName(card) }))));

/**
 * One tap: the card that was drawn, taken or lost; the place of the kitten; what was seen, card by card.
 * @param {KittensView} board @param {Ask} asked
 */
export function ask(board, { what, count }) {
  const seat = board.mine?.seat ?? "";
  const kinds = board.odds.kinds.map((kind) => kind.card);
  if (what === "hid") return [line(say("boom.tell-hid"), "quiet"), el("div", { class: "places" }, ...places(count, (place) => play({ move: "hid", seat, place })))];
  if (what === "saw") return sawCards(kinds, seat, count);
  if (what === "hand") return [line(say("boom.correct-asked"), "quiet"), button("boom.correct-hand", () => handSheet(board), "", { class: "main wide" })];
  return [line(say(`boom.tell-${what}`), "quiet"), cards(kinds.slice(1), (card) => play({ move: what, seat, card }))];
}

/** The cards that See the Future showed, as far as they are entered, and at which entry of the match. */
let looked = { n: -1, cards: /** @type {string[]} */ ([]) };

/** @param {string[]} kinds @param {string} seat @param {number} count how many cards were seen */
function sawCards(kinds, seat, count) {
  const { n } = shown().match;
  if (looked.n !== n) looked = { n, cards: [] };
  const box = el("div", { class: "saw" });
  const draw = () => {
    const at = looked.cards.length;
    const said = `${say("boom.tell-saw", { place: at + 1 })}${at ? ` (1: ${looked.cards.map(nameOf).join(", ")})` : ""}`;
    redraw(box, line(said, "quiet"), cards(kinds, (card) => {
      looked.cards.push(card);
      if (looked.cards.length < count) return draw();
      const seenCards = looked.cards;
      looked = { n: -1, cards: [] };
      return play({ move: "saw", seat, cards: seenCards });
    }));
    measure();
  };
  draw();
  return [box];
}

/** @param {number} count @param {(place: number) => void} choose */
function places(count, choose) {
  return Array.from({ length: count }, (_, place) => {
    const text = place === 0 ? say("boom.top") : place === count - 1 ? say("boom.bottom") : String(place + 1);
    return el("button", { type: "button", "aria-label": nameFor(text, say("boom.place", { place: place + 1 })), onclick: () => choose(place) }, text);
  });
}

/** How many cards this phone's seat holds; 0 without a seat. @param {KittensView} board */
export const handSize = (board) => board.seats.find((each) => each.seat === board.mine?.seat)?.cards ?? 0;

/**
 * The own hand, card by card.
 * @param {KittensView} board
 * @param {Map<string, number>} [counts] as entered so far
 */
export function handSheet(board, counts = new Map((board.mine?.lost ? board.mine.may_stay : board.mine?.hand)?.map(({ card, count }) => [card, count]))) {
  const countOf = (/** @type {string} */ card) => counts.get(card) ?? 0;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const size = handSize(board);
  const change = (/** @type {string} */ card, /** @type {number} */ more) => {
    counts.set(card, Math.max(0, countOf(card) + more));
    handSheet(board, counts);
  };
  const rows = board.odds.kinds.filter(({ card }) => card !== "kitten").map(({ card, total: most, discarded }) => el("div", { class: "count" },
    mark(card), el("span", { text: nameOf(card) }),
    el("button", { type: "button", "aria-label": say("boom.fewer", { card: nameOf(card) }), disabled: !countOf(card), onclick: () => change(card, -1) }, "−"),
    el("b", { text: countOf(card) }),
    el("button", { type: "button", "aria-label": say("boom.more", { card: nameOf(card) }), disabled: total >= size || countOf(card) >= most - discarded, onclick: () => change(card, 1) }, "+")));
  const tell = () => {
    closeSheet();
    return play({ move: "hand", seat: board.mine?.seat, cards: [...counts].flatMap(([card, count]) => Array(count).fill(card)) });
  };
  const done = el("button", { type: "button", class: "main wide", disabled: total !== size, onclick: tell }, say("boom.that-is-it", { chosen: total, cards: size }));
  show(`hand-${size}`, say("boom.hand-title"), [...rows, el("div", { class: "done" }, done)]);
}
