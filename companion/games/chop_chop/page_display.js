/** The kitchen on the big screen. */

import { display } from "/static/display.js";
import { byId, svg } from "/static/dom.js";
import { Kitchen } from "./page_kitchen.js";
import { seatLabel } from "/static/names.js";
import { asked, askedSaid, askedWay, eventSaid } from "./page_said.js";

/** @import { Game } from "./page_types.js" */
/** @import { Shown } from "/static/display.js" */

const picture = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "xMidYMid meet" });
byId("board").append(picture);
const kitchen = new Kitchen(picture);

/** What happened since the last throw, as far as there is room for it. */
const MOST_EVENTS = 3;

/** @type {Shown<Game>} */
const shown = {
  draw: (now) => {
    const { board } = now.match;
    const go = asked(now);
    kitchen.draw(board, go ? askedWay(go, board.ways) : []);
  },
  asks: (now) => {
    const go = asked(now);
    return go ? askedSaid(go, seatLabel(now.opponent?.seat ?? "")) : "";
  },
  score: ({ match: { board } }, seat) => (seat === "cat" ? `${board.caught}/${board.holes.length}` : `${board.found}/${board.cheese}`),
  newest: ({ match: { board } }) => board.since.slice(-MOST_EVENTS).map(eventSaid).join(" "),
};
display(shown);
