/** The table of Hide and Seek as one drawing, for the picture that is shared: the points, and the animals still free. */

import { svg } from "/static/dom.js";
import { known, say } from "/static/messages.js";

/** @import { Drawing } from "/static/share.js" */
/** @import { Game } from "./page_types.js" */

const WIDE = 1080;
const HEAD = 130;
const LINE = 84;
const GAP = 30;

/** How a colour of the cards looks. @type {Record<string, string>} */
const COATS = { grey: "#8b9097", white: "#f6f4ee", brown: "#8a5a34", black: "#26262a", yellow: "#e8b93a" };

/** @type {Drawing<Game>} */
export const drawing = ({ board, outcome }, label, colour) => {
  let y = 0;
  const players = board.seats.map(({ seat, points }) => {
    const animals = board.animals.filter((animal) => animal.seat === seat);
    const high = HEAD + Math.max(1, animals.length) * LINE;
    const won = outcome?.winners.includes(seat);
    const node = svg("g", { transform: `translate(0 ${y})` },
      svg("rect", { x: 3, y: 3, width: WIDE - 6, height: high - 6, rx: 32, fill: colour("card"), stroke: colour(won ? "accent" : "line"), "stroke-width": won ? 6 : 2 }),
      svg("text", { x: 40, y: 86, "font-size": 60, "font-weight": 700, fill: colour("ink"), text: label(seat) }),
      svg("text", { x: WIDE - 40, y: 90, "font-size": 76, "font-weight": 800, "text-anchor": "end", fill: colour(won ? "accent" : "ink"), text: points }),
      ...(animals.length ? animals.map((animal, n) => animalLine(animal, HEAD + n * LINE + 34)) : [svg("text", { x: 40, y: HEAD + 34, "font-size": 42, fill: colour("quiet"), text: say("hide.none-left") })]));
    y += high + GAP;
    return node;
  });
  /** @param {typeof board.animals[number]} animal @param {number} at */
  function animalLine({ animal, standing, points }, at) {
    const name = known(`name.${animal}`) ? say(`name.${animal}`) : animal;
    return svg("g", {}, svg("text", { x: 40, y: at, "font-size": 46, fill: colour("ink"), text: name }),
      ...standing.colours.map((coat, n) => svg("circle", { cx: 700 + n * 56, cy: at - 16, r: 22, fill: COATS[coat] ?? colour("quiet"), stroke: colour("edge"), "stroke-width": 3 })),
      svg("text", { x: WIDE - 40, y: at, "font-size": 46, "text-anchor": "end", fill: colour("quiet"), text: points }));
  }
  return svg("svg", { viewBox: `0 0 ${WIDE} ${y - GAP}`, "font-family": "sans-serif" }, ...players);
};
