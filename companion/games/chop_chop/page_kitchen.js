/** The kitchen as a picture: floor, slabs, holes, cheese, the table, the cat and the mice, ways and the last move. */

import { svg, set } from "/static/dom.js";
import { columnName } from "/static/names.js";

/** @import { BoardView, Event, HoleView, KitchenView, PieceView, WayView } from "./page_types.js" */

/** @typedef {[number, number]} Square row, column */

const SIDE = 60; // of a square

/** @param {Square | null | undefined} one @param {Square | null | undefined} other */
const same = (one, other) => Boolean(one && other && one[0] === other[0] && one[1] === other[1]);
/** @param {Square} square */
const middle = ([row, col]) => [(col + 0.5) * SIDE, (row + 0.5) * SIDE];

/** A wedge of cheese, about 40 by 30 around the middle. */
const cheese = () => [
  svg("path", { class: "rind", d: "M-20 4 14-14Q20-6 20 4V14H-20Z" }),
  svg("path", { class: "cheese-top", d: "M-20 4 14-14Q20-6 20 4Z" }),
  svg("circle", { class: "cheese-hole", cx: -8, cy: 9.5, r: 3 }), svg("circle", { class: "cheese-hole", cx: 7, cy: 9, r: 3.6 }),
];

/** @type {Record<string, () => SVGElement[]>} */
const SIGNS = {
  cheese,
  crockery: () => [svg("path", { class: "plate", d: "M-17-2A17 17 0 0 1 2-17L-2-6 5-1-3 5-1 16A17 17 0 0 1-17-2Z" }), svg("path", { class: "plate", d: "M7-15A17 17 0 0 1 15 10L9 3 11-4 3-8Z" }), svg("path", { class: "plate", d: "M3 16 1 7 7 5 12 13A17 17 0 0 1 3 16Z" })],
  "plus-1": () => [svg("text", { class: "plus", y: 1, text: "+1" })],
  "plus-2": () => [svg("text", { class: "plus", y: 1, text: "+2" })],
  arrow: () => [svg("path", { class: "line", d: "M-15 12C-12-4-2-9 10-8M3-16 13-8 5 1" })],
  fork: () => [svg("path", { class: "line thin", d: "M0 17V-2M-7-16V-7Q-7-1 0-1 7-1 7-7V-16M0-16V-4" })],
  knife: () => [svg("path", { class: "blade", d: "M-3-18Q7-12 5 3H-3Z" }), svg("path", { class: "line", d: "M-1 5V17" })],
};

/** What a slab shows, as a picture of its own. @param {string} slab */
export const sign = (slab) => svg("svg", { class: `sign ${slab}`, viewBox: "-22 -20 44 40", "aria-hidden": "true" }, ...SIGNS[slab]());

/** A cat's head or a mouse's with its number, around the middle. @param {string} piece */
function head(piece) {
  if (piece === "cat") {
    return [svg("path", { class: "coat", d: "M-18 2-20-22-8-14H8L20-22 18 2Z" }), svg("ellipse", { class: "coat", cy: 2, rx: 19, ry: 17 }),
      svg("path", { class: "inner", d: "M-16-9-17-16-11-12ZM16-9 17-16 11-12Z" }), svg("circle", { class: "eye", cx: -7, cy: -1, r: 3 }), svg("circle", { class: "eye", cx: 7, cy: -1, r: 3 }),
      svg("path", { class: "nose", d: "M-3 6H3L0 9.5Z" }), svg("path", { class: "whisker", d: "M-9 8-20 6M-9 10-19 13M9 8 20 6M9 10 19 13" })];
  }
  return [svg("circle", { class: "coat", cx: -13, cy: -11, r: 9 }), svg("circle", { class: "coat", cx: 13, cy: -11, r: 9 }), svg("circle", { class: "inner", cx: -13, cy: -11, r: 5 }),
    svg("circle", { class: "inner", cx: 13, cy: -11, r: 5 }), svg("ellipse", { class: "coat", cy: 2, rx: 16, ry: 15 }), svg("circle", { class: "eye", cx: -6, cy: -4, r: 2.4 }),
    svg("circle", { class: "eye", cx: 6, cy: -4, r: 2.4 }), ...(piece === "mouse" ? [] : [svg("text", { class: "tag", y: 8, text: piece.slice(-1) })])];
}

/** The piece as a picture of its own. @param {string} piece */
export const face = (piece) => svg("svg", { class: `face ${kind(piece)}`, viewBox: "-24 -24 48 46", "aria-hidden": "true" }, ...head(piece));

/** @param {string} piece */
const kind = (piece) => (piece === "cat" ? "cat" : "mouse");

export class Kitchen {
  /** @param {SVGSVGElement} picture */
  constructor(picture) {
    this.picture = picture;
    this.ground = svg("g");
    this.slabs = svg("g");
    this.lines = svg("g");
    this.under = svg("g");
    this.table = svg("g", { class: "table" });
    this.over = svg("g");
    this.drawn = "";
    picture.append(this.ground, this.slabs, this.under, this.table, this.lines, this.over);
    /** @type {Map<string, SVGGElement>} */
    this.pieces = new Map();
  }

