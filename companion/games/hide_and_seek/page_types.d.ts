// Made from the Python types by `make page-types`; a test says when it is out of date.

import type { TableNow } from "/static/types.js";

/** What this game adds to the types that all games share. */
export interface Game {
  board: HideView;
  options: HideOptions;
  move: Own | PlayEnemy | Seek | TurnUp | GoOn | RemoveFood | Catch | CatchEnemy | Taken | DropGear | End | Hold;
}

/** All that this game's page shows. */
export type Now = TableNow<Game>;

/** An animal's card: cat or dog, one or two colours, speed, and the points for keeping it. */
export interface Animal {
  species: "cat" | "dog";
  colours: ("black" | "brown" | "grey" | "white" | "yellow")[];
  speed: number;
  points: number;
  picture: string;
  collector: boolean;
}

/** A free animal: its owner, its traits, and the verdict of the catch. */
export interface AnimalView {
  animal: string;
  seat: string;
  seeks: boolean;
  standing: Traits;
  verdict: CatchResult | null;
  points: number;
}

/** The end of the brawl as it stands. */
export interface Brawl {
  why: "catch" | "nobody" | "takes" | "wrong-colour";
  fastest: string[];
  speed: number;
  against: number;
  may_catch: string[];
  takes: string[];
}

/** A candy for which the animal's player must choose the food that goes. */
export interface CandyAsked {
  on: string;
  at: number;
  owner: string;
  choices: string[];
  may_keep: boolean;
}

/** A kind of card and its number. */
export interface CardKind {
  does: "candy" | "enemy" | "food" | "gear" | "hide" | "paint" | "rocket";
  count: number;
  speed: number;
  colour: "black" | "brown" | "grey" | "rainbow" | "white" | "yellow" | null;
  colours: ("black" | "brown" | "grey" | "white" | "yellow")[];
  gear: string;
  species: "cat" | "dog" | null;
  slows: number | null;
  points: number;
  picture: string;
}

/** A box and the table's agreements: animals and cards by their names. */
export interface CardSet {
  name: string;
  animals: Record<string, Animal>;
  cards: Record<string, CardKind>;
  hand: number;
  rounds_each: number;
  animals_each: number;
  players: [number, number];
  reshuffle: boolean;
  example: boolean;
}

/** The seeker catches by a colour: that animal, or, without one, all it can catch by it. */
export interface Catch {
  move: "catch";
  colour: "black" | "brown" | "grey" | "white" | "yellow";
  animal: string | null;
}

/** The fastest animal catches the enemy (brawl). */
export interface CatchEnemy {
  move: "catch-enemy";
  animal: string;
}

/** The colours by which the seeker can catch an animal, or the reason that it cannot. */
export interface CatchResult {
  animal: string;
  why: "" | "as-fast" | "faster" | "hides" | "no-colour" | "own";
  colours: ("black" | "brown" | "grey" | "white" | "yellow")[];
  speed: number;
  against: number;
}

/** A colour, and the animals that the seeker can catch by it. */
export interface CatchView {
  colour: "black" | "brown" | "grey" | "white" | "yellow";
  animals: string[];
}

/** An animal that is out: its catcher (a seat, or `enemy`), and the round. */
export interface Caught {
  animal: string;
  by: string;
  round: number;
}

/** An exact chance: favourable ways of all ways, and as a number from 0 to 1. */
export interface Chance {
  part: number;
  of: number;
  chance: number;
}

/** The cards left: in the deck, in hands, and every kind. `drawn`: the number of cards `three` is about. */
export interface DeckView {
  cards: number;
  in_hands: number;
  drawn: number;
  exact: boolean;
  doubt: boolean;
  kinds: KindView[];
  may_stay: string[];
}

/** One of two gears of a kind on `on` goes (end of the round). */
export interface DropGear {
  move: "drop-gear";
  on: string;
  card: string;
}

/** The effect of one card where it lies: added speed, and colours. */
export interface Effect {
  card: string;
  by: string;
  note: "adds-colour" | "catches" | "faster" | "food" | "has-colour" | "hides" | "no-effect" | "slower" | "speed-only" | "spent" | "waits";
  speed: number;
  colours: ("black" | "brown" | "grey" | "white" | "yellow")[];
}

/** The players end the match, between two rounds. */
export interface End {
  move: "end";
}

