/** The picture of the bed: one SVG, drawn from the view and changed in place. Units are squares. */

import { keyed, set, svg } from "/static/dom.js";
import { columnName } from "/static/names.js";
import { boxOf, covered, middleOf, nameOf, outline, turned } from "./page_shapes.js";

/** @import { BedView } from "./page_types.js" */
/** @import { Owner, Square, Tile } from "./page_shapes.js" */

/**
 * A tile as it is drawn: `is` says what is special about it, `cells` which squares it covers. `twin`: which of
 * several with one name it is, where a photo was read so.
 * @typedef {Tile & {cells: Square[], is?: "" | "held" | "newest" | "lifted" | "told" | "either", twin?: number}} DrawnTile
 */
/** A bed as it is drawn. @typedef {Omit<BedView, "tiles"> & {tiles: DrawnTile[]}} DrawnBed */
/** A part of the bed, in squares. @typedef {{row: number, col: number, rows: number, cols: number}} Part */

const LAYERS = /** @type {const} */ (["ground", "own", "lines", "zone", "pillows", "toys", "names", "tiles", "chosen", "labels", "ghost"]);

const MOST_NAMED = 26; // columns or rows that are each named at the edge; of more, every fifth is

const PAW = "M0 .1c-.17 0-.3.14-.3.27 0 .1.1.13.3.13s.3-.03.3-.13c0-.13-.13-.27-.3-.27z";
const TOES = [[-0.27, 0.02], [-0.1, -0.14], [0.1, -0.14], [0.27, 0.02]];

/** @type {Record<string, () => SVGElement[]>} */
const TOYS = {
  bone: () => [svg("path", { d: "M-.24 .1a.1 .1 0 1 1-.1-.14a.1 .1 0 1 1 .14-.1l.36 .02a.1 .1 0 1 1 .14 .1a.1 .1 0 1 1-.1 .14z", transform: "rotate(-30)" })],
  mouse: () => [
    svg("path", { d: "M.26 .12Q.46 .14 .4-.1", class: "thread-of-own" }),
    svg("path", { d: "M-.36 .12Q-.22-.16 .06-.17Q.3-.14 .3 .08Q.3 .2 .16 .2H-.24Q-.34 .2-.36 .12z" }),
    svg("circle", { cx: -0.08, cy: -0.17, r: 0.11 }),
    svg("circle", { cx: -0.2, cy: 0.03, r: 0.035, class: "eye-of-toy" }),
  ],
  yarn: () => [svg("circle", { r: 0.28 }), svg("path", { d: "M-.2 -.15q.25 .05 .36 .32M-.27 .03q.2 .02 .28 .24M0-.28q.2 .1 .27 .28M.2 .2q.15 .05 .22 .14", class: "thread" })],
};

/** A head for a number: a cat's has pointed ears, a dog's hanging ones. */
const HEADS = {
  cat: "M-.46 -.62L-.2 -.44Q0-.5 .2-.44L.46-.62L.5-.1Q.5 .46 0 .46T-.5-.1z",
  dog: "M-.3-.42Q0-.54 .3-.42Q.44-.56 .58-.4Q.72-.1 .6 .2Q.52 .32 .46 .2Q.34 .46 0 .46T-.46 .2Q-.52 .32-.6 .2Q-.72-.1-.58-.4Q-.44-.56-.3-.42z",
};

