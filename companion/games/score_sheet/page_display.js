/** The score sheet on the big screen. */

import { display } from "/static/display.js";
import { byId, el } from "/static/dom.js";
import { say } from "/static/messages.js";
import { seatName } from "/static/names.js";
import { number, table, thrownSaid } from "./page_table.js";

/** @import { Game } from "./page_types.js" */
/** @import { Shown } from "/static/display.js" */

const paper = el("table", { id: "table" });
const box = el("div", { class: "paper" }, paper);
byId("board").append(box);

/** @type {Shown<Game>} */
const shown = {
  draw: ({ match }) => {
    table(paper, match, null);
    box.scrollTop = box.scrollHeight;
  },
  score: ({ match: { board } }, seat) => number(board.totals[seat]),
  turn: ({ match: { board } }) => (board.turn ? say("points.in-round", { seat: seatName(board.turn), round: board.round }) : ""),
  newest: ({ match: { board } }) => (board.throws[0] ? thrownSaid(board.throws[0]) : ""),
};
display(shown);
