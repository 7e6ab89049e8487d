/** The race on the big screen. */

import { display } from "/static/display.js";
import { byId, svg } from "/static/dom.js";
import { percent } from "/static/numbers.js";
import { say } from "/static/messages.js";
import { followed, moved, started } from "./page_said.js";
import { Track } from "./page_track.js";

/** @import { Game } from "./page_types.js" */
/** @import { Shown } from "/static/display.js" */

const picture = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "xMidYMid meet" });
byId("board").append(picture);
const track = new Track(picture);

/** @type {Shown<Game>} */
const shown = {
  draw: ({ match: { board } }) => track.draw(board, board.last),
  score: ({ match: { board } }, seat) => board.counters[seat].square,
  more: ({ match: { board } }, seat) => `${say("race.win-chance")}: ${percent(seat === "cat" ? board.odds.cat : board.odds.mouse)}`,
  newest: ({ match: { board } }) => (board.last ? [moved(board.last), followed(board.last)].filter(Boolean).join(" · ") : started(board.start)),
};
display(shown);