/** A coat as a pattern of its own kind: stripes for cats, spots for dogs; to be told apart without colour. @param {string} prefix */
export function coats(prefix) {
  const pattern = (/** @type {string} */ name, /** @type {number} */ size, /** @type {SVGElement[]} */ ...inside) =>
    svg("pattern", { id: `${prefix}-${name}`, width: size, height: size, patternUnits: "userSpaceOnUse" }, ...inside);
  const ground = (/** @type {number} */ size, /** @type {string} */ name) => svg("rect", { width: size, height: size, class: name });
  return svg("defs", {},
    pattern("cat", 1, ground(1, "cat-coat"),
      svg("path", { d: "M-.1 .2Q.25 .02 .5 .2T1.1 .2M-.1 .7Q.25 .52 .5 .7T1.1 .7", class: "cat-stripe" })),
    pattern("dog", 1.4, ground(1.4, "dog-coat"),
      ...[[0.3, 0.35, 0.21], [1.02, 0.2, 0.13], [0.86, 0.88, 0.25], [0.2, 1.08, 0.14], [1.3, 0.62, 0.1]].map(([cx, cy, r]) =>
        svg("circle", { cx, cy, r, class: "dog-spot" }))),
    pattern("own-cat", 0.5, svg("path", { d: "M-.1 .6L.6-.1M-.1 .1L.1-.1M.4 .6L.6 .4", class: "own-stripe" })),
    pattern("own-dog", 0.5, svg("circle", { cx: 0.25, cy: 0.25, r: 0.085, class: "own-dot" })),
  );
}

/** The head with a number in it. @param {Owner} owner @param {number} text */
function head(owner, text) {
  return [svg("path", { d: HEADS[owner], class: `head ${owner}` }), svg("text", { class: `head-text${["", "", "", " long"][String(text).length] ?? " longer"}`, y: 0.02, text })];
}

/** A shape by itself, as a small picture. @param {string[]} rows @param {Owner} owner @param {string} prefix of the names of patterns */
export function shapePicture(rows, owner, prefix) {
  const { cells, height, width } = turned(rows, 0);
  return svg("svg", { viewBox: `-.15 -.15 ${width + 0.3} ${height + 0.3}`, class: "shape", "aria-hidden": "true" },
    svg("path", { d: outline(cells), class: `tile-edge ${owner}`, fill: `url(#${prefix}-${owner})`, "fill-rule": "evenodd" }));
}

/** Moves a tile's upright drawing to where it lies and how it is turned. @param {Tile} tile @param {number} height @param {number} width */
function lying(tile, height, width) {
  const turn = [`1 0 0 1 0 0`, `0 1 -1 0 ${height} 0`, `-1 0 0 -1 ${width} ${height}`, `0 -1 1 0 0 ${width}`][tile.turns];
  return `translate(${tile.col} ${tile.row}) matrix(${turn})`;
}

/** A tail plugged into the foot, bent inwards; it lies over the squares beside it. @param {string[]} rows */
function tail(rows) {
  const foot = rows[rows.length - 1].lastIndexOf("#") + 0.5;
  const inwards = foot > rows[0].length / 2 ? -1 : 1;
  return `M${foot} ${rows.length - 0.15}q.02 .55 ${0.3 * inwards} .62t${0.42 * inwards}-.18`;
}

/** A picture of (a part of) a bed. */
export class Bed {
  /**
   * @param {SVGSVGElement} picture empty
   * @param {string} prefix for the names of its patterns, one for each picture in a page
   */
  constructor(picture, prefix) {
    this.picture = picture;
    this.prefix = prefix;
    this.scale = 1;
    this.drawn = "";
    const layers = LAYERS.map((name) => [name, svg("g", { class: name })]);
    this.layers = /** @type {Record<typeof LAYERS[number], SVGGElement>} */ (Object.fromEntries(layers));
    picture.append(coats(prefix), ...Object.values(this.layers));
    this.ghost = svg("path", { class: "ghost-shape" });
    this.spot = svg("circle", { class: "spot", r: 0.62 });
    this.clash = svg("path", { class: "clash", "fill-rule": "evenodd" });
    this.layers.ghost.append(this.ghost, this.clash, this.spot);
    this.unmark();
    this.point(null);
  }

  /**
   * Draw what the view holds. `part` is the part to show.
   * @param {DrawnBed} board
   * @param {Part | null} [part]
   */
  draw(board, part = null) {
    const { rows, cols } = board;
    const seen = part ?? { row: -0.2, col: -0.2, rows: rows + 0.4, cols: cols + 0.4 };
    set(this.picture, { viewBox: `${seen.col} ${seen.row} ${seen.cols} ${seen.rows}` });
    // On a large bed numbers keep a size that can be read: they grow with the squares that share the width.
    this.scale = Math.max(1, Math.max(seen.cols / 16, seen.rows / 21));
    this.ground(board);
    this.regions(board);
    keyed(this.layers.tiles, board.tiles, (tile) => `${tile.owner}${tile.digit}${tile.twin || ""}`, (tile) => this.newTile(tile),
      (node, tile) => this.tile(node, board, tile));
    this.labels(board);
  }

