/** The deck on the big screen: what lies open, and how dangerous the next card is for all to see. */

import { display } from "/static/display.js";
import { byId, el } from "/static/dom.js";
import { say } from "/static/messages.js";
import { chanceSaid, figure, lastSaid, mark, step } from "./page_figures.js";

/** @import { Game, KittensView } from "./page_types.js" */
/** @import { Shown } from "/static/display.js" */

/** @param {KittensView} board */
function deck(board) {
  const [kitten, defuse] = board.odds.kinds; // the two first of all kinds
  const said = el("h2", { text: say("boom.deck", { deck: board.deck, kittens: board.kittens }) });
  const card = el("div", { class: "newest-card" }, mark(board.last?.deed.card || (board.last ? "kitten" : "nope")));
  if (!kitten.within.length) return [said, card];
  const figures = el("div", { class: "big" }, figure("kitten", chanceSaid(kitten.within[0]), say("boom.short-kitten"), null),
    figure("defuse", chanceSaid(defuse.within[0]), say("name.defuse"), null));
  return [said, ...(board.last?.deed.card ? [card] : []), el("h2", { text: say("boom.next-card") }), figures,
    el("div", { class: "ahead" }, ...kitten.within.map((chance, n) => step(chance, n + 1, null)))];
}

/** @type {Shown<Game>} */
const shown = {
  draw: ({ match: { board } }) => byId("board").replaceChildren(el("div", { class: "boom-display" }, ...deck(board))),
  score: ({ match: { board } }, seat) => {
    const each = board.seats.find((other) => other.seat === seat);
    return each?.alive ? each.cards : "–";
  },
  newest: ({ match: { board } }) => (board.last ? lastSaid(board.last) : ""),
};
display(shown);
