// Made from the Python types by `make page-types`; a test says when it is out of date.

import type { TableNow } from "/static/types.js";

/** What this game adds to the types that all games share. */
export interface Game {
  board: BedView;
  options: BedOptions;
  move: Lay | Skip | Shift | TakeOff | Finish;
}

/** All that this game's page shows. */
export type Now = TableNow<Game>;

/** A match's options. The box has 25 chips; the number of each value is a guess. */
export interface BedOptions {
  board: string;
  tiles: string;
  first_zone: "inside" | "touching";
  dog_first_zone: boolean;
  zone_on_side_b: boolean;
  touch: "edge" | "edge-or-corner";
  mistaken_pass: "refuse" | "warn";
  toys_per: "picture" | "region";
  chips_10: number;
  chips_5: number;
  chips_2: number;
  chips_1: number;
  markers: number;
  toys_each: number;
}

/** Everything on one page. `fit`: a placement of the side in turn, for who means to pass. */
export interface BedView {
  rows: number;
  cols: number;
  side: "A" | "B";
  board: string;
  zone: [number, number][];
  pillows: [number, number][][];
  toys: Record<string, [number, number][]>;
  shapes: Record<string, string[]>;
  tiles: TileView[];
  left: Hands;
  turn: "cat" | "dog" | null;
  first_tile: FirstTileView | null;
  skipped: SidesSkipped;
  fits: Sides;
  regions: RegionView[];
  points: BothPoints;
  toy_count: Record<string, ToyCount>;
  chips: ChipsView;
  short: Shortage[];
  last: TileView | null;
  fit: Lay | null;
  over: boolean;
  outcome: Outcome | null;
  layout: (UseInstead | LayMarker | TakeToys | CompareToys | HandOutChips | NameWinners)[];
}

/** Each side's points. */
export interface BothPoints {
  cat: PointsView;
  dog: PointsView;
}

/** Each side's chips by their points, and the points that the stock cannot pay. */
export interface ChipsView {
  cat: Record<string, number>;
  dog: Record<string, number>;
  short: Sides;
}

/** Compare the tokens of one kind: who has more gets the points. */
export interface CompareToys {
  step: "bonus";
  toy: string;
  cat: number;
  dog: number;
  owner: "cat" | "dog" | null;
  points: number;
}

/** Record a finished bed, for example from a photo, in any order of its tiles. */
export interface Finish {
  move: "finish";
  tiles: Tile[];
}

/** The rule for the next tile: its digits, and `zone` if it must keep to the zone. */
export interface FirstTileView {
  digits: number[];
  zone: boolean;
}

/** Hand a side its chips for all its points, with bonuses. Points without a chip, `short`, are noted on paper. */
export interface HandOutChips {
  step: "chips";
  owner: "cat" | "dog";
  points: number;
  chips: Record<string, number>;
  short: number;
}

/** The digits that each side still has in hand. */
export interface Hands {
  cat: number[];
  dog: number[];
}

/** Lay one of your tiles on empty squares. */
export interface Lay {
  move: "lay";
  owner: "cat" | "dog";
  digit: number;
  turns: number;
  row: number;
  col: number;
}

/** Put the owner's paw marker on a square of the region. */
export interface LayMarker {
  step: "marker";
  owner: "cat" | "dog";
  region: number;
  square: [number, number];
  points: number;
}

/** Announce who sleeps in the bed. */
export interface NameWinners {
  step: "winner";
  reason: string;
  winners: string[];
  points: Sides;
}

/** The end of a match. */
export interface Outcome {
  reason: string;
  winners: string[];
  points: Record<string, number>;
}

/** A side's points. */
export interface PointsView {
  regions: number;
  bonus: number;
  total: number;
}

/** Empty squares joined along edges, with their owner and the reason. */
export interface RegionView {
  id: number;
  squares: [number, number][];
  size: number;
  sums: Sides;
  tiles: TileName[];
  owner: "cat" | "dog" | null;
  why: "equal" | "higher" | "single" | "untouched";
  points: number;
  toys: Record<string, number>;
  marker: [number, number] | null;
}

/** Correct the record: a tile lies in another place, or turned differently. */
export interface Shift {
  move: "shift";
  owner: "cat" | "dog";
  digit: number;
  turns: number;
  row: number;
  col: number;
}

/** Pieces that have run out: `need` are needed (chips: points with bonuses), only `there` exist. */
export interface Shortage {
  what: "bone" | "chips" | "marker" | "mouse" | "yarn";
  need: number;
  there: number;
  short: number;
  instead: "coins" | "note" | "slips";
}

/** A number of each side. */
export interface Sides {
  cat: number;
  dog: number;
}

/** True for each side that has been skipped and stays out. */
export interface SidesSkipped {
  cat: boolean;
  dog: boolean;
}

/** Say that a side passes. The rules skip a side that cannot lay by themselves, and only agree then. */
export interface Skip {
  move: "skip";
  owner: "cat" | "dog";
}

/** Correct the record: a tile does not lie on the bed. */
export interface TakeOff {
  move: "take-off";
  owner: "cat" | "dog";
  digit: number;
}

/** Take a token for each toy picture in the region. */
export interface TakeToys {
  step: "toys";
  owner: "cat" | "dog";
  region: number;
  toys: Record<string, number>;
}

/** A number tile on the bed. */
export interface Tile {
  owner: "cat" | "dog";
  digit: number;
  turns: number;
  row: number;
  col: number;
}

/** A tile by its owner and digit. */
export interface TileName {
  owner: "cat" | "dog";
  digit: number;
}

/** A tile on the bed; `n` counts from 1 in the order they were laid. */
export interface TileView {
  owner: "cat" | "dog";
  digit: number;
  turns: number;
  row: number;
  col: number;
  cells: [number, number][];
  n: number;
}

/** The tokens of one kind that each side takes, and who gets the bonus. */
export interface ToyCount {
  cat: number;
  dog: number;
  bonus: "cat" | "dog" | null;
}

/** Use something else for pieces that have run out; see `Shortage`. */
export interface UseInstead {
  step: "instead";
  what: "bone" | "chips" | "marker" | "mouse" | "yarn";
  need: number;
  there: number;
  short: number;
  instead: "coins" | "note" | "slips";
}
