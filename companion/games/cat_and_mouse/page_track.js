/** The board as a track: a ribbon winding from corner to corner, a stone on it for each square. */

import { set, svg } from "/static/dom.js";

/** @import { BoardView, RaceView } from "./page_types.js" */

/** @typedef {"cat" | "mouse"} Seat */
/** @typedef {{seat: Seat, start: number, to: number, n: number, ghost: boolean}} Way of a throw, or of one that is only tapped */
/** A square by its number on each walk; null: not on that one. @typedef {{cat: number | null, mouse: number | null}} Pair */

export const SEATS = /** @type {const} */ (["cat", "mouse"]);

const LINE = 6; // stones in a line; the ribbon goes along one and back along the next
/** On a phone lines lie, on the table's own board they stand: steps, margins, stones, and how broad the ribbon is. */
const LIES = { along: 56.4, across: 42.6, ends: 45.8, sides: 23.5, wide: 51, high: 29, broad: 37 };
const STANDS = { along: 58, across: 48, ends: 50, sides: 30, wide: 37, high: 50, broad: 43 };
const STEP_MS = 90;
const LONGEST_MS = 900;

/** @type {Record<Seat, string[][]>} paths, each with what sets it apart from a line in the edge's colour */
const HEADS = {
  cat: [["M8 23 6.5 5.5 17.5 12Q24 10 30.5 12L41.5 5.5 40 23Q43.5 43 24 43T8 23Z", "coat"], ["M24 12.5v6M18.5 14l1 4.5M29.5 14l-1 4.5", "stripe"],
    ["M4.5 29.5l6 1.5M4.5 35.5l6-1M43.5 29.5l-6 1.5M43.5 35.5l-6-1", "thin"], ["M17 26v.1M31 26v.1", "eye"], ["M21.8 31h4.4L24 33.6q-2.6 3.6-5.6 1.4M24 33.6q2.6 3.6 5.6 1.4", "thin"]],
  mouse: [["M10.5 4.8a9.2 9.2 0 1 0 .1 0zM37.5 4.8a9.2 9.2 0 1 0 .1 0z", "coat"], ["M10.5 14v.1M37.5 14v.1", "ear"], ["M24 12Q40 13 38.6 27 36 40 24 44 12 40 9.4 27 8 13 24 12Z", "coat"],
    ["M5 31l8 1.2M6 37l7.5-1.6M43 31l-8 1.2M42 37l-7.5-1.6", "thin"], ["M17.5 26v.1M30.5 26v.1", "eye"], ["M24 39.6v.1", "nose"]],
};

/** A cat's or a mouse's head, 48 by 48. @param {Seat} seat */
const head = (seat) => HEADS[seat].map(([d, kind]) => svg("path", { d, class: kind }));

/** @param {Seat} seat */
export const face = (seat) => svg("svg", { class: `face ${seat}`, viewBox: "0 0 48 48", width: 36, height: 36, "aria-hidden": "true" }, ...head(seat));

/** What landing on a square does, by its first effect. @param {BoardView} board @param {number | null} square */
function effect(board, square) {
  if (!square) return "";
  if (square === board.squares) return "pot";
  if (board.lost_turn.includes(square)) return "lost-turn";
  if (board.second_throw.includes(square)) return "second-throw";
  return board.pays.includes(square) ? "pays" : board.earns.includes(square) ? "earns" : "";
}

/** The picture of what a square does, 48 by 48; of a chip as well. @param {string} does @param {BoardView} [board] @param {number} [pot] the chips in one */
export function picture(does, board, pot = 0) {
  const text = (/** @type {string} */ said, y = 25) => svg("text", { class: "chips", x: 24, y, text: said });
  const coin = (/** @type {number} */ x, /** @type {number} */ y) => svg("circle", { class: "coin", cx: x, cy: y, r: 21 });
  if (does === "coin") return [coin(24, 24), svg("circle", { class: "rim", cx: 24, cy: 24, r: 12 })];
  if (does === "pays") return [coin(24, 24), text(`−${board?.pay_chips}`)];
  if (does === "earns") return [coin(31, 18), svg("circle", { class: "coin gold", cx: 22, cy: 26, r: 21 }), svg("text", { class: "chips", x: 22, y: 27, text: `+${board?.earn_chips}` })];
  if (does === "lost-turn") return [svg("path", { class: "moon", d: "M30 6A19 19 0 1 0 42 32 15 15 0 0 1 30 6Z" }), svg("path", { class: "line", d: "M33 8h8l-8 9h8" })];
  if (does === "second-throw") {
    return [svg("rect", { class: "again-die", x: 9, y: 13, width: 27, height: 27, rx: 6, transform: "rotate(-10 22 26)" }), svg("path", { class: "eye", d: "M16.5 22v.1M22.5 26.5v.1M28.5 31v.1" }),
      svg("path", { class: "again", d: "M27 7q12-2 14 11M41 18l-5-4M41 18l4-5" })];
  }
  return [svg("path", { class: "coin", d: "M10 15a14 8 0 0 1 28 0z" }), svg("path", { class: "clay", d: "M5 15h38v6h-2q1 20-10 21H17Q6 40 7 21H5z" }), ...(pot ? [svg("text", { class: "chips in-pot", x: 24, y: 31, text: pot })] : [])];
}

