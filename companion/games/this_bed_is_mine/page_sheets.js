/** What rises from below: the tile in hand, why a region or a side has its points, questions, the end. */

import { send } from "/static/act.js";
import { askAgain, sightingSheet } from "/static/asks.js";
import { el, svg } from "/static/dom.js";
import { nameOf, seatName } from "/static/names.js";
import { percent } from "/static/numbers.js";
import { closeSheet, openSheet } from "/static/sheet.js";
import { toast } from "/static/toast.js";
import { say } from "/static/messages.js";
import { Bed, face, shapePicture } from "./page_bed.js";
import { boxOf, covered, nameOf as squareKey, OWNERS, regionAt } from "./page_shapes.js";
import { bonusSaid, toyIcon } from "./page_toys.js";

/** @import { BedView, CompareToys, Game, HandOutChips, LayMarker, NameWinners, Now, RegionView, Shortage, TakeToys, ToyCount } from "./page_types.js" */
/** @import { Guess, WholeBoard } from "/static/types.js" */
/** @import { DrawnTile, Part } from "./page_bed.js" */
/** @import { Board, Owner, Square, Tile, Turned } from "./page_shapes.js" */

const MOST_GUESSES = 6;
const MOST_SAID = 3; // moves of a guess, said in words

/**
 * A sheet that a person asked for: why a region or a side has its points, another number of a tile, a pass, what to lay out.
 * @typedef {{kind: "region", at: Square} | {kind: "why", owner: Owner} | {kind: "misread", tile: Turned} | {kind: "pass"} | {kind: "layout"}} Wanted
 */

/**
 * What the person at a phone is doing. `hand`: the tile picked up, `laid` where it lies on the bed; `ghost`: where it is put
 * until it is laid there; `sheet`: what
 * they asked to see; `side`: whose tiles the tray shows, null for whose turn it is; `asked`: the question seen last.
 * @typedef {{hand: (Turned & {laid: boolean}) | null, ghost: Tile | null, sheet: Wanted | null, side: Owner | null, cursor: Square | null,
 *   asked: number}} Ui
 */

/**
 * What a sheet may do to the page.
 * @typedef {{bed: Bed, board: () => Board, show: (sheet: Wanted) => void, close: () => void, again: () => void, reveal: (squares: Square[]) => void,
 *   pickUp: (tile: Tile) => void, pass: (owner: Owner) => unknown}} Tools
 */

/**
 * Show the sheet that is due: what the person does comes before what the camera asks.
 * @param {Now} now what the table shows
 * @param {Ui} ui what the person does
 * @param {Tools} tools
 */
export function showSheet(now, ui, tools) {
  const { board } = now.match;
  tools.bed.choose(deciding(board));
  if (!ui.cursor) tools.bed.point(null);
  if (ui.hand) return closeSheet();
  const region = ui.sheet?.kind === "region" ? regionAt(board, ui.sheet.at) : null;
  if (region) return regionSheet(board, region, tools);
  if (ui.sheet?.kind === "why") return whySheet(board, ui.sheet.owner, tools, now.camera !== null && now.role !== "watcher");
  if (ui.sheet?.kind === "misread") return misread(now, ui.sheet.tile, tools);
  if (ui.sheet?.kind === "pass" && board.fit) return pass(now, tools);
  if (ui.sheet?.kind === "layout") return layout(now, tools);
  if (question(now, tools)) return undefined;
  return closeSheet();
}

/** @param {string} text shown with a capital */
const capital = (text) => el("span", { class: "cap", text });

/* Why */

/** @param {BedView} board @param {RegionView} region @param {Owner} owner */
function sumLine(board, region, owner) {
  const tiles = region.tiles.filter((tile) => tile.owner === owner);
  const ones = tiles.flatMap((tile, n) => [
    n ? " + " : null,
    el("span", { class: "one" }, shapePicture(board.shapes[tile.digit], owner, "tray"), String(tile.digit)),
  ]);
  return el("div", { class: `sum ${owner}`, role: "group", "aria-label": `${seatName(owner)}: ${tiles.map((tile) => tile.digit).join(" + ") || 0}` },
    face(owner), ...(ones.length ? ones : [el("span", { class: "quiet", text: say("bed.none") })]), el("span", { class: "equals", text: `= ${region.sums[owner]}` }));
}

/** @param {RegionView} region */
const whySaid = (region) =>
  say(`region.${region.why}`, { ...region.sums, points: region.points, owner: region.owner ?? "" });

