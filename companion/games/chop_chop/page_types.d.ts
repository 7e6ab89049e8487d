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

/** The size, the holes (in the order of the mice that began there), and the table's squares. */
export interface BoardView {
  rows: number;
  cols: number;
  holes: [number, number][];
  table: [number, number][];
}

/** The square that the last step of the piece came from, if that was not said before it moves on. */
export interface CameBy {
  move: "via";
  row: number;
  col: number;
}

/** Each side's chance to win, and the average error of these chances (`worth`). */
export interface ChancesView {
  mice: number;
  cat: number;
  error: number;
}

/** Options of a match, where the rulebook is silent or contradicts itself. */
export interface ChopOptions {
  no_return: "both" | "no-step-back" | "not-end-on-start";
  last_mouse: "front" | "front-and-hole";
  caught_in_hole: "counts" | "does-not";
  drop_off: "after-tenth" | "any-time";
  board: string;
  bag: string;
  dice: string;
}

/** The thrown die, or the one to throw; `value` is still to be moved, else 0. */
export interface DieView {
  side: "cat" | "mice";
  colour: string;
  faces: number[];
  value: number;
}

/** An event in a page's words: `what`, which piece, on which square. */
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

/** A starting hole: its square, and true if its slab is turned to the hole side. */
export interface HoleView {
  at: [number, number];
  open: boolean;
}

/** Everything on the page. */
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

/** The end of a match. */
export interface Outcome {
  reason: string;
  winners: string[];
  points: Record<string, number>;
}

/** A piece: its square (None: not on the board), and its floor. */
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

/** A kind of slab: how many there are, were turned over and are left; the exact chance that the next one is of it, as a fraction; and if the slab being turned may be of it. */
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

/** An arrow's free move is not used. */
export interface StayHere {
  move: "stay";
}

/** A throw of the die of the side in turn. */
export interface ThrowDie {
  move: "throw";
  dice: number[];
}

/** The kind of the slab under the piece, turned over. */
export interface TurnSlab {
  move: "turn-slab";
  slab: "arrow" | "cheese" | "crockery" | "fork" | "knife" | "plus-1" | "plus-2";
}

/** A square in a piece's reach, and one way there from its square (for an arrow, both ends only). `meets`: a slab, cheese, a mouse, a hole, the table, nothing. */
export interface WayView {
  piece: "cat" | "mouse-1" | "mouse-2" | "mouse-3" | "mouse-4";
  to: [number, number];
  path: [number, number][];
  meets: string;
  via: [number, number][];
}
