/** The bed on the big screen. */

import { display } from "/static/display.js";
import { byId, svg } from "/static/dom.js";
import { seatName } from "/static/names.js";
import { say } from "/static/messages.js";
import { Bed } from "./page_bed.js";

/** @import { Game, Lay, Now, TileView } from "./page_types.js" */
/** @import { Shown } from "/static/display.js" */

const picture = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "xMidYMid meet" });
byId("board").append(picture);
const bed = new Bed(picture, "bed");

/** @param {TileView | null} tile */
const laidSaid = (tile) => (tile ? say("bed.laid", { owner: seatName(tile.owner), digit: tile.digit }) : "");

/** The tile that a person is to lay for the table. @param {Now} now */
const mine = ({ opponent }) => /** @type {Lay | null} */ (opponent?.move ?? null);

/** @param {Now} now */
function asks(now) {
  const tile = mine(now);
  return tile ? say("bed.lay-mine", { owner: seatName(tile.owner), digit: tile.digit }) : "";
}

/** @type {Shown<Game>} */
const shown = {
  draw: (now) => {
    const { board } = now.match;
    const newest = board.over ? null : board.last;
    bed.draw({ ...board, tiles: board.tiles.map((tile) => ({ ...tile, is: tile.n === newest?.n ? "newest" : "" })) });
    const tile = mine(now);
    if (tile) bed.mark(tile, board);
    else bed.unmark();
  },
  asks,
  score: ({ match: { board } }, seat) => (seat === "cat" ? board.points.cat : board.points.dog).total,
  newest: ({ match: { board } }) => laidSaid(board.last),
};
display(shown);
