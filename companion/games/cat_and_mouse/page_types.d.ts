// Made from the Python types by `make page-types`; a test says when it is out of date.

import type { TableNow } from "/static/types.js";

/** What this game adds to the types that all games share. */
export interface Game {
  board: RaceView;
  options: RaceOptions;
  move: Throw | JumpFee;
}

/** All that this game's page shows. */
export type Now = TableNow<Game>;

/** The effects of the squares, each list in order; `leaps`: squares to which doubles lead. */
export interface BoardView {
  squares: number;
  turn_back_to: number;
  pays: number[];
  earns: number[];
  lost_turn: number[];
  second_throw: number[];
  leaps: number[];
  pay_chips: number;
  earn_chips: number;
  met: (number | null)[];
}

/** Cat's chance to win after throw `n`; the first point is the start of the race. */
export interface ChartPoint {
  n: number;
  cat: number;
}

/** One player: the square of the counter (0: its corner), and the chips. */
export interface CounterView {
  seat: "cat" | "mouse";
  square: number;
  also: number | null;
  owes_turn: boolean;
  purse: Purse;
}

/** The effect that one of the 21 throws would have now. */
export interface ForeseenView {
  dice: [number, number];
  ways: number;
  how: "plain" | "leap" | "stay" | "turn-back";
  to: number;
  then: "next" | "lost-turn" | "second-throw" | "won";
  jumped: boolean;
  chips: number;
  chance: number;
  gains: number;
}

/** Declare that the last throw jumped over the other's counter: its chip is paid. */
export interface JumpFee {
  move: "jump-fee";
}

/** The expectation, exact to `decimals` places. */
export interface OddsView {
  cat: number;
  mouse: number;
  cat_pays: number;
  mouse_pays: number;
  change_hands: number;
  net: number;
  net_with_pots: number;
  throws: number;
  fees_foretold: boolean;
  decimals: number;
  why: Shares | null;
}

/** The end of a match. */
export interface Outcome {
  reason: string;
  winners: string[];
  points: Record<string, number>;
}

/** A line of the ledger: payer, payee, chips, throw and reason. */
export interface Payment {
  throw: number;
  dice: [number, number];
  payer: string;
  payee: string;
  chips: number;
  reason: "earns" | "jump" | "pays" | "pots" | "stake" | "stay";
  square: number;
}

/** The chips of one player. */
export interface Purse {
  hand: number;
  debt: number;
  net: number;
}

/** The choices that the rulebook leaves to the players. */
export interface RaceOptions {
  past: "at-or-beyond" | "beyond";
  pays_on_plain_11: boolean;
  jump_fee: "auto" | "declared" | "off";
  fee_on_double: boolean;
  fee_on_turn_back: boolean;
  stake: number;
  chips: number;
  board: string;
}

/** Everything on one page. */
export interface RaceView {
  phase: "over" | "race" | "start";
  turn: "cat" | "mouse" | null;
  board: BoardView;
  start: StartView;
  counters: Record<string, CounterView>;
  pots: number;
  last: ThrowView | null;
  hand_over: Payment[];
  ledger: Payment[];
  may_declare_jump: boolean;
  odds: OddsView;
  throws: ForeseenView[];
  chart: ChartPoint[];
  outcome: Outcome | null;
}

/** The reasons for a chance: of the 36 ways the dice can fall, the number with each effect. */
export interface Shares {
  won: number;
  second_throw: number;
  lost_turn: number;
  turn_back: number;
  stay: number;
  leap: number;
  pays: number;
  earns: number;
  jump: number;
}

/** A throw for who is Cat. */
export interface StartThrow {
  by: "first" | "second";
  dice: [number, number];
}

/** The throws for who is Cat: `by` throws next (None: decided), `cat` has become Cat. */
export interface StartView {
  throws: StartThrow[];
  by: "first" | "second" | null;
  cat: "first" | "second" | null;
  first_is_cat: number;
}

/** Both dice, thrown by the player to throw; the first throws of a match are those for Cat. */
export interface Throw {
  move: "throw";
  dice: number[];
}

/** The last throw: the way of the real counter, and the consequence. */
export interface ThrowView {
  n: number;
  seat: "cat" | "mouse";
  dice: [number, number];
  how: "plain" | "leap" | "stay" | "turn-back";
  start: number;
  to: number;
  jumped: boolean;
  then: "next" | "lost-turn" | "second-throw" | "won";
  served: ("cat" | "mouse")[];
}
