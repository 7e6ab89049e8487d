/** Squares and shapes: turning, outlines, where a tile would lie. Plain values in and out. */

/** @typedef {[number, number]} Square row, column */
/** @typedef {{owner: "cat" | "dog", digit: number, turns: number, row: number, col: number}} Tile */

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
  let cells = rows.flatMap((row, r) => [...row].flatMap((sign, c) => (sign === "#" ? [[r, c]] : [])));
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
  const edges = new Map();
  const put = (from, to) => {
    const back = `${to}>${from}`;
    if (edges.has(back)) edges.delete(back);
    else edges.set(`${from}>${to}`, [from, to]);
  };
  for (const [r, c] of squares) {
    const corners = [[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]].map(String);
    corners.forEach((corner, n) => put(corner, corners[(n + 1) % 4]));
  }
  const from = new Map();
  for (const [start, end] of edges.values()) from.set(start, [...(from.get(start) ?? []), end]);
  let path = "";
  while (from.size) {
    const start = from.keys().next().value;
    let at = start;
    const loop = [];
    do {
      loop.push(at);
      const ends = from.get(at);
      const next = ends.pop();
      if (!ends.length) from.delete(at);
      at = next;
    } while (at !== start);
    path += `M${straight(loop).join("L")}Z`;
  }
  return path;
}

/** A loop's corners alone: points that lie on a straight line go. */
function straight(loop) {
  return loop.filter((point, n) => {
    const [before, here, after] = [loop.at(n - 1), point, loop[(n + 1) % loop.length]].map((each) => each.split(","));
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
  const mid = [0, 1].map((axis) => squares.reduce((sum, square) => sum + square[axis], 0) / squares.length);
  const cost = (square) => (square[0] - mid[0]) ** 2 + (square[1] - mid[1]) ** 2 + (worse.has(nameOf(square)) ? 1000 : 0);
  return squares.reduce((best, square) => (cost(square) < cost(best) ? square : best));
}

/**
 * Squares that a tile may not cover: pillows and tiles, `without` left out of these.
 * @param {any} board
 * @param {{owner: string, digit: number} | null} without
 */
export function taken(board, without) {
  const held = new Set(board.pillows.flat().map(nameOf));
  for (const tile of board.tiles) {
    if (tile.owner === without?.owner && tile.digit === without?.digit) continue;
    for (const cell of tile.cells) held.add(nameOf(cell));
  }
  return held;
}

/** The squares that a tile covers. */
export const covered = (board, tile) =>
  turned(board.shapes[tile.digit], tile.turns).cells.map(([r, c]) => [tile.row + r, tile.col + c]);

/** Whether a tile lies wholly on the bed and on empty squares. */
export function isFree(board, tile, held) {
  return covered(board, tile).every(
    (square) => square[0] >= 0 && square[1] >= 0 && square[0] < board.rows && square[1] < board.cols && !held.has(nameOf(square)),
  );
}

/**
 * Every square that a tile could cover, turned as it is, wherever it finds a free place.
 * @param {any} board
 * @param {{owner: string, digit: number, turns: number}} tile
 * @returns {Square[]}
 */
export function reachable(board, tile) {
  const held = taken(board, tile);
  const zone = bindingZone(board, tile);
  const found = new Map();
  for (let row = 0; row < board.rows; row += 1) {
    for (let col = 0; col < board.cols; col += 1) {
      const here = { ...tile, row, col };
      if (!isFree(board, here, held)) continue;
      const squares = covered(board, here);
      if (zone && !zone(squares)) continue;
      for (const square of squares) found.set(nameOf(square), square);
    }
  }
  return [...found.values()];
}

/**
 * Whether squares keep to the marked zone, for a side's first tile where the zone binds it; else null.
 * `board.zoneRule` says whom it binds, and whether touching it is enough.
 * @returns {((squares: Square[]) => boolean) | null}
 */
function bindingZone(board, tile) {
  const first = board.tiles.find((each) => each.owner === tile.owner);
  if (!board.zoneRule?.binds[tile.owner] || (first && first.digit !== tile.digit)) return null;
  const zone = new Set(board.zone.map(nameOf));
  const inside = (square) => zone.has(nameOf(square));
  return (squares) => (board.zoneRule.touching ? squares.some(inside) : squares.every(inside));
}

/**
 * Where a tile would lie when a finger points at `at` (in squares, fractions too): the free place whose
 * box lies nearest around it within `reach` squares, else the place just under the finger.
 * @param {any} board
 * @param {{owner: string, digit: number, turns: number}} tile
 * @param {[number, number]} at down, across
 * @param {number} reach
 * @returns {{tile: Tile, free: boolean}}
 */
export function placeAt(board, tile, at, reach) {
  const { height, width } = turned(board.shapes[tile.digit], tile.turns);
  const held = taken(board, tile);
  const zone = bindingZone(board, tile);
  const ideal = [at[0] - height / 2, at[1] - width / 2];
  let best = null;
  let least = Infinity;
  for (let row = Math.ceil(ideal[0] - reach); row <= ideal[0] + reach; row += 1) {
    for (let col = Math.ceil(ideal[1] - reach); col <= ideal[1] + reach; col += 1) {
      const here = { owner: tile.owner, digit: tile.digit, turns: tile.turns, row, col };
      const far = (row - ideal[0]) ** 2 + (col - ideal[1]) ** 2;
      if (far >= least || !isFree(board, here, held)) continue;
      // Where the marked zone binds, any place in it comes first; elsewhere the rules say no by themselves.
      const cost = zone && !zone(covered(board, here)) ? far + 1000 : far;
      if (cost < least) [best, least] = [here, cost];
    }
  }
  if (best) return { tile: best, free: true };
  const within = (value, most) => Math.max(0, Math.min(Math.max(0, most), Math.round(value)));
  const row = within(ideal[0], board.rows - height);
  const col = within(ideal[1], board.cols - width);
  return { tile: { owner: tile.owner, digit: tile.digit, turns: tile.turns, row, col }, free: false };
}

/**
 * The same tile turned on by a quarter, about its middle, at the nearest free place; null where none is near.
 * @param {any} board
 * @param {Tile} tile
 */
export function turnedOn(board, tile) {
  const { height, width } = turned(board.shapes[tile.digit], tile.turns);
  const at = /** @type {[number, number]} */ ([tile.row + height / 2, tile.col + width / 2]);
  for (let more = 1; more < 4; more += 1) {
    const found = placeAt(board, { ...tile, turns: (tile.turns + more) % 4 }, at, 2.5);
    if (found.free) return found.tile;
  }
  return null;
}
