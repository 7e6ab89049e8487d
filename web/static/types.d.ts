// Made from the Python types by `make page-types`; a test says when it is out of date.

/** What a game adds to the types that all games share. */
export interface AnyGame {
  board: unknown;
  options: object;
  move: object;
}

/** The test as it stands, and the figures of former ones, the newest first. */
export interface Accuracy {
  now: AccuracyNow;
  reports: Report[];
}

/** The test as it stands. */
export interface AccuracyNow {
  phase: "check" | "done" | "idle" | "read";
  task: Task | null;
  number: number;
  of: number;
  read: string;
  outcome: "asked" | "exact" | "wrong" | null;
  report: Report | null;
}

/** The matches of a player against another: those played, won and lost; the others were shared. */
export interface Against {
  name: string;
  matches: number;
  won: number;
  lost: number;
}

/** A phone that waits, as those who may let it in see it: its number, and who says to hold it. */
export interface Asker {
  number: number;
  name: string;
  colour: "" | "blue" | "green" | "orange" | "red" | "violet" | "yellow";
  animal: "" | "bear" | "fox" | "frog" | "owl" | "rabbit" | "turtle";
}

/** What the photos show. `why`: a key `why.<why>` of what is in the way, empty if nothing is. */
export interface BoardRead {
  tiles: ReadTile[];
  coats: Coat[];
  why: string;
}

/** How this table stands with its broker: `off` where none is set up. */
export interface BrokerNow {
  state: "connected" | "connecting" | "off";
  says: string;
  topics: string;
}

/** The camera's status. */
export interface CameraState {
  kind: "black" | "ended" | "frozen" | "none" | "ok" | "overexposed" | "slow" | "starting" | "unplugged";
  since_s: number;
  needs: "" | "empty" | "markers" | "teach";
  unsure: boolean;
  why: string;
  source: string;
  fps: number;
  taught: Record<string, (number | string)[]>;
  drift: Drift;
}

/** Tiles that look alike, by their numbers in the reading: one answer says whose all of them are. */
export interface Coat {
  tiles: number[];
}

/** What a correction changes, or has changed if it is `kept`. */
export interface Corrected {
  kept: boolean;
  before: StandingOf;
  after: StandingOf;
  lost: LostMove[];
}

/** How often something was read right, would have been asked about, and was read wrong. */
export interface Count {
  exact: number;
  asked: number;
  wrong: number;
}

/** The course of a match: its open moves in the game's notation, and how each seat stood after each. */
export interface Course {
  seats: string[];
  moves: string[];
  standing: Record<string, number>[];
  trend: Record<string, number>[];
}

/** A lamp's pattern: the brightness (0 to 1) at points (0 to 1) of a period, straight between them. */
export interface Curve {
  points: [number, number][];
  period_s: number;
  once: boolean;
  shift: boolean;
  warns: boolean;
}

/** What everybody may know of a match that the table deals: the seats that it plays, with their levels. */
export interface Dealt {
  players: Record<string, string>;
  waits: boolean;
  in_secret: string;
}

/** The virtual table: whether a person tries the set-up there, and its faults that can be switched. */
export interface DemoNow {
  rehearses: boolean;
  faults: Record<string, boolean>;
}

/** What has changed since the set-up, for some time already. */
export interface Drift {
  what: "" | "bright" | "dark" | "marker" | "moved";
  marker: number;
  since: number;
}

/** Whether the newest picture can be taken as that of the empty board. */
export interface EmptyCheck {
  hindrance: "" | "blurred" | "hand" | "markers" | "moving" | "tile";
  things: [number, number][][];
}

/** How a match ended, in the asker's language: who won, and sentences that say by what. */
export interface Ending {
  won: string;
  why: string[];
}

/** A record of the house: the match that holds it, its value, and whose it is. */
export interface Feat {
  match: number;
  began: string;
  value: number;
  names: string[];
}

