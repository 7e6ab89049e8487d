// Made from the Python types by `make page-types`; a test says when it is out of date.

import type { TableNow } from "/static/types.js";

/** What this game adds to the types that all games share. */
export interface Game {
  board: KitchenView;
  options: ChopOptions;
  move: PlaceCat | ThrowDie | GoTo | CameBy | StayHere | TurnSlab | SpearCheese;
}

/** All that this game's page shows. */
export type Now = TableNow<Game>;

/** The squares: how many, which are holes (in the order of the mice that began there), which the table. */
export interface BoardView {
  rows: number;
  cols: number;
  holes: [number, number][];
  table: [number, number][];
}

/** The square that the piece which is to move on came from with its last step, where that was not said. */
export interface CameBy {
  move: "via";
  row: number;
  col: number;
}

/** The chance to win for each side before the last throw, from matches played out; `error` is its standard error. */
export interface ChancesView {
  mice: number;
  cat: number;
  error: number;
  matches: number;
  mice_won: number;
  cat_won: number;
  unfinished: number;
}

/** How a match is set up. What the rulebook is silent on, or says in two ways, is chosen here. */
export interface ChopOptions {
  no_return: "no-step-back" | "not-end-on-start";
  last_mouse: "front" | "front-and-hole";
  caught_in_hole: "counts" | "does-not";
  board: string;
  bag: string;
  dice: string;
}

/** The die whose throw it is, or was; `value` is what is still to be moved, else 0. */
export interface DieView {
  side: "cat" | "mice";
  colour: string;
  faces: number[];
  value: number;
}

/** One thing that happened, in words a page has: `what`, which piece, on which square. */
export interface Event {
  what: "came-by" | "caught" | "cut" | "flew" | "hid" | "left-cheese" | "missed" | "moved" | "never-left" | "no-bonus-way" | "no-way" | "nothing-to-spear" | "placed" | "speared" | "stayed" | "thrown" | "took-cheese" | "turned";
  side: "cat" | "mice";
  piece: "cat" | "mouse-1" | "mouse-2" | "mouse-3" | "mouse-4" | null;
  at: [number, number] | null;
  path: [number, number][];
  n: number;
  slab: "arrow" | "cheese" | "crockery" | "fork" | "knife" | "plus-1" | "plus-2" | null;
}

/** A piece goes to a square: by a throw, by a +1 or +2, or by an arrow. */
export interface GoTo {
  move: "go";
  piece: "cat" | "mouse-1" | "mouse-2" | "mouse-3" | "mouse-4";
  row: number;
  col: number;
  via?: [number, number] | null;
}

/** A starting hole: its square, and whether its slab is turned to the hole side. */
export interface HoleView {
  at: [number, number];
  open: boolean;
}

/** All that the page shows. */
export interface KitchenView {
  phase: "arrow" | "bonus" | "fork" | "move" | "over" | "place" | "slab" | "throw";
  turn: string | null;
  side: "cat" | "mice";
  board: BoardView;
  pieces: PieceView[];
  holes: HoleView[];
  slabs: [number, number][];
  cheeses: [number, number][];
  found: number;
  cheese: number;
  hidden: number;
  caught: number;
  holes_left: number;
  mice_can_win: boolean;
  mice_owe: boolean;
  cat_owes: boolean;
  same: "cat" | "mouse-1" | "mouse-2" | "mouse-3" | "mouse-4" | null;
  throws_left: number;
  mover: "cat" | "mouse-1" | "mouse-2" | "mouse-3" | "mouse-4" | null;
  steps: number;
  die: DieView;
  ways: WayView[];
  came_by: [number, number][];
  spearable: [number, number][];
  bag: SlabView[];
  bag_fits: boolean;
  chances: ChancesView;
  throws: number;
  since: Event[];
  no_return: string;
  outcome: Outcome | null;
}

/** How a match ended. */
export interface Outcome {
  reason: string;
  winners: string[];
  points: Record<string, number>;
}

/** A piece: its square (None: not on the board), and on what floor it is. */
export interface PieceView {
  piece: "cat" | "mouse-1" | "mouse-2" | "mouse-3" | "mouse-4";
  at: [number, number] | null;
  on_table: boolean;
  under_table: boolean;
  in_hole: boolean;
  caught: boolean;
  left_hole: boolean;
}

/** The cat is put on one of the table's squares, before the first throw. */
export interface PlaceCat {
  move: "place";
  row: number;
  col: number;
}

/** A kind of slab: how many there are, were turned over and are left; the chance that the next one is of it, exactly, as a fraction; whether the slab being turned may be of it now. */
export interface SlabView {
  slab: "arrow" | "cheese" | "crockery" | "fork" | "knife" | "plus-1" | "plus-2";
  of: number;
  turned: number;
  left: number;
  ways: number;
  out_of: number;
  possible: boolean;
}

/** A mouse that turned a fork spears one of the visible cheeses. */
export interface SpearCheese {
  move: "spear";
  row: number;
  col: number;
}

/** The free move of an arrow is not used. */
export interface StayHere {
  move: "stay";
}

/** The die of the side whose turn it is, thrown. */
export interface ThrowDie {
  move: "throw";
  dice: number[];
}

/** The slab that was landed on is turned over: what was under it. */
export interface TurnSlab {
  move: "turn-slab";
  slab: "arrow" | "cheese" | "crockery" | "fork" | "knife" | "plus-1" | "plus-2";
}

/** A square that a piece can reach now, and one way there, from where it stands to it (an arrow's two squares only); `meets` says what it would find there: a slab, cheese, a mouse, a hole, the table, nothing. */
export interface WayView {
  piece: "cat" | "mouse-1" | "mouse-2" | "mouse-3" | "mouse-4";
  to: [number, number];
  path: [number, number][];
  meets: string;
  via: [number, number][];
}
