/** The picture of the bed: one SVG, drawn from the view and changed in place. Units are squares. */

import { keyed, set, svg } from "/static/dom.js";
import { covered, middleOf, nameOf, outline, turned } from "./page_shapes.js";

const PAW = "M0 .1c-.17 0-.3.14-.3.27 0 .1.1.13.3.13s.3-.03.3-.13c0-.13-.13-.27-.3-.27z";
const TOES = [[-0.27, 0.02], [-0.1, -0.14], [0.1, -0.14], [0.27, 0.02]];

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

/** A coat as a pattern of its own kind: stripes for cats, spots for dogs; to be told apart without colour. */
export function coats(prefix) {
  const pattern = (name, size, ...inside) =>
    svg("pattern", { id: `${prefix}-${name}`, width: size, height: size, patternUnits: "userSpaceOnUse" }, ...inside);
  const ground = (size, name) => svg("rect", { width: size, height: size, class: name });
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

/** The head with a number (or sign) in it. */
function head(owner, text) {
  return [svg("path", { d: HEADS[owner], class: `head ${owner}` }), svg("text", { class: `head-text${["", "", "", " long"][String(text).length] ?? " longer"}`, y: 0.02, text })];
}

/** A shape by itself, as a small picture; `width` of its box is the digits' own. */
export function shapePicture(rows, owner, prefix) {
  const { cells, height, width } = turned(rows, 0);
  return svg("svg", { viewBox: `-.15 -.15 ${width + 0.3} ${height + 0.3}`, class: "shape", "aria-hidden": "true" },
    svg("path", { d: outline(cells), class: `tile-edge ${owner}`, fill: `url(#${prefix}-${owner})`, "fill-rule": "evenodd" }));
}

/** Moves a tile's upright drawing to where it lies and how it is turned. */
function lying(tile, height, width) {
  const turn = [`1 0 0 1 0 0`, `0 1 -1 0 ${height} 0`, `-1 0 0 -1 ${width} ${height}`, `0 -1 1 0 0 ${width}`][tile.turns];
  return `translate(${tile.col} ${tile.row}) matrix(${turn})`;
}

/** A tail plugged into the foot, bent inwards; it lies over the squares beside it. */
function tail(rows) {
  const foot = rows.at(-1).lastIndexOf("#") + 0.5;
  const inwards = foot > rows[0].length / 2 ? -1 : 1;
  return `M${foot} ${rows.length - 0.15}q.02 .55 ${0.3 * inwards} .62t${0.42 * inwards}-.18`;
}

/** A picture of (a part of) a bed. */
export class Bed {
  /**
   * @param {SVGElement} picture empty
   * @param {string} prefix for the names of its patterns, one for each picture in a page
   */
  constructor(picture, prefix) {
    this.picture = picture;
    this.prefix = prefix;
    const layer = (name) => svg("g", { class: name });
    this.layers = Object.fromEntries(
      ["ground", "own", "lines", "zone", "pillows", "toys", "tiles", "chosen", "labels", "reach", "ghost"].map((name) => [name, layer(name)]),
    );
    picture.append(coats(prefix), ...Object.values(this.layers));
    this.ghost = svg("path", { class: "ghost-shape" });
    this.spot = svg("circle", { class: "spot", r: 0.62 });
    this.reach = svg("path", { class: "reach", "fill-rule": "evenodd" });
    this.layers.reach.append(this.reach);
    this.layers.ghost.append(this.ghost, this.spot);
    this.mark(null);
    this.point(null);
  }

  /**
   * Draw what the view holds. `part` is the part to show, in squares.
   * @param {any} board
   * @param {{row: number, col: number, rows: number, cols: number} | null} [part]
   */
  draw(board, part = null) {
    const { rows, cols } = board;
    const seen = part ?? { row: -0.2, col: -0.2, rows: rows + 0.4, cols: cols + 0.4 };
    set(this.picture, { viewBox: `${seen.col} ${seen.row} ${seen.cols} ${seen.rows}` });
    // On a large bed numbers keep a size that can be read: they grow with the squares that share the width.
    this.scale = Math.max(1, Math.max(seen.cols / 16, seen.rows / 21));
    this.ground(board);
    this.regions(board);
    keyed(this.layers.tiles, board.tiles, (tile) => `${tile.owner}${tile.digit}`, (tile) => this.newTile(board, tile),
      (node, tile) => this.tile(node, board, tile));
    this.labels(board);
  }

  ground(board) {
    const { rows, cols } = board;
    const key = JSON.stringify([rows, cols, board.board, board.zone.length]);
    if (this.drawn === key) return;
    this.drawn = key;
    const { ground, lines, zone, pillows, toys } = this.layers;
    ground.replaceChildren(svg("rect", { x: -0.2, y: -0.2, width: cols + 0.4, height: rows + 0.4, rx: 0.4, class: "mattress" }));
    const across = Array.from({ length: rows - 1 }, (_, r) => `M0 ${r + 1}H${cols}`);
    const down = Array.from({ length: cols - 1 }, (_, c) => `M${c + 1} 0V${rows}`);
    lines.replaceChildren(svg("path", { d: [...across, ...down].join(""), class: "line" }));
    zone.replaceChildren(svg("path", { d: outline(board.zone), class: "frame" }));
    pillows.replaceChildren(...board.pillows.map((squares) => this.pillow(squares)));
    toys.replaceChildren(...Object.entries(board.toys).flatMap(([kind, squares]) =>
      squares.map(([r, c]) => svg("g", { class: `toy ${kind}`, transform: `translate(${c + 0.5} ${r + 0.5})` }, ...toyPicture(kind)))));
  }

  pillow(squares) {
    const [top, left] = [0, 1].map((axis) => Math.min(...squares.map((square) => square[axis])));
    const [bottom, right] = [0, 1].map((axis) => Math.max(...squares.map((square) => square[axis])));
    const box = { x: left + 0.1, y: top + 0.1, width: right - left + 0.8, height: bottom - top + 0.8 };
    return svg("g", {}, svg("rect", { ...box, rx: 0.5, class: "pillow" }),
      svg("path", { d: `M${box.x + 0.35} ${box.y + 0.35}q${box.width / 2 - 0.35} .3 ${box.width - 0.7} 0`, class: "crease" }));
  }

  regions(board) {
    const own = board.regions.filter((region) => region.owner || region.why === "equal");
    // Keyed by a square of it: a region that only grew or shrank keeps its node.
    keyed(this.layers.own, own, (region) => nameOf(region.squares[0]), () => svg("g", {}, svg("path"), svg("path")),
      (node, region) => {
        const d = outline(region.squares);
        const owner = region.owner ?? "equal";
        set(node.firstChild, { d, class: `own ${owner}`, "fill-rule": "evenodd" });
        set(node.lastChild, { d, fill: region.owner ? `url(#${this.prefix}-own-${owner})` : "none", "fill-rule": "evenodd" });
      });
  }

  newTile(board, tile) {
    return svg("g", { class: `tile ${tile.owner}` }, svg("g", {}, svg("path", { class: "tail-edge" }), svg("path", { class: "tail" }), svg("path")),
      svg("g", {}, svg("circle", { class: "plate" }), svg("text", { class: "digit", text: tile.digit })));
  }

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
    const [r, c] = middleOf(tile.cells ?? covered(board, tile));
    const size = this.scale;
    set(plate, { transform: `translate(${c + 0.5} ${r + 0.5}) scale(${size})` });
    set(plate.firstChild, { r: 0.4 });
    set(node, { class: `tile ${tile.owner}${tile.is ? ` ${tile.is}` : ""}` });
  }

  labels(board) {
    const toys = new Set(Object.values(board.toys).flat().map(nameOf));
    const told = board.regions.filter((region) => region.owner || region.why === "equal");
    keyed(this.layers.labels, told, (region) => nameOf(region.squares[0]), () => svg("g"), (node, region) => {
      const [r, c] = middleOf(region.squares, toys);
      set(node, { transform: `translate(${c + 0.5} ${r + 0.5}) scale(${this.scale * 0.92})` });
      const key = `${region.owner}${region.points}`;
      if (node.dataset.told === key) return;
      node.dataset.told = key;
      node.replaceChildren(...(region.owner ? head(region.owner, region.points)
        : [svg("circle", { r: 0.34, class: "head equal" }), svg("text", { class: "head-text", text: "=" })]));
    });
  }

  /** Frame squares (a region, a tile), or none. */
  choose(squares) {
    const { chosen } = this.layers;
    if (!squares) return chosen.replaceChildren();
    const d = outline(squares);
    if (chosen.firstChild?.getAttribute("d") !== d) chosen.replaceChildren(svg("path", { d, class: "choice" }));
    return undefined;
  }

  /** Show where a tile would lie: `{tile, free}`, or null for nowhere. */
  mark(place, board = null) {
    set(this.ghost, { class: `ghost-shape${place ? (place.free ? " free" : " not-free") : ""}`, d: place ? outline(covered(board, place.tile)) : "",
      fill: place ? `url(#${this.prefix}-${place.tile.owner})` : "none" });
  }

  /** Light up the squares that the tile in hand can cover, turned as it is; none without one. */
  light(squares) {
    set(this.reach, { d: squares.length ? outline(squares) : "" });
  }

  /** Ring one square, or none. */
  point(square) {
    set(this.spot, { cx: square ? square[1] + 0.5 : 0, cy: square ? square[0] + 0.5 : 0, class: square ? "spot shown" : "spot" });
  }
}

/** A toy of that kind; a kind without a picture of its own is a dot. */
export function toyPicture(kind) {
  return (TOYS[kind] ?? (() => [svg("circle", { r: 0.25 })]))();
}

/** A paw print, for markers. */
export function paw(owner) {
  return svg("svg", { viewBox: "-.55 -.45 1.1 1.1", class: `paw ${owner}`, "aria-hidden": "true" }, svg("path", { d: PAW }),
    ...TOES.map(([cx, cy]) => svg("circle", { cx, cy, r: 0.085 })));
}

/** A cat's or a dog's head alone. */
export function face(owner) {
  return svg("svg", { viewBox: "-.75 -.7 1.5 1.25", class: `face ${owner}`, "aria-hidden": "true" },
    svg("path", { d: HEADS[owner], class: `head ${owner}` }),
    svg("circle", { cx: -0.18, cy: -0.04, r: 0.06 }), svg("circle", { cx: 0.18, cy: -0.04, r: 0.06 }),
    svg("path", { d: "M-.09 .14h.18l-.09 .1z" }));
}