/** All matches of one game: the longest by its moves, None where only photos were scored, and the most points, None in a game without points. */
export interface GameOfHouse {
  matches: number;
  longest: Feat | null;
  best: Feat | null;
}

/** Moves that would bring the match to what was seen, and their probability (0 to 1). */
export interface Guess<G extends AnyGame = AnyGame> {
  moves: G['move'][];
  confidence: number;
}

/** What the table would play for the seat in turn. */
export interface Hint {
  move: Record<string, unknown>;
  notation: string;
  value: number | null;
  says: string;
  worth: string;
  called: string;
}

/** The house: its players, its games, the years in which it played. */
export interface House {
  matches: number;
  players: Player[];
  games: Record<string, GameOfHouse>;
  years: number[];
  last: LastMatch | null;
  left_out: number;
}

/** A match in the journal. `fault` is set where not all of it can be played back; `opens` is false where nothing of it can be. `from_photo`: it is the photo of a finished board. `title`: what people call it. */
export interface KeptMatch {
  id: number;
  game: string;
  began: string;
  options: Record<string, unknown>;
  moves: number;
  players: Record<string, string>;
  over: boolean;
  winners: string[];
  points: Record<string, number>;
  fault: string;
  opens: boolean;
  from_photo: boolean;
  title: string;
}

/** Matches kept, the newest first; `before` asks for the next older ones, 0 when there are none. */
export interface KeptMatches {
  matches: KeptMatch[];
  before: number;
}

/** The number of the match in which a score was kept. */
export interface KeptScore {
  match: number;
}

/** The match that was finished last: its game, its players by seat, who won, its points by seat. */
export interface LastMatch {
  match: number;
  game: string;
  began: string;
  players: Record<string, string>;
  winners: string[];
  points: Record<string, number>;
}

/** A tile as the camera has learnt it: its upright picture as a `data:` address. */
export interface LearntTile {
  owner: string;
  digit: number | string;
  picture: string;
}

/** Tiles of one owner to show together, with the outline in px of the picture where each must lie. */
export interface Lesson {
  owner: string;
  digits: (number | string)[];
  outlines: [number, number][][];
}

/** Whether the tiles of a lesson lie in their places in the newest picture. */
export interface LessonCheck {
  hindrance: "" | "blurred" | "hand" | "markers" | "moving" | "tile";
  tiles: TileCheck[];
  things: [number, number][][];
}

/** An open move that no longer fits, with its number before the correction, and why in one sentence. */
export interface LostMove {
  number: number;
  move: string;
  says: string;
}

/** A player's luck: how much more than expected it was, in standard errors (below 0: less). */
export interface LuckSaid {
  times: number;
  total: number;
  expected: number;
  errors: number;
}

/** One of the board's markers: its number, how it is seen, and where it is or should be in the picture. */
export interface MarkerCheck {
  number: number;
  state: "covered" | "outside" | "seen" | "unseen";
  outline: [number, number][];
}

/** What one seat may see of a match: the game's own view as `board`, and the match around it. */
export interface MatchView<G extends AnyGame = AnyGame> {
  id: number;
  game: string;
  began: string;
  options: G['options'];
  n: number;
  moves: number;
  seats: string[];
  players: Record<string, string>;
  turn: string | null;
  outcome: Outcome | null;
  can_undo: boolean;
  can_redo: boolean;
  by: string;
  last: string[];
  board: G['board'];
  standing: Record<string, number>;
}

/** The number of each open move's picture, 0 where it has none; `gone`: what became of others. */
export interface MovesPictured {
  pictures: number[];
  gone: "" | "deleted" | "made-room";
}

/** Nothing more is to be said. */
export interface Nothing {
}

/** What everybody should know of what is kept: a key `notice.<key>` of the pages' words, and its facts. */
export interface Notice {
  key: string;
  facts: Record<string, string | number>;
}

/** A player's matches of one game; `best` and `mean` are points, None for a game without points. */
export interface OfGame {
  matches: number;
  won: number;
  best: number | null;
  mean: number | null;
  points_a_piece: number | null;
  luck: LuckSaid | null;
}

