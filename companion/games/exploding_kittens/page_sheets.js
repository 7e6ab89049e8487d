/** What rises above the tray: two or three alike, whose a nope is, one's own hand, what was drawn or seen. */

import { play } from "/static/act.js";
import { el, redraw } from "/static/dom.js";
import { shown } from "/static/live.js";
import { nameOf, seatName } from "/static/names.js";
import { closeSheet, measure, openSheet } from "/static/sheet.js";
import { nameFor, say } from "/static/messages.js";
import { chanceSaid, mark, percentOf, shortName } from "./page_figures.js";

/** @import { Ask, KittensView } from "./page_types.js" */

/** What two or three alike are played as, as far as it is chosen. @typedef {{move?: "pair" | "three", card?: string, target?: string, named?: string}} Alike */

/** @param {string} text @param {string | null} [kind] */
const line = (text, kind = null) => el("p", { class: kind, text });

/** @param {string} name @param {string} title @param {Node[]} body */
function show(name, title, body) {
  openSheet({ name, title, body, close: closeSheet, focus: true });
}

/* Two or three alike */

/** @param {string} text @param {() => unknown} onclick @param {string} [sign] of a kind of card @param {string} [more] */
const choice = (text, onclick, sign = "", more = "") => el("button", { type: "button", onclick }, ...(sign ? [mark(sign)] : []), el("span", { text }), ...(more ? [el("span", { class: "quiet", text: more })] : []));

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
    return show("combo", say(can.three.length ? "boom.which-alike" : "boom.which-two"), rows.length ? rows : [line(say("boom.none-alike"))]);
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

/** Who played the nope that lies there. @param {string[]} seats */
export const whoseNope = (seats) => show("nope", say("boom.nope-by"), [el("div", { class: "choices", role: "group" }, ...seats.map((seat) => choice(seatName(seat), () => {
  closeSheet();
  return play({ move: "nope", seat });
})))]);

/** Kinds of cards to tap. @param {string[]} kinds @param {(card: string) => void} onclick */
const cards = (kinds, onclick) => el("div", { class: "cards" }, ...kinds.map((card) =>
  el("button", { type: "button", "aria-label": nameFor(shortName(card), nameOf(card)), onclick: () => onclick(card) }, mark(card), el("span", { text: shortName(card) }))));

/**
 * Ask what only this seat knows: the card that was drawn, taken or lost; the place of the kitten; what was seen, card by card.
 * @param {KittensView} board @param {Ask} asked
 */
export function ask(board, { what, count }) {
  const seat = board.mine?.seat ?? "";
  const kinds = board.odds.kinds.map((kind) => kind.card);
  const tell = (/** @type {object} */ told) => {
    closeSheet();
    return play({ move: what, seat, ...told });
  };
  const title = say(`boom.tell-${what}`, { place: 1 });
  if (what === "hid") return show("ask", title, [el("div", { class: "hand" }, ...places(count, (place) => tell({ place })))]);
  if (what === "saw") return show("ask", title, sawCards(kinds, count, (seen) => tell({ cards: seen })));
  return show("ask", title, [cards(kinds.slice(1), (card) => tell({ card }))]);
}

/** The cards that See the Future showed, as far as they are entered, and at which entry of the match. */
let looked = { n: -1, cards: /** @type {string[]} */ ([]) };

/** @param {string[]} kinds @param {number} count how many cards were seen @param {(cards: string[]) => void} tell */
function sawCards(kinds, count, tell) {
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
      return tell(seenCards);
    }));
    measure();
  };
  draw();
  return [box];
}

/** Places in the deck to put the kitten. @param {number} count @param {(place: number) => void} choose */
export function places(count, choose) {
  return Array.from({ length: count }, (_, place) => {
    const text = place === 0 ? say("boom.top") : place === count - 1 ? say("boom.bottom") : String(place + 1);
    return el("button", { type: "button", class: "card-in-hand place", "aria-label": nameFor(text, say("boom.place", { place: place + 1 })), onclick: () => choose(place) }, el("span", { text }));
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
