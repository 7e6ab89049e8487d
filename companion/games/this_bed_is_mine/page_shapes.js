/** Squares and shapes: turning, outlines, where a tile would lie. Plain values in and out. */

/** @import { BedView, TileView } from "./page_types.js" */

/** @typedef {[number, number]} Square row, column */
/** @typedef {"cat" | "dog"} Owner */
/** @typedef {{owner: Owner, digit: number, turns: number, row: number, col: number}} Tile */
/** A tile in hand: how it is turned, not where it is to lie. @typedef {{owner: Owner, digit: number, turns: number}} Turned */
/** Whom the marked zone binds at the first tile, and whether touching it is enough. @typedef {{binds: Record<Owner, boolean>, touching: boolean}} ZoneRule */
/** @typedef {BedView & {zoneRule: ZoneRule}} Board the bed as the match shows it, and how its zone binds */
/** @typedef {{tile: Tile, free: boolean}} Place where a tile would lie, and whether it may */

export const OWNERS = /** @type {const} */ (["cat", "dog"]);

/**
 * A shape's squares within its box after `turns` clockwise quarter turns.
 * @param {string[]} rows the upright shape, `#` a square of the tile
 * @param {number} turns
 * @returns {{cells: Square[], height: number, width: number}}
 */
export function turned(rows, turns) {
  let height = rows.length;
  let width = rows[0].length;
  /** @type {Square[]} */
  let cells = [];
  for (const [r, row] of rows.entries()) for (const [c, sign] of [...row].entries()) if (sign === "#") cells.push([r, c]);
  for (let n = 0; n < turns % 4; n += 1) {
    const below = height - 1;
    cells = cells.map(([r, c]) => [c, below - r]);
    [height, width] = [width, height];
  }
  return { cells, height, width };
}

/** @param {Square} square */
export const nameOf = ([r, c]) => `${r},${c}`;

/**
 * The outline of squares as an SVG path in units of squares: outer borders and holes, each a loop.
 * @param {Iterable<Square>} squares
 */
export function outline(squares) {
  /** @type {Map<string, [string, string]>} */
  const edges = new Map();
  const put = (/** @type {string} */ from, /** @type {string} */ to) => {
    const back = `${to}>${from}`;
    if (edges.has(back)) edges.delete(back);
    else edges.set(`${from}>${to}`, [from, to]);
  };
  for (const [r, c] of squares) {
    const corners = [[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]].map(String);
    corners.forEach((corner, n) => put(corner, corners[(n + 1) % 4]));
  }
  /** @type {Map<string, string[]>} */
  const ends = new Map();
  for (const [start, end] of edges.values()) ends.set(start, [...(ends.get(start) ?? []), end]);
  let path = "";
  for (const start of ends.keys()) while (ends.get(start)?.length) path += `M${straight(loopFrom(start, ends)).join("L")}Z`;
  return path;
}

/**
 * The corners of one loop, from `start` back to it; its edges are taken out of `ends`.
 * @param {string} start
 * @param {Map<string, string[]>} ends where the edges that begin at a corner end
 */
function loopFrom(start, ends) {
  const loop = [start];
  let at = ends.get(start)?.pop();
  while (at !== undefined && at !== start) {
    loop.push(at);
    at = ends.get(at)?.pop();
  }
  return loop;
}

/** A loop's corners alone: points that lie on a straight line go. @param {string[]} loop */
function straight(loop) {
  return loop.filter((point, n) => {
    const [before, here, after] = [loop[(n || loop.length) - 1], point, loop[(n + 1) % loop.length]].map((each) => each.split(","));
    return !((before[0] === here[0] && here[0] === after[0]) || (before[1] === here[1] && here[1] === after[1]));
  });
}

/**
 * The square of `squares` that is nearest to their middle, one that `worse` does not hold if there is one.
 * @param {Square[]} squares
 * @param {Set<string>} [worse]
 * @returns {Square}
 */
export function middleOf(squares, worse = new Set()) {
  const mid = /** @type {const} */ ([0, 1]).map((axis) => squares.reduce((sum, square) => sum + square[axis], 0) / squares.length);
  const cost = (/** @type {Square} */ square) => (square[0] - mid[0]) ** 2 + (square[1] - mid[1]) ** 2 + (worse.has(nameOf(square)) ? 1000 : 0);
  return squares.reduce((best, square) => (cost(square) < cost(best) ? square : best));
}

/**
 * Squares that a tile may not cover: pillows and tiles, `without` left out of these.
 * @param {BedView} board
 * @param {{owner: string, digit: number} | null} without
 */
export function taken(board, without) {
  const names = new Set(board.pillows.flat().map(nameOf));
  for (const tile of board.tiles) {
    if (tile.owner === without?.owner && tile.digit === without?.digit) continue;
    for (const cell of tile.cells) names.add(nameOf(cell));
  }
  return names;
}

/**
 * The squares that a tile covers.
 * @param {BedView} board
 * @param {Tile} tile
 * @returns {Square[]}
 */
export const covered = (board, tile) =>
  turned(board.shapes[tile.digit], tile.turns).cells.map(([r, c]) => [tile.row + r, tile.col + c]);

/**
 * Whether a tile lies wholly on the bed and on empty squares.
 * @param {BedView} board
 * @param {Tile} tile
 * @param {Set<string>} full squares that are not empty, by name
 */
