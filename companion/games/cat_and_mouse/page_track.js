/** The board as a picture: each square's upper half is Cat's (red numbers), its lower half Mouse's (black). */

import { el, set, svg } from "/static/dom.js";
import { say } from "/static/messages.js";

/** @import { BoardView, RaceView, ThrowView } from "./page_types.js" */

/** @typedef {"cat" | "mouse"} Seat */
/** @typedef {[number, number]} Point x, y */

export const SEATS = /** @type {const} */ (["cat", "mouse"]);

const DEEP = 6; // squares in a column; the walk goes down one and up the next
const WIDE = 34;
const HALF = 22;
const GAP = 3; // between squares; between the halves of one there is 1
const EDGE = 30; // above and below the board, where counters wait in their corners
/** @type {Record<string, string>} */
const SIGNS = { pays: "−", earns: "+", "lost-turn": "z", "second-throw": "↻" };

/** A cat's or a mouse's head, 24 by 22. @param {Seat} seat */
function head(seat) {
  const ears = seat === "cat"
    ? [svg("path", { class: "coat", d: "M4 12 3 1l7 5h4l7-5-1 11z" })]
    : [svg("circle", { class: "coat", cx: 5, cy: 6, r: 5 }), svg("circle", { class: "coat", cx: 19, cy: 6, r: 5 })];
  return [...ears, svg("circle", { class: "coat", cx: 12, cy: 13, r: 8.5 }), svg("circle", { class: "eye", cx: 9, cy: 12, r: 1.5 }),
    svg("circle", { class: "eye", cx: 15, cy: 12, r: 1.5 }), svg("circle", { class: "eye", cx: 12, cy: 16, r: 1.2 })];
}

/** @param {Seat} seat */
export const face = (seat) => svg("svg", { class: `face ${seat}`, viewBox: "0 0 24 22", "aria-hidden": "true" }, ...head(seat));

/** What landing on a square does, by its first effect. @param {BoardView} board @param {number} square */
function effect(board, square) {
  if (board.pays.includes(square) && board.lost_turn.includes(square)) return "lost-turn";
  const effects = { pays: board.pays, earns: board.earns, "lost-turn": board.lost_turn, "second-throw": board.second_throw };
  return Object.entries(effects).find(([, squares]) => squares.includes(square))?.[0] ?? "";
}

/** A square of the board by its number on each walk; null: not on that one. @typedef {{red: number | null, black: number | null}} Pair */

/** The real squares in order along Cat's walk; those that only Mouse walks come last. @param {BoardView} board */
function squaresOf(board) {
  /** @type {Pair[]} */
  const pairs = board.met.map((black, i) => ({ red: i + 1, black }));
  const met = new Set(board.met);
  for (let black = board.squares; black > 0; black -= 1) if (!met.has(black)) pairs.push({ red: null, black });
  return pairs;
}

/** What the signs on squares mean, as list items. @param {BoardView} board */
export function legend(board) {
  /** @type {Record<string, string>} */
  const meant = { pays: say("race.legend-pays", { chips: board.pay_chips }), earns: say("race.legend-earns", { chips: board.earn_chips }),
    "lost-turn": say("race.why-lost-turn"), "second-throw": say("race.why-second-throw") };
  return Object.entries(SIGNS).map(([does, sign]) => el("li", {}, svg("svg", { viewBox: "0 0 22 18", "aria-hidden": "true" },
    svg("rect", { class: `half ${does}`, width: 22, height: 18 }), svg("text", { class: "number", x: 11, y: 9, text: sign })), meant[does]));
}

export class Track {
  /** @param {SVGSVGElement} picture */
  constructor(picture) {
    this.picture = picture;
    /** @type {Record<Seat, Map<number, Point>>} */
    this.places = { cat: new Map(), mouse: new Map() };
    this.trail = svg("path", { class: "trail" });
    const counter = (/** @type {Seat} */ seat) => svg("g", { class: `counter ${seat}` }, ...head(seat));
    this.counters = { cat: counter("cat"), mouse: counter("mouse") };
    this.drawn = "";
  }

