/** The animals on the big screen. */

import { display } from "/static/display.js";
import { byId, el } from "/static/dom.js";
import { caughtSaid, players, roundSaid } from "./page_table.js";

/** @import { Game } from "./page_types.js" */
/** @import { Shown } from "/static/display.js" */

const table = el("div", { class: "players" });
byId("board").append(table);

/** @type {Shown<Game>} */
const shown = {
  draw: ({ match: { board } }) => players(table, board, null),
  turn: ({ match: { board } }) => (board.phase === "animals" ? "" : roundSaid(board)),
  score: ({ match: { board } }, seat) => board.seats.find((each) => each.seat === seat)?.points ?? "",
  newest: ({ match: { board } }) => {
    const last = board.caught.at(-1);
    return last ? caughtSaid(last) : "";
  },
};
display(shown);