/** The squares in order along Cat's walk; those that only Mouse walks come last. @param {BoardView} board */
function squaresOf(board) {
  /** @type {Pair[]} */
  const pairs = board.met.map((mouse, i) => ({ cat: i + 1, mouse }));
  const met = new Set(board.met);
  for (let mouse = board.squares; mouse > 0; mouse -= 1) if (!met.has(mouse)) pairs.push({ cat: null, mouse });
  return pairs;
}

export class Track {
  /** @param {SVGSVGElement} drawing @param {boolean} stands its lines stand, and both walks count alike: nobody's own */
  constructor(drawing, stands = false) {
    this.drawing = drawing;
    this.stands = stands;
    this.size = stands ? STANDS : LIES;
    /** @type {Seat} whose counter climbs */
    this.own = "cat";
    this.lines = 1;
    /** @type {Record<Seat, Map<number, number>>} where a walk's squares are on the ribbon */
    this.places = { cat: new Map(), mouse: new Map() };
    this.lit = svg("path", { class: "lit", "stroke-width": this.size.broad });
    const counter = (/** @type {string} */ kind, /** @type {Seat} */ seat) => svg("g", { class: `counter ${kind} ${seat}` }, svg("circle", { r: 22 }), svg("g", { transform: "translate(-19 -19) scale(0.8)" }, ...head(seat)));
    this.counters = { cat: counter("", "cat"), mouse: counter("", "mouse") };
    this.ghosts = { cat: counter("ghost", "cat"), mouse: counter("ghost", "mouse") };
    this.drawn = "";
    /** @type {number | null} the throw whose way is walked already */
    this.walked = null;
  }

  /** @param {RaceView} board @param {Seat} own @param {Way | null} way */
  draw(board, own, way) {
    const key = JSON.stringify([board.board, own, board.pots]);
    if (key !== this.drawn) this.ground(board, own);
    this.drawn = key;
    for (const seat of SEATS) {
      set(this.counters[seat], { transform: `translate(${this.at(seat, board.counters[seat].square)})` });
      set(this.ghosts[seat], { display: way?.ghost && way.seat === seat ? null : "none", transform: `translate(${this.at(seat, way?.to ?? 0)})` });
    }
    set(this.lit, { class: `lit ${way?.seat}`, d: way && way.start !== way.to ? this.ribbon(this.place(way.seat, way.start), this.place(way.seat, way.to)) : null });
    if (way && !way.ghost) this.walk(way);
  }

  /** Where on the ribbon a seat's square is; its corner counts as its first. @param {Seat} seat @param {number} square */
  place(seat, square) {
    return this.places[seat].get(Math.max(1, square)) ?? 0;
  }

  /** The middle of a stone. @param {number} i @returns {[number, number]} */
  point(i) {
    const { along, across, ends, sides } = this.size;
    const line = Math.floor(i / LINE);
    const [a, b] = [ends + this.column(i) * along, sides + line * across];
    return this.stands ? [b, a] : [a, 2 * sides + (this.lines - 1) * across - b];
  }

  /** @param {number} i how far along its line a stone is */
  column(i) {
    return Math.floor(i / LINE) % 2 ? LINE - 1 - (i % LINE) : i % LINE;
  }

  /** Where a counter stands; in its corner it waits before its first square. @param {Seat} seat @param {number} square @returns {[number, number]} */
  at(seat, square) {
    const i = this.place(seat, square);
    const [x, y] = this.point(i);
    if (square) return [x, y];
    const aside = this.column(i) ? 30 : -30;
    return this.stands ? [x, y + aside] : [x + aside, y];
  }