/** The seat that the table plays, and how well. */
export interface OpponentNow {
  seat: string;
  level: string;
  thinks: boolean;
  move: unknown;
}

/** How a match ended. */
export interface Outcome {
  reason: string;
  winners: string[];
  points: Record<string, number>;
}

/** The reading, to draw over the picture of `width` × `height` px. */
export interface Overlay {
  width: number;
  height: number;
  grid: [number, number][][];
  tiles: OverlayTile[];
}

/** A tile in the reading. `polygon` is its outline in px of the picture; `confidence` is from 0 to 1. */
export interface OverlayTile {
  owner: string;
  digit: number | string;
  polygon: [number, number][];
  confidence: number;
}

/** A board that is kept, by its game, option and name. */
export interface OwnName {
  game: string;
  option: string;
  name: string;
}

/** The name of a picture that is kept. */
export interface OwnPicture {
  picture: string;
}

/** A fault of the real panel: the part and its seat, GPIO and header pin. */
export interface PanelFault {
  part: "button" | "buzzer" | "lamp" | "pins" | "status" | "undo";
  why: string;
  seat: number | null;
  gpio: number | null;
  pin: number | null;
  detail: string;
}

/** The current panel. `limit_s` is each seat's time for a match, None without a limit. */
export interface PanelNow {
  match: number;
  seats: PanelSeat[];
  paused: boolean;
  begun: boolean;
  limit_s: number | null;
  wired: boolean;
  faults: PanelFault[];
  tried: string[] | null;
}

/** A seat on the panel: its lamp's pattern by name, the seconds since it began, and the seat's clock. */
export interface PanelSeat {
  seat: string;
  pattern: string;
  age_s: number;
  spent_s: number;
  running: boolean;
  done: boolean;
  rule: string;
  facts: Record<string, string | number>;
}

/** Photos of one finished board on their way to its score. */
export interface PhotoDraft {
  id: number;
  game: string;
  options: Record<string, unknown>;
  grid: PhotoGrid;
  owners: string[];
  photos: PhotoView[];
  stage: "photos" | "read" | "reading" | "waiting";
  read: BoardRead | null;
  fault: string;
}

/** The squares of the board, and groups of squares by which a person sees which side is up. */
export interface PhotoGrid {
  rows: number;
  cols: number;
  landmarks: [number, number][][];
}

/** A photo of `width` × `height` px, and where the board's corners lie in it. */
export interface PhotoView {
  name: number;
  width: number;
  height: number;
  corners_px: [[number, number], [number, number], [number, number], [number, number]];
  source: "edges" | "guess" | "markers" | "person";
  certain: boolean;
}

/** The newest picture, judged for the set-up. */
export interface PictureCheck {
  width: number;
  height: number;
  rows: number;
  cols: number;
  blocked: [number, number][][];
  advice: ("blurred" | "bright" | "dark")[];
  markers: MarkerCheck[];
  grid: [number, number][][];
  fit_px: number | null;
  by_hand: boolean;
  empty_shown: boolean;
}

/** A tile that lies, or may lie, on the board; `row` and `col` are the top left of its shape's box. */
export interface PlacedTile {
  owner: string;
  digit: number | string;
  turns: number;
  row: number;
  col: number;
}

/** A player over all matches. `streak` is the run of matches won up to the last one. */
export interface Player {
  name: string;
  matches: number;
  won: number;
  streak: number;
  longest_streak: number;
  first: string;
  last: string;
  games: Record<string, OfGame>;
  against: Against[];
}

/** A match that was being played when another took its place on the table: its number and its moves. */
export interface PutAside {
  id: number;
  moves: number;
}

/** A tile that was read. `owner` is empty where nobody said yet whose it is. */
export interface ReadTile {
  owner: string;
  digit: number | string;
  turns: number;
  row: number;
  col: number;
  unsure: boolean;
  others: PlacedTile[];
}