/** @param {RegionView} region */
const regionTitle = (region) => (region.size === 1 ? say("bed.region-one") : say("bed.region", { size: region.size }));

/** @param {BedView} board @param {RegionView} region @param {Tools} tools */
function regionSheet(board, region, tools) {
  tools.bed.choose(region.squares);
  const toys = Object.entries(region.toys).filter(([, number]) => number);
  openSheet({
    name: `region-${squareKey(region.squares[0])}`,
    title: regionTitle(region),
    close: tools.close,
    body: [
      el("div", { class: "stack" },
        el("p", { class: "verdict cap", text: whySaid(region) }),
        region.tiles.length ? el("div", { class: "sums" }, ...OWNERS.map((owner) => sumLine(board, region, owner))) : null,
        toys.length ? el("div", { class: "row" }, el("span", { class: "quiet", text: say("bed.toys-here") }), ...toys.flatMap(([kind, number]) => toyIcons(kind, number))) : null),
    ],
  });
  tools.reveal(region.squares);
}

/** Toys of a kind, as pictures. @param {string} kind @param {number} number how many */
function toyIcons(kind, number) {
  return Array.from({ length: number }, () => toyIcon(kind));
}

/** What is known of a side: its regions, its toys, its tiles on the bed. @param {BedView} board @param {Owner} owner @param {Tools} tools @param {boolean} watched whether a camera can read it all again */
function whySheet(board, owner, tools, watched) {
  const regions = board.regions.filter((region) => region.owner === owner).sort((one, two) => two.points - one.points);
  const rows = regions.map((region) => el("li", {}, regionButton(region, tools)));
  const bonuses = board.side === "B" ? Object.entries(board.toy_count).map(([toy, count]) => bonusRow(toy, count)) : [];
  openSheet({
    name: `why-${owner}`,
    title: say(board.over ? "bed.why-title-over" : "bed.why-title", { owner: seatName(owner), points: board.points[owner].total }),
    close: tools.close,
    focus: true,
    body: [
      el("ul", { class: "list" }, ...rows, ...bonuses, ...board.tiles.filter((tile) => tile.owner === owner).reverse().map((tile) => tileRow(board, tile, tools)),
        ...(watched ? [el("li", {}, el("button", { type: "button", text: say("bed.whole"), onclick: () => readWhole(tools) }))] : [])),
      ...(rows.length ? [] : [el("p", { class: "quiet", text: say("bed.no-regions") })]),
    ],
  });
}

/** A tile on the bed, to be taken in hand. @param {BedView} board @param {Tile} tile @param {Tools} tools */
function tileRow(board, tile, tools) {
  const button = el("button", { type: "button", onclick: () => tools.pickUp(tile) });
  button.append(shapePicture(board.shapes[tile.digit], tile.owner, "tray"), capital(`${seatName(tile.owner)} ${tile.digit}`));
  return el("li", {}, button);
}

/** @param {RegionView} region @param {Tools} tools */
function regionButton(region, tools) {
  const button = el("button", { type: "button", onclick: () => tools.show({ kind: "region", at: region.squares[0] }) });
  const sums = region.tiles.length ? `${region.sums.cat} : ${region.sums.dog}` : "";
  button.append(region.owner ? face(region.owner) : el("span", { class: "toy-icon" }), capital(regionTitle(region)),
    el("span", { class: "quiet sums-said", text: sums }), el("span", { class: "end", text: region.points ? `+${region.points}` : region.why === "equal" ? "=" : "" }));
  return button;
}

/** @param {string} toy @param {ToyCount} count */
function bonusRow(toy, count) {
  return el("li", {}, el("div", { class: "plain" }, toyIcon(toy),
    capital(bonusSaid({ toy, cat: count.cat, dog: count.dog, points: 5, owner: count.bonus }))));
}

/** Let the camera read the whole bed afresh: what differs is asked about. @param {Tools} tools */
async function readWhole(tools) {
  /** @type {WholeBoard | null} */
  const whole = await send("/api/camera/whole");
  if (!whole) return;
  toast(whole.sentence);
  if (whole.differs) askAgain();
  tools.close();
}

/* What the camera asks */

