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

/** How a match is set up. The chips are 25 in all; how many of each is not known for certain. */
export interface BedOptions {
  board: string;
  tiles: string;
  first_zone: "inside" | "touching";
  dog_first_zone: boolean;
  zone_on_side_b: boolean;
  touch: "edge" | "edge-or-corner";
  chips_10: number;
  chips_5: number;
  chips_2: number;
  chips_1: number;
  markers: number;
  toys_each: number;
}

/** Everything on one page. */
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
  over: boolean;
  outcome: Outcome | null;
  layout: (UseInstead | LayMarker | TakeToys | CompareToys | HandOutChips | NameWinners)[];
}

/** Each side's points. */
export interface BothPoints {
  cat: PointsView;
  dog: PointsView;
}

/** The chips that each side gets, by their points, and what the stock cannot pay. */
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

/** Record a finished bed as it lies, such as from a photo, in whatever order its tiles were laid. */
export interface Finish {
  move: "finish";
  tiles: Tile[];
}

/** What binds the next tile: its digits, and whether it must keep to the zone. */
export interface FirstTileView {
  digits: number[];
  zone: boolean;
}

/** Hand a side its chips: all its points, the bonus included. Points for which there is no chip, `short`, are noted on paper. */
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

/** Say who sleeps in the bed. */
export interface NameWinners {
  step: "winner";
  reason: string;
  winners: string[];
  points: Sides;
}

/** How a match ended. */
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

/** Empty squares joined along edges: who owns them and why. */
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

/** Correct the record: a tile that is laid lies elsewhere, or turned otherwise. */
export interface Shift {
  move: "shift";
  owner: "cat" | "dog";
  digit: number;
  turns: number;
  row: number;
  col: number;
}

/** Something of which `need` are needed (chips: points with bonuses), but only `there` are there. */
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

/** Of each side, whether it has been skipped and stays out. */
export interface SidesSkipped {
  cat: boolean;
  dog: boolean;
}

/** Say that a side is skipped. The rules find that by themselves; a claim is only agreed to or refused. */
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

/** Which tile. */
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

/** Take something else for pieces of which the box has too few; see `stock.Shortage`. */
export interface UseInstead {
  step: "instead";
  what: "bone" | "chips" | "marker" | "mouse" | "yarn";
  need: number;
  there: number;
  short: number;
  instead: "coins" | "note" | "slips";
}
