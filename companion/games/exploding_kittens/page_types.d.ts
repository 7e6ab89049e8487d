// Made from the Python types by `make page-types`; a test says when it is out of date.

import type { TableNow } from "/static/types.js";

/** What this game adds to the types that all games share. */
export interface Game {
  board: KittensView;
  options: KittensOptions;
  move: Draw | DrawKitten | Defuse | Explode | Play | Pair | Three | AnswerAsked | Nope | Hand | Drew | Saw | Hid | Took;
}

/** All that this game's page shows. */
export type Now = TableNow<Game>;

/** An action on the table, with its nopes in order, by seat. */
export interface Action {
  what: "defuse" | "draw" | "explode" | "kitten" | "pair" | "play" | "three";
  seat: string;
  card?: string;
  target?: string;
  named?: string;
  given?: boolean | null;
  nopes?: string[];
  answered?: Answered[];
}

/** A seat's next turn: `draws` cards are drawn before it, if nobody plays a card. */
export interface Ahead {
  draws: number;
  kitten_before: Chance;
  risk: Risk;
}

/** The asked player handed the named card over, or has none. */
export interface AnswerAsked {
  move: "answer";
  given: boolean;
}

/** An answer to a named card that all saw before a nope came, when `nopes` nopes lay there. */
export interface Answered {
  given: boolean;
  nopes?: number;
}

/** A possible note of the seat: `what` is the move, `count` the number of cards or places. */
export interface Ask {
  what: string;
  count: number;
}

/** The open moves now, by what all saw; cards are kinds, `answers` to a named card. */
export interface Can {
  draw: boolean;
  kitten: boolean;
  defuse: boolean;
  explode: boolean;
  play: string[];
  pair: string[];
  three: string[];
  targets: string[];
  answers: boolean[];
}

/** A chance as a fraction ("3/22", "0", "1"), and in rough percent ("13.6", "<0.1"). */
export interface Chance {
  exact: string;
  percent: string;
}

/** The player defused the kitten and put it back into the deck in secret. */
export interface Defuse {
  move: "defuse";
}

/** The player in turn drew a card other than a kitten. */
export interface Draw {
  move: "draw";
}

/** The player in turn drew a kitten and showed it. */
export interface DrawKitten {
  move: "kitten";
}

/** A private note: a seat's last drawn card. */
export interface Drew {
  move: "drew";
  seat: "first" | "fourth" | "second" | "third";
  card: string;
}

/** The effect of a card in the hand on this turn: the risk before and after playing it. */
export interface Effect {
  card: string;
  before: Risk;
  after: Risk;
  sights: Sight[];
}

/** The kitten was not defused: the player is out, the hand face down. */
export interface Explode {
  move: "explode";
}

/** A sentence `fact.<name>` of the messages: about a seat, a number, cards. */
export interface Fact {
  name: string;
  seat: string;
  count: number;
  cards: string[];
}

/** A private note: a seat's whole hand. */
export interface Hand {
  move: "hand";
  seat: "first" | "fourth" | "second" | "third";
  cards: string[];
}

/** Cards of one kind that the seat certainly holds. */
export interface Held {
  card: string;
  count: number;
}

/** A private note: the number of cards above the kitten that a seat put back. */
export interface Hid {
  move: "hid";
  seat: "first" | "fourth" | "second" | "third";
  place: number;
}

/** One kind of card in a player's hand, as the asker knows. */
export interface InHand {
  card: string;
  sure: number;
  holds: Chance;
  drawn: Chance;
}

/** One kind of card. */
export interface KindOdds {
  card: string;
  total: number;
  discarded: number;
  held: number;
  unseen: number;
  within: Chance[];
}

/** Options: choices that the rulebook leaves open, and the odds' reading of what players do. */
export interface KittensOptions {
  deck: string;
  special_combos: "cats" | "off" | "on";
  kitten_back: "anywhere" | "near-the-top";
  exploded_had_defuse: "no" | "unknown";
  seen_before_nope: "forgotten" | "known";
}

/** Everything on one page. Only a seat's own view has `mine`. `pile`: the newest card that lies open. */
export interface KittensView {
  phase: "asked" | "kitten" | "over" | "turn";
  turn: string | null;
  owed: number;
  attacked: boolean;
  deck: number;
  kittens: number;
  seats: SeatView[];
  last: LastView | null;
  pile: string;
  can: Can;
  odds: OddsView;
  mine: MineView | null;
  outcome: Outcome | null;
}

/** The last action, and if it takes effect; `nopers` may hold a nope for it. */
export interface LastView {
  deed: Action;
  works: boolean;
  nopers: string[];
}

/** The part for one seat alone. `unknown`: cards in its hand without a note. */
export interface MineView {
  seat: string;
  hand: Held[];
  unknown: number;
  lost: boolean;
  asks: Ask[];
  effects: Effect[];
  noted: Noted[];
  may_stay: Held[];
  thefts: Theft[];
}

/** A player played a nope on the last card, or on its nope. */
export interface Nope {
  move: "nope";
  seat: "first" | "fourth" | "second" | "third";
}

/** A note on an action of `seat` (against `target`): the cards, or the place of the kitten. */
export interface Noted {
  what: "drew" | "hand" | "hid" | "saw" | "took";
  seat: string;
  target: string;
  cards: string[];
  place: number;
  drawn: number;
  shuffled: boolean;
  wrong: boolean;
}

/** The deck as the asker knows it. */
export interface OddsView {
  kinds: KindOdds[];
  this_draw: Risk | null;
  this_turn: Risk | null;
  hidden: number;
  facts: Fact[];
  rough: boolean;
}

/** The end of a match. */
export interface Outcome {
  reason: string;
  winners: string[];
  points: Record<string, number>;
}

/** The player played two cards alike, and picked a card blindly from the hand of `target`. */
export interface Pair {
  move: "pair";
  card: string;
  target: "first" | "fourth" | "second" | "third";
}

/** The player in turn played one card: attack, skip, shuffle or see the future. */
export interface Play {
  move: "play";
  card: string;
}

/** The chance that draws bring a kitten, and the chance that one is not defused. */
export interface Risk {
  draws: number;
  kitten: Chance;
  explode: Chance;
}

/** A private note: the cards that See the Future showed, the top card first. */
export interface Saw {
  move: "saw";
  seat: "first" | "fourth" | "second" | "third";
  cards: string[];
}

/** A player, as the asker knows: cards in hand, and their possible kinds. */
export interface SeatView {
  seat: string;
  alive: boolean;
  cards: number;
  defuse: Chance | null;
  nope: Chance | null;
  ahead: Ahead | null;
  hand: InHand[];
}

/** A possible result of See the Future: the places of kittens (0: the top), its chance, the risk then. */
export interface Sight {
  kittens: number[];
  chance: Chance;
  risk: Risk;
}

/** The risk of the turns that the seat owes now, after two alike took a card of `target` blindly. */
export interface Theft {
  target: string;
  after: Risk;
}

/** The player played three cards alike, and asked `target` for a `named` card. */
export interface Three {
  move: "three";
  card: string;
  target: "first" | "fourth" | "second" | "third";
  named: string;
}

/** A private note: the card that a seat took from another, or lost to one. */
export interface Took {
  move: "took";
  seat: "first" | "fourth" | "second" | "third";
  card: string;
}
