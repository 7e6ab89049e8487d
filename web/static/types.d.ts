// Made from the Python types by `make page-types`; a test says when it is out of date.

/** What a game adds to the types that all games share. */
export interface AnyGame {
  board: unknown;
  options: object;
  move: object;
}

/** The current test, and the figures of former ones, the newest first. */
export interface Accuracy {
  now: AccuracyNow;
  reports: Report[];
}

/** The current test. */
export interface AccuracyNow {
  phase: "check" | "done" | "idle" | "read";
  task: Task | null;
  number: number;
  of: number;
  read: string;
  outcome: "asked" | "exact" | "wrong" | null;
  report: Report | null;
}

/** The actions of a press, of a long press, and of two buttons together; and those of further buttons, wired or not, by name. */
export interface Actions {
  press: "ask-standing" | "ask-turn" | "call" | "done" | "next" | "pause" | "undo";
  hold: "ask-standing" | "ask-turn" | "call" | "done" | "next" | "pause" | "undo";
  both: "ask-standing" | "ask-turn" | "call" | "done" | "next" | "pause" | "undo";
  buttons: Record<string, "ask-standing" | "ask-turn" | "call" | "done" | "next" | "pause" | "undo">;
}

/** The matches of a player against another: those played, won and lost; the others were shared. */
export interface Against {
  name: string;
  matches: number;
  won: number;
  lost: number;
}

/** An answer in the asker's language. */
export interface Answer {
  says: string;
}

/** The board in the photos. `why`: the obstacle's key `why.<why>`, or empty. */
export interface BoardRead {
  tiles: ReadTile[];
  coats: Coat[];
  why: string;
}

/** The table's connection to its broker: `off` without one. */
export interface BrokerNow {
  state: "connected" | "connecting" | "off";
  says: string;
  topics: string;
}

/** The camera's status. */
export interface CameraState {
  kind: "black" | "busy" | "ended" | "frozen" | "none" | "ok" | "overexposed" | "slow" | "starting" | "unplugged";
  since_s: number;
  needs: "" | "empty" | "markers" | "teach";
  unsure: boolean;
  why: string;
  source: string;
  fps: number;
  taught: Record<string, (number | string)[]>;
  drift: Drift;
}

/** The kind of clock. Without `reserve_s`, it only counts. */
export interface ClockRules {
  kind: "advisory" | "delay" | "fischer" | "none" | "sand" | "total" | "turn";
  reserve_s: number | null;
  extra_s: number;
  at_zero: "lost" | "nothing" | "sound";
}

/** Tiles that look alike, by their numbers in the reading: one answer names the owner of all. */
export interface Coat {
  tiles: number[];
}

/** A correction's changes; made already if `kept`. */
export interface Corrected {
  kept: boolean;
  before: StandingOf;
  after: StandingOf;
  lost: LostMove[];
}

/** Readings by outcome. */
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

/** The open facts about a match that the table deals: the seats that it plays, with their levels. */
export interface Dealt {
  players: Record<string, string>;
  waits: number;
  waited: number;
  in_secret: string;
}

/** The virtual table's faults, and whether a person tries the set-up there. */
export interface DemoNow {
  rehearses: boolean;
  faults: Record<string, boolean>;
}

/** A lasting change since the set-up. */
export interface Drift {
  what: "" | "bright" | "dark" | "marker" | "moved";
  marker: number;
  since: number;
}

/** The newest picture, judged as the empty board; `things` outlines objects on it. */
export interface EmptyCheck {
  hindrance: "" | "blurred" | "hand" | "markers" | "moving" | "tile";
  things: [number, number][][];
}

/** A seat's place at the end, with a few words on it. */
export interface EndPlace {
  seat: string;
  says: string;
}

/** The end of a match in the asker's language: the winners, the reason, and the seats from the first on. */
export interface Ending {
  won: string;
  why: string;
  places: EndPlace[];
  times: string;
}

/** A record of the house: the match that holds it, its value, and whose it is. */
export interface Feat {
  match: number;
  began: string;
  value: number;
  names: string[];
}