export function isFree(board, tile, full) {
  return covered(board, tile).every(
    (square) => square[0] >= 0 && square[1] >= 0 && square[0] < board.rows && square[1] < board.cols && !full.has(nameOf(square)),
  );
}

/** The region that a square is part of. @param {BedView} board @param {Square} square */
export const regionAt = (board, square) => board.regions.find((region) => region.squares.some((each) => nameOf(each) === nameOf(square)));

/** The tile that lies on a square. @param {BedView} board @param {Square} square @returns {TileView | undefined} */
export const tileAt = (board, [r, c]) => board.tiles.find((tile) => tile.cells.some((cell) => cell[0] === r && cell[1] === c));

/** The rows and columns that squares reach over: the first, and one beyond the last. @param {Square[]} squares */
export function boxOf(squares) {
  const [rows, cols] = [squares.map(([r]) => r), squares.map(([, c]) => c)];
  return { top: Math.min(...rows), left: Math.min(...cols), bottom: Math.max(...rows) + 1, right: Math.max(...cols) + 1 };
}

/**
 * The rule by which a tile may not lie there, with its facts and the squares that clash; null where it may.
 * @param {Board} board
 * @param {Tile} tile
 * @returns {{rule: string, squares: Square[], facts?: Record<string, string | number>} | null}
 */
export function refusal(board, tile) {
  const { owner, digit } = tile;
  const cells = covered(board, tile);
  const others = board.tiles.filter((each) => each.owner !== owner || each.digit !== digit);
  const full = taken(board, tile);
  const squares = cells.filter((square) => full.has(nameOf(square)));
  const under = others.find((each) => cells.some((square) => tileAt({ ...board, tiles: [each] }, square)));
  if (under) return { rule: "on-a-tile", facts: { under_owner: under.owner, under_digit: under.digit }, squares };
  if (squares.length) return { rule: "on-a-pillow", squares };
  const lies = others.length < board.tiles.length;
  if (!lies && board.skipped[owner]) return { rule: "stays-out", squares: [] };
  if (!lies && board.turn && board.turn !== owner) return { rule: "not-your-turn", squares: [], facts: { turn: board.turn } };
  if (!lies && board.first_tile && !board.first_tile.digits.includes(digit)) return { rule: "first-digit", squares: [], facts: { digits: board.first_tile.digits.join(", ") } };
  const zone = bindingZone(board, tile);
  return !zone || zone(cells) ? null : { rule: "first-zone", squares: cells.filter((square) => !zone([square])) };
}

/**
 * Whether squares keep to the marked zone, for a side's first tile where the zone binds it; else null.
 * @param {Board} board
 * @param {Turned} tile
 * @returns {((squares: Square[]) => boolean) | null}
 */
function bindingZone(board, tile) {
  const first = board.tiles.find((each) => each.owner === tile.owner);
  if (!board.zoneRule.binds[tile.owner] || (first && first.digit !== tile.digit)) return null;
  const zone = new Set(board.zone.map(nameOf));
  const inside = (/** @type {Square} */ square) => zone.has(nameOf(square));
  return (squares) => (board.zoneRule.touching ? squares.some(inside) : squares.every(inside));
}

/**
 * Where a tile would lie when a finger points at `at` (in squares, fractions too): the free place whose
 * box lies nearest around it within `reach` squares, else the place just under the finger.
 * @param {Board} board
 * @param {Turned} tile
 * @param {[number, number]} at down, across
 * @param {number} reach
 * @returns {Place}
 */
export function placeAt(board, tile, at, reach) {
  const { height, width } = turned(board.shapes[tile.digit], tile.turns);
  const full = taken(board, tile);
  const zone = bindingZone(board, tile);
  const ideal = [at[0] - height / 2, at[1] - width / 2];
  /** @type {Tile | null} */
  let best = null;
  let least = Infinity;
  for (let row = Math.ceil(ideal[0] - reach); row <= ideal[0] + reach; row += 1) {
    for (let col = Math.ceil(ideal[1] - reach); col <= ideal[1] + reach; col += 1) {
      const here = { owner: tile.owner, digit: tile.digit, turns: tile.turns, row, col };
      const far = (row - ideal[0]) ** 2 + (col - ideal[1]) ** 2;
      if (far >= least || !isFree(board, here, full)) continue;
      // Where the marked zone binds, any place in it comes first; elsewhere the rules say no by themselves.
      const cost = zone && !zone(covered(board, here)) ? far + 1000 : far;
      if (cost < least) [best, least] = [here, cost];
    }
  }
  if (best) return { tile: best, free: true };
  const within = (/** @type {number} */ value, /** @type {number} */ most) => Math.max(0, Math.min(Math.max(0, most), Math.round(value)));
  const row = within(ideal[0], board.rows - height);
  const col = within(ideal[1], board.cols - width);
  return { tile: { owner: tile.owner, digit: tile.digit, turns: tile.turns, row, col }, free: false };
}

/**
 * The same tile turned on by a quarter, about its middle, at the nearest free place; null where none is near.
 * @param {Board} board
 * @param {Tile} tile
 */
export function turnedOn(board, tile) {
  const { height, width } = turned(board.shapes[tile.digit], tile.turns);
  const at = /** @type {[number, number]} */ ([tile.row + height / 2, tile.col + width / 2]);
  for (let more = 1; more < 4; more += 1) {
    const place = placeAt(board, { ...tile, turns: (tile.turns + more) % 4 }, at, 2.5);
    if (place.free) return place.tile;
  }
  return null;
}
