/** The table of Exploding Kittens as one drawing, for the picture that is shared: who lives, who exploded. */

import { svg } from "/static/dom.js";
import { say } from "/static/messages.js";

/** @import { Drawing } from "/static/share.js" */
/** @import { Game } from "./page_types.js" */

const WIDE = 1080;
const ROW = 210;
const BURST = "M0-60 14-24 50-38 32-6 62 14 24 22 26 60 0 34-26 60-24 22-62 14-32-6-50-38-14-24Z";

/** @type {Drawing<Game>} */
export const drawing = ({ board }, label, colour) => svg("svg", { viewBox: `0 0 ${WIDE} ${ROW * board.seats.length}`, "font-family": "sans-serif" },
  ...board.seats.map(({ seat, alive, cards }, n) => svg("g", { transform: `translate(0 ${n * ROW})` },
    svg("rect", { x: 0, y: 10, width: WIDE, height: ROW - 20, rx: 32, fill: colour("card") }),
    alive ? svg("circle", { cx: 110, cy: ROW / 2, r: 58, fill: colour("accent") }) : svg("path", { d: BURST, transform: `translate(110 ${ROW / 2})`, fill: colour("warn") }),
    svg("text", { x: 110, y: ROW / 2 + 24, "text-anchor": "middle", "font-size": 68, "font-weight": 700, fill: colour("on-accent"), text: alive ? cards : "" }),
    svg("text", { x: 210, y: ROW / 2 - 4, "font-size": 66, "font-weight": 700, fill: colour(alive ? "ink" : "quiet"), text: label(seat) }),
    svg("text", { x: 210, y: ROW / 2 + 62, "font-size": 44, fill: colour("quiet"), text: alive ? say("boom.alive") : say("boom.exploded") }))));
