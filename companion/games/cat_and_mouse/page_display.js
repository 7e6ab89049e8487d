/** The race on the big screen, lying as on the table. */

import { display } from "/static/display.js";
import { byId, el, svg } from "/static/dom.js";
import { seatName } from "/static/names.js";
import { capital, say } from "/static/messages.js";
import { lastSaid } from "./page_said.js";
import { picture, Track } from "./page_track.js";

/** @import { BoardView, Game } from "./page_types.js" */
/** @import { Shown } from "/static/display.js" */

const drawing = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "xMidYMid meet" });
byId("board").append(drawing);
const track = new Track(drawing, true);
const legend = el("ul", { class: "legend" });
byId("newest").after(legend);

/** What the pictures mean. @param {BoardView} board */
function explain(board) {
  const said = { pays: say("race.legend-pays", { chips: board.pay_chips }), earns: say("race.legend-earns", { chips: board.earn_chips }),
    "lost-turn": say("race.why-lost-turn"), "second-throw": say("race.why-second-throw") };
  legend.replaceChildren(...Object.entries(said).map(([does, text]) => el("li", {}, svg("svg", { class: does, viewBox: "0 0 52 48", "aria-hidden": "true" }, ...picture(does, board)), capital(text))));
}

/** @type {Shown<Game>} */
const shown = {
  draw: ({ match: { board } }) => {
    track.draw(board, "cat", board.last && { ...board.last, ghost: false });
    explain(board.board);
  },
  score: ({ match: { board } }, seat) => board.counters[seat].square,
  more: ({ match: { board } }, seat) => say("race.chip-count", { chips: board.counters[seat].purse.hand }),
  turn: ({ match: { board } }) => (board.turn ? say("race.to-throw", { seat: seatName(board.turn) }) : say(`race.for-cat-${board.start.by}`)),
  newest: ({ match: { board } }) => lastSaid(board),
};
display(shown);
