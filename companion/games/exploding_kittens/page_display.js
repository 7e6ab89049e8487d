/** The deck on the big screen: what lies open, and how dangerous the next card is for all to see. */

import { display } from "/static/display.js";
import { byId, el } from "/static/dom.js";
import { say } from "/static/messages.js";
import { lastSaid, mark, percentOf, step } from "./page_figures.js";

/** @import { Game, KittensView } from "./page_types.js" */
/** @import { Shown } from "/static/display.js" */

/** @param {KittensView} board */
function deck(board) {
  const [{ within }] = board.odds.kinds;
  const { pile: top } = board;
  const piles = el("div", { class: "piles" }, el("div", { class: "pile back" }, mark("kitten", 76)), el("div", { class: `pile ${top ? "" : "none"}` }, ...(top ? [mark(top, 76)] : [])));
  const said = el("h2", { text: say("boom.cards", { cards: board.deck }) });
  if (!within.length) return [piles, said];
  return [piles, said, el("p", { class: "burst", text: say("boom.kitten-chance", { percent: percentOf(within[0]) }) }), el("div", { class: "steps" }, ...within.map((chance, n) => step(chance, n + 1)))];
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