  /** @param {RaceView} board @param {ThrowView | null} last */
  draw(board, last) {
    const key = JSON.stringify(board.board);
    if (key !== this.drawn) this.squares(board.board);
    this.drawn = key;
    for (const seat of SEATS) {
      const [x, y] = this.at(seat, board.counters[seat].square);
      set(this.counters[seat], { transform: `translate(${x - 18} ${y - 17}) scale(1.5)` });
    }
    this.way(last);
  }

  /** Where the middle of a seat's half of a square is; 0 is its corner. @param {Seat} seat @param {number} square */
  at(seat, square) {
    return this.places[seat].get(square) ?? this.places[seat].get(0) ?? [0, 0];
  }

  /** @param {BoardView} board */
  squares(board) {
    const pairs = squaresOf(board);
    const columns = Math.ceil(pairs.length / DEEP);
    const deep = 2 * HALF + GAP;
    const [width, height] = [columns * WIDE, DEEP * deep];
    const [grounds, numbers] = [svg("g"), svg("g")];
    pairs.forEach((pair, i) => {
      const column = Math.floor(i / DEEP);
      const row = column % 2 ? DEEP - 1 - (i % DEEP) : i % DEEP;
      this.square(board, pair, column * WIDE, row * deep, grounds, numbers);
    });
    set(this.picture, { viewBox: `0 ${-EDGE} ${width} ${height + 2 * EDGE}` });
    this.picture.replaceChildren(grounds, this.trail, numbers,
      ...this.corner("cat", "cat-walk", WIDE / 2, -EDGE / 2, 1, board),
      ...this.corner("mouse", "mouse-run", width - WIDE / 2, height - GAP + EDGE / 2, -1, board),
      this.counters.mouse, this.counters.cat);
  }

  /**
   * @param {BoardView} board @param {Pair} pair @param {number} x @param {number} y
   * @param {SVGGElement} grounds @param {SVGGElement} numbers
   */
  square(board, { red, black }, x, y, grounds, numbers) {
    const halves = /** @type {const} */ ([["cat", red, y], ["mouse", black, y + HALF]]);
    for (const [seat, number, top] of halves) {
      const does = number ? effect(board, number) : "";
      grounds.append(svg("rect", { class: `half ${does}`, x: x + GAP / 2, y: top, width: WIDE - GAP, height: HALF - 1, rx: 2 }));
      if (!number) continue;
      /** @type {Point} */
      const middle = [x + WIDE / 2, top + HALF / 2];
      this.places[seat].set(number, middle);
      numbers.append(svg("text", { class: `number ${seat}`, x: middle[0], y: middle[1], text: `${number}${SIGNS[does] ?? ""}` }));
    }
  }

  /**
   * Where a counter waits, and whose walk begins there; `way` is where the words go from it.
   * @param {Seat} seat @param {"cat-walk" | "mouse-run"} walk @param {number} x @param {number} y
   * @param {number} way @param {BoardView} board
   */
  corner(seat, walk, x, y, way, board) {
    this.places[seat].set(0, [x, y]);
    return [svg("circle", { class: "corner", cx: x, cy: y, r: 13 }),
      svg("text", { class: `walk ${seat}`, x: x + way * 24, y, text: say(`race.${walk}`, { last: board.squares }) })];
  }

  /** The way of the last throw: square by square, or straight where it leapt. @param {ThrowView | null} last */
  way(last) {
    if (!last || last.start === last.to) return set(this.trail, { d: null });
    const step = last.to > last.start ? 1 : -1;
    const walked = [];
    for (let square = last.start; square !== last.to + step; square += step) walked.push(this.at(last.seat, square));
    const straight = last.how === "leap";
    const points = straight ? [walked[0], walked[walked.length - 1]] : walked;
    return set(this.trail, { class: `trail ${last.seat} ${straight ? "leap" : ""}`, d: `M${points.map((point) => point.join(" ")).join("L")}` });
  }
}
