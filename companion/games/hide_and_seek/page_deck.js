/** What is left of the cards, the chance of drawing each, and one's own hand. */

import { play } from "/static/act.js";
import { byId, el, set } from "/static/dom.js";
import { say } from "/static/messages.js";
import { cardButton, cardName } from "./page_cards.js";

const percent = (chance) => `${(100 * chance).toFixed(1)} %`;

/** Two cells of the table: the chance, and the fraction that it is. */
function chance(told) {
  if (!told) return el("td", { class: "quiet", text: "–" });
  return el("td", {}, percent(told.chance), el("small", { text: `${told.part}/${told.of}` }));
}

export function left(board) {
  const { deck } = board;
  byId("left").hidden = board.phase === "animals";
  set(byId("left-said"), { text: say("hide.left", { deck: deck.cards, hands: deck.in_hands }) });
  set(byId("left-why"), { text: why(deck) });
  set(byId("left-three"), { text: say("hide.one-of-next", { cards: deck.drawn }) });
  byId("kinds").replaceChildren(...deck.kinds.map((kind) =>
    el("tr", {}, el("th", { scope: "row", text: cardName(kind.card) }), unseen(kind), chance(kind.next), chance(kind.three))));
}

/** How many have not been seen, and where the others are. */
function unseen(kind) {
  const others = [[kind.lying, "hide.lie"], [kind.out, "hide.laid-aside"], [kind.held, "hide.held"]];
  const said = others.filter(([count]) => count).map(([count, key]) => say(key, { count }));
  return el("td", {}, say("hide.of-all", { unseen: kind.unseen, count: kind.count }), el("small", { text: said.join(", ") }));
}

function why(deck) {
  if (deck.doubt) return say("hide.hand-doubted");
  if (!deck.exact) return say("hide.odds-too-many");
  return say(deck.cards ? "hide.odds-why" : "hide.deck-empty", { all: deck.cards + deck.in_hands, deck: deck.cards, hands: deck.in_hands });
}

/** The hand that is being told, card by card, and the hand it was told of; nothing while none is. */
const draft = { of: "", cards: /** @type {string[] | null} */ (null) };

/** One's own hand, where this phone has a seat. */
export function mine(now) {
  const { board } = now.match;
  const seat = board.seats.find((each) => each.seat === now.seat);
  byId("mine").hidden = !seat || board.phase === "animals" || board.phase === "over";
  if (byId("mine").hidden) return;
  const told = board.hand;
  const of = [now.match.id, now.seat, seat.hand, told?.cards].join();
  if (draft.of !== of) Object.assign(draft, { of, cards: null });
  const hand = draft.cards ?? told?.cards ?? [];
  const change = (cards) => {
    draft.cards = cards;
    byId("mine-tell").open = true;
    mine(now);
  };
  set(byId("mine-said"), { text: told ? say("hide.hand", { cards: seat.hand, untold: told.untold }) : say("hide.hand-untold", { cards: seat.hand }) });
  byId("mine-cards").hidden = !hand.length;
  byId("mine-cards").replaceChildren(...hand.map((card, at) => cardButton(card, board.set.cards[card], { onclick: () => change(hand.filter((_, other) => other !== at)) })));
  const more = seat.hand - hand.length;
  byId("mine-kinds").replaceChildren(...board.deck.kinds.map(({ card, unseen }) =>
    cardButton(card, board.set.cards[card], { disabled: more <= 0 || hand.filter((each) => each === card).length >= unseen, onclick: () => change([...hand, card]) })));
  set(byId("mine-save"), { text: more > 0 ? say("hide.hand-more", { cards: more }) : say("hide.hand-keep"), disabled: more !== 0 });
  byId("mine-save").onclick = async () => {
    if (await play({ move: "hold", seat: seat.seat, cards: hand })) byId("mine-tell").open = false;
  };
}
