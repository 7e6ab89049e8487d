/** What is left of the cards, the chance of drawing each, and one's own hand. */

import { play } from "/static/act.js";
import { byId, el, redraw, set } from "/static/dom.js";
import { nameOf } from "/static/names.js";
import { percent } from "/static/numbers.js";
import { say } from "/static/messages.js";
import { cardButton } from "./page_cards.js";

/** @import { Chance, DeckView, HideView, KindView, Now } from "./page_types.js" */

/** A cell of the table: the chance, and the fraction that it is. @param {Chance | null} exact */
function chanceCell(exact) {
  if (!exact) return el("td", { class: "quiet", text: "–" });
  return el("td", {}, percent(exact.chance), el("small", { text: `${exact.part}/${exact.of}` }));
}

/** @param {HideView} board */
export function left(board) {
  const { deck } = board;
  byId("left").hidden = board.phase === "animals";
  set(byId("left-said"), { text: say("hide.left", { deck: deck.cards, hands: deck.in_hands }) });
  set(byId("left-why"), { text: why(deck) });
  set(byId("left-three"), { text: say("hide.one-of-next", { cards: deck.drawn }) });
  redraw(byId("kinds"), ...deck.kinds.map((kind) =>
    el("tr", {}, el("th", { scope: "row", text: nameOf(kind.card) }), unseen(kind), chanceCell(kind.next), chanceCell(kind.three))));
}

/** How many have not been seen, and where the others are. @param {KindView} kind */
function unseen(kind) {
  /** @type {[number, string][]} */
  const others = [[kind.lying, "hide.lie"], [kind.out, "hide.laid-aside"], [kind.held, "hide.held"]];
  const said = others.filter(([count]) => count).map(([count, key]) => say(key, { count }));
  return el("td", {}, say("hide.of-all", { unseen: kind.unseen, count: kind.count }), el("small", { text: said.join(", ") }));
}

/** @param {DeckView} deck */
function why(deck) {
  if (deck.doubt) return say("hide.hand-doubted");
  if (!deck.exact) return say("hide.odds-too-many");
  return say(deck.cards ? "hide.odds-why" : "hide.deck-empty", { all: deck.cards + deck.in_hands, deck: deck.cards, hands: deck.in_hands });
}

/** The hand that is being entered, card by card, and the hand it began from; null while none is. */
const draft = { of: "", cards: /** @type {string[] | null} */ (null) };

/** One's own hand, where this phone has a seat. @param {Now} now */
export function mine(now) {
  const { board } = now.match;
  const seat = board.seats.find((each) => each.seat === now.seat);
  byId("mine").hidden = !seat || Boolean(now.dealt) || board.phase === "animals" || board.phase === "over";
  if (!seat || byId("mine").hidden) return;
  const entered = board.hand;
  const { doubt, may_stay: mayStay } = board.deck;
  const of = [now.match.id, now.seat, seat.hand, doubt, entered?.cards].join();
  if (draft.of !== of) {
    Object.assign(draft, { of, cards: null });
    if (doubt) byId("mine-tell", HTMLDetailsElement).open = true;
  }
  const hand = draft.cards ?? (doubt ? mayStay : entered?.cards) ?? [];
  const change = (/** @type {string[]} */ cards) => {
    draft.cards = cards;
    byId("mine-tell", HTMLDetailsElement).open = true;
    mine(now);
  };
  set(byId("mine-said"), { text: doubt ? say("hide.hand-correct", { cards: seat.hand }) : entered ? say("hide.hand", { cards: seat.hand, untold: entered.untold }) : say("hide.hand-untold", { cards: seat.hand }) });
  byId("mine-cards").hidden = !hand.length;
  redraw(byId("mine-cards"), ...hand.map((card, at) => cardButton(card, board.set.cards[card], { onclick: () => change(hand.filter((_, other) => other !== at)) })));
  const more = seat.hand - hand.length;
  redraw(byId("mine-kinds"), ...board.deck.kinds.map(({ card, unseen: count }) =>
    cardButton(card, board.set.cards[card], { disabled: more <= 0 || hand.filter((each) => each === card).length >= count, onclick: () => change([...hand, card]) })));
  set(byId("mine-save"), { text: more > 0 ? say("hide.hand-more", { cards: more }) : say("hide.hand-keep"), disabled: more !== 0 });
  byId("mine-save").onclick = async () => {
    if (await play({ move: "hold", seat: seat.seat, cards: hand })) byId("mine-tell", HTMLDetailsElement).open = false;
  };
}