/** Whether the camera asks, or says that a rule is broken; then that is shown. @param {Now} now @param {Tools} tools */
function question(now, { close }) {
  const { board } = now.match;
  const part = partOf(board, now.sighting?.guesses.slice(0, MOST_GUESSES) ?? []);
  const more = [el("button", { type: "button", onclick: close, text: say("bed.ask-by-hand") })];
  const moves = now.sighting?.guesses[0]?.moves ?? [];
  const [move] = moves;
  const one = moves.length === 1 && "digit" in move && move.move !== "take-off" ? say("photo.is-it", { owner: nameOf(move.owner), digit: move.digit }) : "";
  return sightingSheet(now, { one, unclear: "bed.ask", breaks: "bed.breaks", guess: (guess, n) => guessSaid(board, guess, n, part), most: MOST_GUESSES, close, more });
}

/** @param {BedView} board @param {Guess<Game>} guess @param {number} n @param {Part | null} part of the bed that is shown */
function guessSaid(board, guess, n, part) {
  const picture = svg("svg", { class: "mini", "aria-hidden": "true" });
  const after = afterMoves(board, guess.moves);
  new Bed(picture, `guess${n}`).draw({ ...board, tiles: after, regions: [] }, part);
  const said = guess.moves.flatMap((move) => ("owner" in move ? [say(`bed.guess-${move.move}`, { owner: seatName(move.owner), digit: "digit" in move ? move.digit : "" })] : []));
  if (!guess.moves.length) said.push(say("bed.guess-none"));
  if (said.length > MOST_SAID) said.splice(MOST_SAID - 1, Infinity, say("bed.guess-more", { count: said.length - MOST_SAID + 1 }));
  return { inside: [picture, capital(said.join(", ")), el("span", { class: "sure", text: percent(guess.confidence) })] };
}

/** The tiles as they would lie after moves; `is` says which are new and which gone. @param {BedView} board @param {Game["move"][]} moves */
function afterMoves(board, moves) {
  /** @type {Map<string, DrawnTile>} */
  const tiles = new Map(board.tiles.map((tile) => [`${tile.owner}${tile.digit}`, tile]));
  for (const move of moves) {
    if (move.move === "skip" || move.move === "finish") continue;
    const name = `${move.owner}${move.digit}`;
    const laid = tiles.get(name);
    if (move.move !== "take-off") tiles.set(name, { ...move, cells: covered(board, move), is: "told" });
    else if (laid) tiles.set(name, { ...laid, is: "lifted" });
  }
  return [...tiles.values()];
}

/** The square part of the bed that holds all that the guesses change, the same for each. @param {BedView} board @param {Guess<Game>[]} guesses @returns {Part | null} */
function partOf(board, guesses) {
  const squares = guesses.flatMap((guess) => afterMoves(board, guess.moves).filter((tile) => tile.is).flatMap((tile) => tile.cells));
  if (!squares.length) return null;
  const box = boxOf(squares);
  const [top, left, bottom, right] = [box.top - 1, box.left - 1, box.bottom + 1, box.right + 1];
  const size = Math.max(bottom - top, right - left, 7);
  return { row: (top + bottom - size) / 2, col: (left + right - size) / 2, rows: size, cols: size };
}

/* The end */

/** Who has won, or that both share the bed. @param {BedView} board */
export function outcomeSaid({ outcome }) {
  const winners = outcome?.winners ?? [];
  return winners.length === 1 ? say("bed.wins", { owner: seatName(winners[0]) }) : say("bed.share");
}

/** @param {Now} now @param {Tools} tools */
async function layout(now, tools) {
  /** @type {typeof import("./page_layout.js")} */
  const { layoutSheet } = await import(`/games/${now.match.game}/page_layout.js`);
  layoutSheet(now, tools, openSheet);
}

/** @param {Now} now @param {Turned} name @param {Tools} tools */
async function misread(now, name, tools) {
  /** @type {typeof import("./page_misread.js")} */
  const { misreadSheet } = await import(`/games/${now.match.game}/page_misread.js`);
  misreadSheet(now, name, tools, { openSheet, send });
}

/** @param {Now} now @param {Tools} tools */
async function pass(now, tools) {
  /** @type {typeof import("./page_closing.js")} */
  const { passSheet } = await import(`/games/${now.match.game}/page_closing.js`);
  passSheet(now, tools, openSheet);
}

/** The winner's largest region at the end, which is outlined. @param {BedView} board */
function deciding({ outcome, regions }) {
  const winner = outcome?.winners.length === 1 ? outcome.winners[0] : null;
  const own = regions.filter(({ owner }) => winner && owner === winner);
  return own.length ? own.reduce((most, region) => (region.points > most.points ? region : most)).squares : null;
}