/** The enemy at large: its card, player and traits, and its points without food. */
export interface EnemyView {
  card: string;
  by: string;
  standing: Traits;
  points: number;
}

/** Two gears of one kind on an animal or the enemy: one of `choices` goes. */
export interface GearAsked {
  on: string;
  owner: string;
  gear: string;
  choices: string[];
}

/** This step of the round is done: all cards are up, or nobody (else) is caught. */
export interface GoOn {
  move: "go-on";
}

/** A player's own hand, as noted; `untold` cards were drawn since. */
export interface HandView {
  cards: string[];
  untold: number;
}

/** Options of a match: the set of cards, and choices that the guide to the cards leaves open. */
export interface HideOptions {
  cards: string;
  tie_speed: "caught" | "escape";
  colour_without_card: boolean;
  one_victim: "all" | "ask" | "one";
  minimum_speed: "0" | "1" | "none";
  enemies: boolean;
  hide_from_enemy: boolean;
  brawl_clears: boolean;
  brawl_tie: "ends" | "next";
  candy_removes: "any" | "food-first";
  spent_candy: "discarded" | "stays";
}

/** All that a phone may show. */
export interface HideView {
  phase: "animals" | "candy" | "cards" | "catch" | "gear" | "open" | "over";
  brawl: boolean;
  settled: boolean;
  round: number;
  rounds: number;
  seeker: string | null;
  seeking: string | null;
  order: string[];
  may_play_enemy: boolean;
  seats: SeatView[];
  animals: AnimalView[];
  caught: Caught[];
  enemy: EnemyView | null;
  catch: CatchView[];
  one_victim: string;
  caught_now: string[];
  candies: CandyAsked[];
  gears: GearAsked[];
  ends: Brawl | null;
  deck: DeckView;
  hand: HandView | null;
  set: CardSet;
  outcome: Outcome | null;
}

/** A private note: every card in a player's hand, laid ones still face down too. */
export interface Hold {
  move: "hold";
  seat: string;
  cards: string[];
}

/** A kind of card: how many there are, lie open, are out of play, and have not been seen. */
export interface KindView {
  card: string;
  count: number;
  lying: number;
  out: number;
  unseen: number;
  held: number;
  next: Chance | null;
  three: Chance | null;
}

/** Points and their reason: an animal, the food on it, a caught enemy, or the food on that. */
export interface Line {
  what: "animal" | "enemy" | "enemy-food" | "food";
  name: string;
  points: number;
}

/** The end of a match. */
export interface Outcome {
  reason: string;
  winners: string[];
  points: Record<string, number>;
}

/** A player has this animal (set-up). */
export interface Own {
  move: "animal";
  seat: string;
  animal: string;
}

/** A player plays an enemy before the seeker seeks, and draws a card for it (step 0). */
export interface PlayEnemy {
  move: "enemy";
  by: string;
  card: string;
}

/** A candy on `on` removes that food (or other candy), as the owner chooses; None keeps a candy. */
export interface RemoveFood {
  move: "candy";
  on: string;
  food: string | null;
}

/** A player: cards in hand and laid in this step, points so far with their reasons. */
export interface SeatView {
  seat: string;
  hand: number;
  laid: number;
  animals: string[];
  points: number;
  lines: Line[];
}

/** The seeker's chip lies on this animal (step 1). In the first round its player becomes the seeker. */
export interface Seek {
  move: "seek";
  animal: string;
}

/** The enemy takes this animal, the slowest of its colours (brawl). */
export interface Taken {
  move: "taken";
  animal: string;
}

/** Colours and speed, before and after the cards. */
export interface Traits {
  on: string;
  colours_before: ("black" | "brown" | "grey" | "white" | "yellow")[];
  colours: ("black" | "brown" | "grey" | "white" | "yellow")[];
  speed_before: number;
  speed: number;
  effects: Effect[];
  catches: ("black" | "brown" | "grey" | "white" | "yellow")[];
  hides: ("black" | "brown" | "grey" | "white" | "yellow")[];
  food: number;
}

/** A card laid by a player is turned up (steps 3 and 4). */
export interface TurnUp {
  move: "turn-up";
  by: string;
  card: string;
  on: string;
  colour: "black" | "brown" | "grey" | "white" | "yellow" | null;
  faster: boolean | null;
}