  /** The ribbon from stone to stone, round its bends. @param {number} from @param {number} to */
  ribbon(from, to) {
    let d = `M${this.point(from)}`;
    const step = Math.sign(to - from);
    for (let i = from; i !== to; i += step) {
      const [one, two] = [this.point(i), this.point(i + step)];
      const isBend = Math.floor(i / LINE) !== Math.floor((i + step) / LINE);
      const out = this.column(i) ? 1 : -1;
      const turns = this.stands ? -out * (two[0] - one[0]) : out * (two[1] - one[1]);
      d += isBend ? `A${this.size.across / 2} ${this.size.across / 2} 0 0 ${turns > 0 ? 1 : 0} ${two}` : `L${two}`;
    }
    return d;
  }

  /** The counter goes square by square, once. @param {Way} way */
  walk({ seat, start, to, n }) {
    const isNew = this.walked !== null && n > this.walked;
    this.walked = n;
    if (!isNew || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const step = Math.sign(to - start);
    const frames = [];
    for (let square = start; square !== to + step; square += step) frames.push({ transform: `translate(${this.at(seat, square).map((px) => `${px}px`).join()})` });
    this.counters[seat].animate(frames, { duration: Math.min(LONGEST_MS, STEP_MS * frames.length) });
  }

  /** @param {RaceView} view @param {Seat} own */
  ground({ board, pots }, own) {
    const pairs = squaresOf(board);
    if (own === "mouse") pairs.reverse();
    const { along, across, ends, sides, broad } = this.size;
    Object.assign(this, { own, lines: Math.ceil(pairs.length / LINE) });
    pairs.forEach((pair, i) => SEATS.forEach((seat) => this.places[seat].set(pair[seat] ?? -1, i)));
    const [length, breadth] = [2 * ends + (LINE - 1) * along, 2 * sides + (this.lines - 1) * across];
    set(this.drawing, { viewBox: `0 0 ${this.stands ? `${breadth} ${length}` : `${length} ${breadth}`}` });
    const d = this.ribbon(0, pairs.length - 1);
    this.drawing.replaceChildren(svg("path", { class: "edge", d, "stroke-width": broad + 4 }), svg("path", { class: "path", d, "stroke-width": broad }), this.lit,
      ...pairs.flatMap((pair, i) => this.stone(board, pair, i, pots / 2)), this.counters.mouse, this.counters.cat, this.ghosts.mouse, this.ghosts.cat);
  }

  /** @param {BoardView} board @param {Pair} pair @param {number} i @param {number} pot */
  stone(board, pair, i, pot) {
    const { wide, high } = this.size;
    const [x, y] = this.point(i);
    const other = this.own === "cat" ? "mouse" : "cat";
    const [does, theirs] = [effect(board, pair[this.own]), effect(board, pair[other])];
    const goal = [does, theirs].includes("pot");
    const kind = goal ? "goal" : this.stands ? "" : does;
    const seen = (/** @type {string} */ what, /** @type {number} */ px, /** @type {number} */ dx, /** @type {number} */ dy) => svg("g", { class: what, transform: `translate(${x + dx - px / 2} ${y + dy - px / 2}) scale(${px / 48})` }, ...picture(what, board, pot));
    const number = (/** @type {Seat} */ seat, /** @type {string} */ size, /** @type {number} */ dx, /** @type {number} */ dy) => svg("text", { class: `number ${size} ${seat}`, x: x + dx, y: y + dy, text: pair[seat] ?? "" });
    const ground = svg("rect", { class: `stone ${kind}`, x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 7.5 });
    if (goal) return [ground, ...(this.stands ? [seen("pot", 34, 0, 0)] : [number(this.own, "", -13, 1), seen("pot", 26, 12, 0)])];
    if (this.stands) return [ground, number("cat", "both", -8, -12), number("mouse", "both", -8, 13), ...(does ? [seen(does, 20, 9, -12)] : []), ...(theirs ? [seen(theirs, 20, 9, 12)] : [])];
    if (does) return [ground, number(this.own, "", -13, 1), seen(does, 21, 13, 0)];
    return [ground, number(this.own, "", -13, 1), number(other, "small", 13, theirs ? 9 : 6), ...(theirs ? [seen(theirs, 13, 13, -4)] : [])];
  }
}
