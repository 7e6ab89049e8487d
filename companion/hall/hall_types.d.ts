// Made from the Python types by `make page-types`; a test says when it is out of date.

/** All that a hall's page shows. `rounds` come the newest first, `waiting` are names, the longest first, `winners` are those in the first place once the evening is over. */
export interface HallShown {
  version: number;
  evening: string;
  connected: boolean;
  halls: number;
  plan: Plan | null;
  over: boolean;
  tables: TableShown[];
  rounds: RoundShown[];
  standings: StandingShown[];
  waiting: string[];
  winners: string[];
}

/** A match of the evening. `state`: it waits for a table, is about to begin, is in play, or is over. `lost`: its table shows another match, and no result came. */
export interface PairingShown {
  id: string;
  table: string;
  players: PlayerShown[];
  state: string;
  by: string;
}

/** The plan of the evening, on the topic `plan`. */
export interface Plan {
  name: string;
  kind: "free" | "round-robin" | "swiss";
  game: string;
  options: Record<string, unknown>;
  seats: number;
  rounds: number;
}

/** A player of a pairing; `score` is a share of a win, None without a result. */
export interface PlayerShown {
  id: string;
  name: string;
  score: number | null;
}

/** A round of the evening. */
export interface RoundShown {
  number: number;
  pairings: PairingShown[];
  byes: string[];
}

/** A seat of a table: its player (empty where nobody is named), points if the game has them. */
export interface SeatShown {
  seat: string;
  player: string;
  points: number | null;
  is_turn: boolean;
  won: boolean;
}

/** A row of the standings; scores are counted in wins. */
export interface StandingShown {
  place: number;
  id: string;
  name: string;
  score: number;
  opponents: number;
  played: number;
  wins: number;
  here: boolean;
}

/** A table. `title` is its name for people, `newest` its newest move in notation. */
export interface TableShown {
  name: string;
  title: string;
  is_online: boolean;
  is_free: boolean;
  game: string;
  match: number;
  moves: number;
  over: boolean;
  paused: boolean;
  asks: boolean;
  called: boolean;
  referee: "" | "called" | "comes";
  camera_ok: boolean;
  newest: string;
  changes: number;
  seats: SeatShown[];
  pairing: string;
  version: string;
}
