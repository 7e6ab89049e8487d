// Made from the Python types by `make page-types`; a test says when it is out of date.

import type { TableNow } from "/static/types.js";

/** What this game adds to the types that all games share. */
export interface Game {
  board: SheetView;
  options: SheetOptions;
  move: Enter | Throw | Turn | Note | Finish;
}

/** All that this game's page shows. */
export type Now = TableNow<Game>;

/** An exact chance as a fraction, and as a number from 0 to 1. */
export interface Chance {
  part: number;
  of: number;
  chance: number;
}

/** Write points into a line, or other points where some stand already. */
export interface Enter {
  move: "enter";
  seat: string;
  points: number;
  line: number;
}

/** The match is over: the totals count. */
export interface Finish {
  move: "finish";
}

/** Words on a line; empty words take them away. */
export interface Note {
  move: "note";
  line: number;
  text: string;
}

/** The end of a match. */
export interface Outcome {
  reason: string;
  winners: string[];
  points: Record<string, number>;
}

/** The scoring of a match. With `rows`, each player fills each row once; `rounds` 0: as many as it takes. */
export interface Sheet {
  name: string;
  entries: "free" | "rounds";
  counts: "down" | "up";
  wins: "least" | "most";
  start: number;
  target: number | null;
  rounds: number;
  starter: "moves" | "stays";
  dice: number;
  rows: string[];
}

/** The scoring of a match. */
export interface SheetOptions {
  sheet: string;
}

/** Everything on one page. `cells`: each player's entries by line. `open`: the lines to fill now. */
export interface SheetView {
  sheet: Sheet;
  turn: string | null;
  round: number;
  rounds: number;
  cells: Record<string, (number | null)[]>;
  open: Record<string, number[]>;
  totals: Record<string, number>;
  throws: ThrowView[];
  notes: Record<number, string>;
  began: number[];
  moves: number;
  outcome: Outcome | null;
}

/** Dice thrown by a player. */
export interface Throw {
  move: "throw";
  seat: string;
  dice: number[];
}

/** A throw: its move, counted from 1, its round, who threw, the dice, their sum and the chances. */
export interface ThrowView {
  move: number;
  line: number;
  seat: string;
  dice: number[];
  sum: number;
  as_sum: Chance;
  at_least: Chance;
  just_these: Chance;
}

/** It is this player's turn now. */
export interface Turn {
  move: "turn";
  seat: string;
}