/** Why a request was refused: the name of the rule, and one sentence in the asker's language. */
export interface Refusal {
  rule: string;
  says: string;
}

/** A sentence, in the asker's language; `number` is that of the open move that it is about, 0 for none. */
export interface Remark {
  number: number;
  says: string;
}

/** The figures of one test: when (UTC), by which camera, in how much light (0 to 255), and the counts. */
export interface Report {
  began: string;
  source: string;
  light: number;
  lay: Count;
  throw: Count;
}

/** What the table's player thinks of a match. */
export interface ReviewNow {
  ready: boolean;
  course: Course;
  remarks: Remark[];
}

/** The seat taken; `secret` for a program alone, to be sent as `Authorization: Bearer <secret>`. */
export interface Sat {
  seat: string;
  secret: string;
}

/** The game's own view of a finished board, with its score. */
export interface ScoredBoard {
  board: unknown;
}

/** One seat of the match on the table. */
export interface SeatNow {
  seat: string;
  taken: boolean;
  mine: boolean;
  code: string;
  link: string;
  hand_over: boolean;
  kept_back: boolean;
}

/** The seats of the match on the table, in order. */
export interface SeatsNow {
  match: number;
  seat: string | null;
  screen: boolean;
  trusted: boolean;
  seats: SeatNow[];
  role: "host" | "player" | "watcher";
  may_remove: boolean;
  wait_s: number;
  asks: number;
  asking: number[];
  askers: Asker[];
  guests: number;
  pin: string;
}

/** A setting as it stands. */
export interface SettingNow {
  name: string;
  value: string | number | boolean | null;
  default: string | number | boolean | null;
  choices: string[];
  at_once: boolean;
  waits: boolean;
  on_command_line: boolean;
  secret: boolean;
  is_set: boolean;
}

/** A sighting on a page: the verdict, the reason, and the guesses to choose from, the best first. */
export interface SightingView<G extends AnyGame = AnyGame> {
  id: number;
  verdict: "nothing" | "play" | "ask" | "wait" | "breaks";
  why: string;
  rule: string;
  facts: Record<string, string | number>;
  guesses: Guess<G>[];
}

/** How a match stands: its open moves, what each seat has, and how it ended if it is over. */
export interface StandingOf {
  moves: number;
  standing: Record<string, number>;
  outcome: Outcome | null;
}

/** Everything that a page shows, as one consistent value. */
export interface TableNow<G extends AnyGame = AnyGame> {
  id: string;
  match: MatchView<G>;
  sighting: SightingView<G> | null;
  camera: CameraState | null;
  seat: string | null;
  sitting: string[];
  kept: boolean;
  put_aside: PutAside | null;
  role: "host" | "player" | "watcher";
  asking: number[];
  notices: Notice[];
  demo: boolean;
  colours: Record<string, "" | "blue" | "green" | "orange" | "red" | "violet" | "yellow">;
  animals: Record<string, "" | "bear" | "fox" | "frog" | "owl" | "rabbit" | "turtle">;
  askers: Asker[];
  opponent: OpponentNow | null;
  dealt: Dealt | null;
}

/** What is asked now: its number, the tile and its outline in px, and the tiles that lie there before. */
export interface Task {
  kind: "clear" | "lay" | "throw";
  number: number;
  tile: Tile | null;
  lying: Tile[];
  outline: [number, number][];
}

/** A tile on the board. */
export interface Tile {
  owner: string;
  digit: number | string;
  turns: number;
  row: number;
  col: number;
  cells: [number, number][];
  confidence: number;
}

/** A tile of a lesson: where it must lie, and whether it lies there. */
export interface TileCheck {
  digit: number | string;
  state: "beside" | "missing" | "right";
  outline: [number, number][];
}

/** Whether the whole board, read afresh, differs from the match, and one sentence that says so. */
export interface WholeBoard {
  differs: boolean;
  sentence: string;
}

/** One year of the house: its matches by month, January first, and its players and records. */
export interface Year {
  year: number;
  months: number[];
  house: House;
}