  /** @param {DrawnBed} board */
  ground(board) {
    const { rows, cols } = board;
    const key = JSON.stringify([rows, cols, board.board, board.zone.length]);
    if (this.drawn === key) return;
    this.drawn = key;
    const { ground, lines, names, zone, pillows, toys } = this.layers;
    ground.replaceChildren(svg("rect", { x: -0.2, y: -0.2, width: cols + 0.4, height: rows + 0.4, rx: 0.4, class: "mattress" }));
    const across = Array.from({ length: rows - 1 }, (_, r) => `M0 ${r + 1}H${cols}`);
    const down = Array.from({ length: cols - 1 }, (_, c) => `M${c + 1} 0V${rows}`);
    lines.replaceChildren(svg("path", { d: [...across, ...down].join(""), class: "line" }));
    const size = this.scale;
    names.replaceChildren(
      ...named(cols).map((c) => svg("text", { class: "name", transform: `translate(${c + 0.5} ${0.2 * size}) scale(${size})`, text: columnName(c) })),
      ...named(rows).map((r) => svg("text", { class: "name", transform: `translate(${0.22 * size} ${r + 0.5}) scale(${size})`, text: r + 1 })));
    zone.replaceChildren(svg("path", { d: outline(board.zone), class: "frame" }));
    pillows.replaceChildren(...board.pillows.map((squares) => this.pillow(squares)));
    toys.replaceChildren(...Object.entries(board.toys).flatMap(([kind, squares]) =>
      squares.map(([r, c]) => svg("g", { class: `toy ${kind}`, transform: `translate(${c + 0.5} ${r + 0.5})` }, ...toyPicture(kind)))));
  }

  /** @param {Square[]} squares */
  pillow(squares) {
    const { top, left, bottom, right } = boxOf(squares);
    if (squares.length !== (bottom - top) * (right - left)) return svg("path", { d: outline(squares), class: "pillow" });
    const box = { x: left + 0.1, y: top + 0.1, width: right - left - 0.2, height: bottom - top - 0.2 };
    return svg("g", {}, svg("rect", { ...box, rx: 0.5, class: "pillow" }),
      svg("path", { d: `M${box.x + 0.35} ${box.y + 0.35}q${box.width / 2 - 0.35} .3 ${box.width - 0.7} 0`, class: "crease" }));
  }

  /** @param {DrawnBed} board */
  regions(board) {
    const own = board.regions.filter((region) => region.owner || region.why === "equal");
    // Keyed by a square of it: a region that only grew or shrank keeps its node.
    keyed(this.layers.own, own, (region) => nameOf(region.squares[0]), () => svg("g", {}, svg("path"), svg("path")),
      (node, region) => {
        const d = outline(region.squares);
        const owner = region.owner ?? "equal";
        const [ground, pattern] = node.children;
        set(ground, { d, class: `own ${owner}`, "fill-rule": "evenodd" });
        set(pattern, { d, fill: region.owner ? `url(#${this.prefix}-own-${owner})` : "none", "fill-rule": "evenodd" });
      });
  }

  /** @param {DrawnTile} tile */
  newTile(tile) {
    return svg("g", { class: `tile ${tile.owner}` }, svg("g", {}, svg("path", { class: "tail-edge" }), svg("path", { class: "tail" }), svg("path")),
      svg("g", {}, svg("circle", { class: "plate" }), svg("text", { class: "digit", text: tile.digit })));
  }

