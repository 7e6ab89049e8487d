/** The bed on the big screen. */

import { display } from "/static/display.js";
import { byId, svg } from "/static/dom.js";
import { seatName } from "/static/names.js";
import { say } from "/static/messages.js";
import { Bed } from "./page_bed.js";

/** @import { Game, TileView } from "./page_types.js" */
/** @import { Shown } from "/static/display.js" */

const picture = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "xMidYMid meet" });
byId("board").append(picture);
const bed = new Bed(picture, "bed");

/** @param {TileView | null} tile */
const laidSaid = (tile) => (tile ? say("bed.laid", { owner: seatName(tile.owner), digit: tile.digit }) : "");

/** @type {Shown<Game>} */
const shown = {
  draw: ({ match: { board } }) => {
    const newest = board.over ? null : board.last;
    bed.draw({ ...board, tiles: board.tiles.map((tile) => ({ ...tile, is: tile.n === newest?.n ? "newest" : "" })) });
  },
  score: ({ match: { board } }, seat) => (seat === "cat" ? board.points.cat : board.points.dog).total,
  newest: ({ match: { board } }) => laidSaid(board.last),
};
display(shown);