/** All matches of one game. `longest` goes by moves, and is None where only photos were scored; `best` goes by points, and is None in a game without points. */
export interface GameOfHouse {
  matches: number;
  longest: Feat | null;
  best: Feat | null;
}

/** Moves that would bring the match to the observation, and their probability (0 to 1). */
export interface Guess<G extends AnyGame = AnyGame> {
  moves: G['move'][];
  confidence: number;
}

/** A hint: the table's move for the seat in turn. */
export interface Hint {
  move: Record<string, unknown>;
  notation: string;
  value: number | null;
  says: string;
  worth: string;
  called: string;
}

/** The house: its players, games, and years; `left_out` counts the matches without a current summary. */
export interface House {
  matches: number;
  players: Player[];
  games: Record<string, GameOfHouse>;
  years: number[];
  last: LastMatch | null;
  left_out: number;
}

/** A phone that asks to be let in, as the table's players see it: its number and holder. */
export interface JoinRequest {
  number: number;
  name: string;
  colour: "" | "blue" | "green" | "orange" | "red" | "violet" | "yellow";
  animal: "" | "bear" | "fox" | "frog" | "owl" | "rabbit" | "turtle";
}

/** A match in the journal. */
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
  seats: string[];
  computer: string[];
}

/** Kept matches, the newest first; `before` asks for the next older ones, 0 at the end. */
export interface KeptMatches {
  matches: KeptMatch[];
  before: number;
}

/** The number of the match with the kept score. */
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

/** A learnt tile with its upright picture as a `data:` address. */
export interface LearntTile {
  owner: string;
  digit: number | string;
  picture: string;
}

/** Tiles of one owner to show together, with their outlines in px of the picture. */
export interface Lesson {
  owner: string;
  digits: (number | string)[];
  outlines: [number, number][][];
}

/** The newest picture, judged as a lesson; `things` outlines other objects on the board. */
export interface LessonCheck {
  hindrance: "" | "blurred" | "hand" | "markers" | "moving" | "tile";
  tiles: TileCheck[];
  things: [number, number][][];
}

/** An open move that no longer fits, with its number before the correction, and the reason. */
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

/** One of the board's markers: its number, its state, and its real or expected outline. */
export interface MarkerCheck {
  number: number;
  state: "covered" | "outside" | "seen" | "unseen";
  outline: [number, number][];
}

/** The view of a match for one seat: the game's own view as `board`, and the match around it. */
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

/** The number of each open move's picture, 0 without one; `gone` explains missing pictures. */
export interface MovesPictured {
  pictures: number[];
  gone: "" | "deleted";
}

/** An empty body or answer. */
export interface Nothing {
}

/** A notice for everybody at the table: a key `notice.<key>` of the pages' words, and its facts. */
export interface Notice {
  key: string;
  facts: Record<string, string | number>;
}

/** A player's matches of one game; `best` and `mean` are points, None for a game without points. `points_a_piece` is None where pieces are not counted. */
export interface OfGame {
  matches: number;
  won: number;
  best: number | null;
  mean: number | null;
  points_a_piece: number | null;
  luck: LuckSaid | null;
}

/** The table's seats: the one in turn, else the first, and its level; `seats` are all. */
export interface OpponentNow {
  seat: string;
  level: string;
  thinks: boolean;
  move: unknown;
  seats: string[];
}

/** The end of a match. */
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

/** A read tile. `polygon` is its outline in px of the picture; `confidence` is from 0 to 1. */
export interface OverlayTile {
  owner: string;
  digit: number | string;
  polygon: [number, number][];
  confidence: number;
}

/** A kept board, by its game, option and name. */
export interface OwnName {
  game: string;
  option: string;
  name: string;
}

/** The name of a kept picture. */
export interface OwnPicture {
  picture: string;
}