  /** @param {SVGElement} node @param {DrawnBed} board @param {DrawnTile} tile */
  tile(node, board, tile) {
    const rows = board.shapes[tile.digit];
    const { cells } = turned(rows, 0);
    const [body, plate] = node.children;
    const [tailEdge, tailHair, coat] = body.children;
    const bent = rows.length > 1 || rows[0].length > 1 ? tail(rows) : "";
    set(body, { transform: lying(tile, rows.length, rows[0].length) });
    set(tailEdge, { d: bent });
    set(tailHair, { d: bent });
    set(coat, { d: outline(cells), class: `tile-edge ${tile.owner}`, fill: `url(#${this.prefix}-${tile.owner})`, "fill-rule": "evenodd" });
    const [r, c] = middleOf(tile.cells);
    const size = this.scale;
    set(plate, { transform: `translate(${c + 0.5} ${r + 0.5}) scale(${size})` });
    set(plate.children[0], { r: 0.4 });
    set(node, { class: `tile ${tile.owner}${tile.is ? ` ${tile.is}` : ""}` });
  }

  /** @param {DrawnBed} board */
  labels(board) {
    const toys = new Set(Object.values(board.toys).flat().map(nameOf));
    const labelled = board.regions.filter((region) => region.owner || region.why === "equal");
    keyed(this.layers.labels, labelled, (region) => nameOf(region.squares[0]), () => svg("g"), (node, region) => {
      const [r, c] = middleOf(region.squares, toys);
      set(node, { transform: `translate(${c + 0.5} ${r + 0.5}) scale(${this.scale * 0.92})` });
      const key = `${region.owner}${region.points}`;
      if (node.dataset.label === key) return;
      node.dataset.label = key;
      node.replaceChildren(...(region.owner ? head(region.owner, region.points)
        : [svg("circle", { r: 0.34, class: "head equal" }), svg("text", { class: "head-text", text: "=" })]));
    });
  }

  /** Frame squares (a region, a tile), or none. @param {Square[] | null} squares */
  choose(squares) {
    const { chosen } = this.layers;
    const d = squares ? outline(squares) : "";
    if (!squares) chosen.replaceChildren();
    else if (chosen.firstElementChild?.getAttribute("d") !== d) chosen.replaceChildren(svg("path", { d, class: "choice" }));
  }

  /** Show where a tile would lie; where it may not, the squares that clash. @param {Tile} tile @param {BedView} board @param {Square[]} [clash] */
  mark(tile, board, clash) {
    set(this.ghost, { class: `ghost-shape ${clash ? "not-free" : "free"}`, d: outline(covered(board, tile)), fill: `url(#${this.prefix}-${tile.owner})` });
    set(this.clash, { d: outline(clash ?? []) });
  }

  /** Show no place for a tile any more. */
  unmark() {
    set(this.ghost, { class: "ghost-shape", d: "", fill: "none" });
    set(this.clash, { d: "" });
  }

  /** Ring one square, or none. @param {Square | null} square */
  point(square) {
    set(this.spot, { cx: square ? square[1] + 0.5 : 0, cy: square ? square[0] + 0.5 : 0, class: square ? "spot shown" : "spot" });
  }
}

/** Which of so many columns or rows bear their name at the edge. @param {number} count */
const named = (count) => Array.from({ length: count }, (_, n) => n).filter((n) => count <= MOST_NAMED || n % 5 === 4);

/** A toy of that kind; a kind without a picture of its own is a dot. @param {string} kind */
export function toyPicture(kind) {
  return (TOYS[kind] ?? (() => [svg("circle", { r: 0.25 })]))();
}

/** A paw print, for markers. @param {Owner} owner */
export function paw(owner) {
  return svg("svg", { viewBox: "-.55 -.45 1.1 1.1", class: `paw ${owner}`, "aria-hidden": "true" }, svg("path", { d: PAW }),
    ...TOES.map(([cx, cy]) => svg("circle", { cx, cy, r: 0.085 })));
}

/** A cat's or a dog's head alone. @param {Owner} owner */
export function face(owner) {
  return svg("svg", { viewBox: "-.75 -.7 1.5 1.25", class: `face ${owner}`, "aria-hidden": "true" },
    svg("path", { d: HEADS[owner], class: `head ${owner}` }),
    svg("circle", { cx: -0.18, cy: -0.04, r: 0.06 }), svg("circle", { cx: 0.18, cy: -0.04, r: 0.06 }),
    svg("path", { d: "M-.09 .14h.18l-.09 .1z" }));
}