  /** @param {KitchenView} board what the match shows @param {WayView[]} ways the ways to draw */
  draw(board, ways) {
    const key = JSON.stringify(board.board);
    if (key !== this.drawn) this.still(board.board);
    this.drawn = key;
    this.slabs.replaceChildren(...board.slabs.map((square) => slab(square)), ...board.holes.map((hole) => holeOf(hole)), ...board.cheeses.map((square) => lying(square, board.pieces)));
    this.lines.replaceChildren(...board.since.filter((event) => event.path.length > 1).map((event) => trail(event)), ...ways.flatMap((way) => line(way)));
    for (const piece of board.pieces) this.stand(board, piece);
  }

  /** @param {KitchenView} board @param {PieceView} piece */
  stand(board, piece) {
    const node = this.pieces.get(piece.piece) ?? svg("g", {}, ...head(piece.piece));
    this.pieces.set(piece.piece, node);
    if (!piece.at) return node.remove();
    const [x, y] = middle(piece.at);
    const cat = board.pieces[0];
    const below = piece.under_table && same(cat.at, piece.at);
    const lifted = board.cheeses.some((square) => same(square, piece.at)) ? -6 : 0;
    set(node, { class: `piece ${kind(piece.piece)}${piece.under_table ? " under" : ""}${piece.in_hole ? " hiding" : ""}`,
      transform: `translate(${x + (below ? -14 : 0)} ${y + lifted + (below ? 15 : 2)}) scale(${below ? 0.7 : piece.under_table ? 0.9 : 1})` });
    const floor = piece.piece === "cat" ? this.over : piece.under_table ? this.under : this.over;
    if (node.parentNode !== floor) floor.append(node);
    return undefined;
  }

  /** @param {BoardView} board */
  still({ rows, cols, table }) {
    set(this.picture, { viewBox: `0 0 ${cols * SIDE} ${rows * SIDE}` });
    const floor = [];
    for (let row = 0; row < rows; row += 1) {
      for (let col = 0; col < cols; col += 1) {
        floor.push(svg("rect", { class: (row + col) % 2 ? "floor dark" : "floor", x: col * SIDE, y: row * SIDE, width: SIDE, height: SIDE }));
      }
    }
    this.ground.replaceChildren(...floor);
    const names = [...Array.from({ length: cols }, (_, col) => [col * SIDE + SIDE / 2, 9, columnName(col)]), ...Array.from({ length: rows }, (_, row) => [7, row * SIDE + SIDE / 2, row + 1])];
    const [tops, lefts] = [table.map(([row]) => row), table.map(([, col]) => col)];
    const box = { x: Math.min(...lefts) * SIDE, y: Math.min(...tops) * SIDE, right: (Math.max(...lefts) + 1) * SIDE, bottom: (Math.max(...tops) + 1) * SIDE };
    const whole = table.length === ((box.right - box.x) * (box.bottom - box.y)) / SIDE ** 2;
    const wood = whole ? [svg("rect", { class: "wood", x: box.x + 2, y: box.y + 2, width: box.right - box.x - 4, height: box.bottom - box.y - 4, rx: 10 })]
      : table.map(([row, col]) => svg("rect", { class: "wood", x: col * SIDE, y: row * SIDE, width: SIDE, height: SIDE }));
    this.table.replaceChildren(...wood);
    this.over.replaceChildren(svg("g", { class: "names" }, ...names.map(([x, y, text]) => svg("text", { x, y, text }))));
    this.pieces.clear();
    this.under.replaceChildren();
  }
}

/** A visible cheese, beside the cat where she stands on it. @param {Square} square @param {PieceView[]} pieces */
function lying(square, pieces) {
  const [x, y] = middle(square);
  const beside = pieces.some((piece) => same(piece.at, square));
  return svg("g", { transform: beside ? `translate(${x + 12} ${y + 20}) scale(0.75)` : `translate(${x} ${y})` }, ...cheese());
}

/** @param {Square} square */
const slab = ([row, col]) => svg("g", { class: "slab" }, svg("rect", { x: col * SIDE + 4, y: row * SIDE + 4, width: SIDE - 8, height: SIDE - 8, rx: 6 }),
  svg("path", { d: `M${col * SIDE + 12} ${row * SIDE + 30}L${col * SIDE + 30} ${row * SIDE + 12}L${col * SIDE + 48} ${row * SIDE + 30}L${col * SIDE + 30} ${row * SIDE + 48}Z` }));

/** @param {HoleView} hole */
const holeOf = ({ at: [row, col], open }) => svg("g", { class: open ? "hole open" : "hole", transform: `translate(${(col + 0.5) * SIDE} ${(row + 0.5) * SIDE})` },
  svg("rect", { x: -26, y: -26, width: 52, height: 52, rx: 6 }), svg("path", { d: "M-18 26V2A18 18 0 0 1 18 2V26Z" }));

/** @param {Square[]} path */
const points = (path) => path.map((square) => middle(square).join(" ")).join("L");

/** @param {Event} event */
const trail = (event) => svg("path", { class: `trail ${event.piece === "cat" ? "cat" : "mouse"} ${event.what}`, d: `M${points(event.path)}` });

/** A white road, dotted in the piece's colour. @param {WayView} way */
const line = (way) => ["road", `way ${kind(way.piece)}`].map((name) => svg("path", { class: name, d: `M${points(way.path)}` }));

/** A mouse hole as a picture of its own. @param {boolean} open */
export const hole = (open) => svg("svg", { class: `sign hole${open ? " open" : ""}`, viewBox: "-22 -20 44 40", "aria-hidden": "true" }, svg("path", { d: "M-15 18V0A15 15 0 0 1 15 0V18Z" }));