/** A fault of a part of the panel, as pages are told it. */
export interface PanelFault {
  part: "button" | "buzzer" | "lamp" | "named" | "status" | "undo" | "pins";
  why: "broken" | "in-use" | "no-chip" | "no-gpiozero" | "no-pin" | "stuck";
  seat: number | null;
  gpio: number | null;
  pin: number | null;
  detail: string;
  name: string;
}

/** The current panel, at `at_s` on its own clock. `clock` is the kind of clock, `actions` what presses do. */
export interface PanelNow {
  match: number;
  seats: PanelSeat[];
  paused: boolean;
  begun: boolean;
  at_s: number;
  clock: ClockRules;
  actions: Actions;
  wired: boolean;
  faults: PanelFault[];
  tried: string[] | null;
}

/** A seat on the panel: its lamp's pattern by name and age in seconds, and the seat's clock. */
export interface PanelSeat {
  seat: string;
  pattern: string;
  age_s: number;
  spent_s: number;
  running: boolean;
  left_s: number | null;
  free_s: number;
  rate: number;
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

/** The squares of the board, and landmarks that show which side is up. */
export interface PhotoGrid {
  rows: number;
  cols: number;
  landmarks: [number, number][][];
}

/** A photo of `width` × `height` px, with the board's corners in it. */
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

/** A real or possible tile on the board; `row` and `col` are the top left of its shape's box. */
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

/** A read tile. `owner` is empty while unknown. */
export interface ReadTile {
  owner: string;
  digit: number | string;
  turns: number;
  row: number;
  col: number;
  unsure: boolean;
  others: PlacedTile[];
  twin: boolean;
}

/** The reason of a refusal: the name of the rule, and one sentence in the asker's language. */
export interface Refusal {
  rule: string;
  says: string;
}

/** A sentence in the asker's language on the open move `number`, or on all (0). */
export interface Remark {
  number: number;
  says: string;
}

/** The figures of one test: its time (UTC), camera and light (0 to 255), and the counts. */
export interface Report {
  began: string;
  source: string;
  light: number;
  lay: Count;
  throw: Count;
}

/** A review of a match by the table's player. */
export interface ReviewNow {
  ready: boolean;
  course: Course;
  remarks: Remark[];
}

/** The taken seat; `secret` is for a program alone, sent as `Authorization: Bearer <secret>`. */
export interface Sat {
  seat: string;
  secret: string;
}

/** The game's view of a finished board, with its score. */
export interface ScoredBoard {
  board: unknown;
  fits: PlacedTile[];
  tiles: PlacedTile[];
  asked: number[];
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

/** The seats of match `match` on the table, in order, for an asker in `seat` with `role`. */
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
  askers: JoinRequest[];
  guests: number;
  pin: string;
}

/** A setting's state. */
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
  by_pin: boolean;
  says: string;
}

/** A sighting on a page: the verdict, the reason, and the guesses to choose from, the best first. `id` identifies the sighting when a person chooses one of its guesses. */
export interface SightingView<G extends AnyGame = AnyGame> {
  id: number;
  verdict: "nothing" | "play" | "ask" | "wait" | "breaks";
  why: string;
  rule: string;
  facts: Record<string, string | number>;
  guesses: Guess<G>[];
}

/** A match's standing: its open moves, each seat's points, and the outcome if it is over. */
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
  rematch: string[];
  role: "host" | "player" | "watcher";
  asking: number[];
  notices: Notice[];
  demo: boolean;
  colours: Record<string, "" | "blue" | "green" | "orange" | "red" | "violet" | "yellow">;
  animals: Record<string, "" | "bear" | "fox" | "frog" | "owl" | "rabbit" | "turtle">;
  askers: JoinRequest[];
  opponent: OpponentNow | null;
  dealt: Dealt | null;
  face_down: string[];
  own_face_down: string;
  timed: boolean;
}

/** The current task: its number, the tile with its outline in px, and the tiles already there. */
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

/** A tile of a lesson, and its place. */
export interface TileCheck {
  digit: number | string;
  state: "beside" | "missing" | "right";
  outline: [number, number][];
}

/** A new reading of the whole board: `differs` from the match or not, in a sentence too. */
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
