/** The bed's page: what is shown, and what taps on it do. */

import { play } from "/static/act.js";
import { askAgain, isAside, putAside, waitSaid } from "/static/asks.js";
import { byId, el, keyed, query, redraw, set, svg } from "/static/dom.js";
import { current, onNews, shown } from "/static/live.js";
import { computerSaid, forOther, seatName, showName, squareName } from "/static/names.js";
import { toast } from "/static/toast.js";
import { nameFor, say } from "/static/messages.js";
import { Bed, coats, face, shapePicture } from "./page_bed.js";
import { OWNERS, boxOf, covered, placeAt, refusal, regionAt, tileAt, turnedOn } from "./page_shapes.js";
import { outcomeSaid, showSheet } from "./page_sheets.js";

/** @import { BedView, Now } from "./page_types.js" */
/** @import { Board, Owner, Square, Tile, Turned } from "./page_shapes.js" */
/** @import { Tools, Ui } from "./page_sheets.js" */

const REACH = 1.6; // squares around a finger in which a free place is looked for

/** What the person at this phone is doing. @type {Ui} */
const ui = { hand: null, ghost: null, sheet: null, side: null, cursor: null, asked: 0 };

const bed = new Bed(byId("picture", SVGSVGElement), "bed");
const shapes = svg("svg", { width: 0, height: 0, class: "unseen", "aria-hidden": "true" }, coats("tray"));
document.body.append(shapes);
for (const owner of OWNERS) query(byId(`side-${owner}`), ".face-box").append(face(owner));

/** The bed as the match shows it, with whom its zone binds and how: that stands among the options. @returns {Board} */
function boardNow() {
  /** @type {Now} */
  const { match } = shown();
  const { board, options } = match;
  const bound = board.side === "A" || options.zone_on_side_b;
  const binds = { cat: bound, dog: bound && options.dog_first_zone };
  return { ...board, turn: match.outcome ? null : board.turn, zoneRule: { binds, touching: options.first_zone === "touching" } };
}

/** The tile of that name, where it lies on the bed. @param {BedView} board @param {{owner: Owner, digit: number}} name */
const laidTile = (board, { owner, digit }) => board.tiles.find((tile) => tile.owner === owner && tile.digit === digit);

/** Whether the tile in hand is still where it was picked up. @param {BedView} board @param {NonNullable<Ui["hand"]>} hand */
function stillThere(board, hand) {
  const laid = laidTile(board, hand);
  if (!hand.laid) return !laid;
  if (!laid) return false;
  // Turned or moved meanwhile (by this phone, too): it stays in hand as it lies now.
  Object.assign(hand, { turns: laid.turns });
  return true;
}

function render() {
  /** @type {Now | null} */
  const now = current();
  if (!now) return;
  const board = boardNow();
  for (const owner of OWNERS) side(board, owner);
  status(now);
  picture(board);
  tray(board);
  byId("asks").hidden = !isAside(now.sighting);
  byId("pass").hidden = !board.fit || Boolean(ui.hand || now.match.outcome);
  action(board);
  showSheet(now, ui, tools);
}

/** What the sheets may do to the page. @type {Tools} */
const tools = {
  bed,
  board: boardNow,
  show: (sheet) => {
    Object.assign(ui, { sheet, hand: null });
    render();
  },
  close: () => {
    if (ui.hand) ui.hand = null;
    else if (ui.sheet) ui.sheet = null;
    else putAside();
    render();
  },
  again: render,
  reveal,
  pickUp,
  pass: (owner) => {
    tools.close();
    return play({ move: "skip", owner });
  },
};

/** The one thing to do now with the tile in hand. @param {Board} board */
function action(board) {
  const { hand, ghost } = ui;
  const why = hand && ghost && refusal(board, ghost);
  const word = !hand ? "pick" : why ? "not-here" : ghost ? "lay-it" : hand.laid ? "take-off" : "tap-bed";
  const ready = ["lay-it", "take-off"].includes(word);
  const button = byId("lay");
  button.hidden = board.over;
  set(button, { class: word === "lay-it" ? "main" : "", "aria-disabled": ready ? null : "true", text: say(`bed.${word}`), onclick: () => ready && (ghost ? layIt() : takeOff()) });
  byId("another-number").hidden = !hand?.laid || Boolean(ghost) || !board.left[hand.owner].length;
}

async function takeOff() {
  if (!ui.hand) return;
  const { owner, digit } = ui.hand;
  ui.hand = null;
  await play({ move: "take-off", owner, digit });
  render();
}

/* What is shown */

/** @param {BedView} board @param {Owner} owner */
function side(board, owner) {
  const box = byId(`side-${owner}`);
  const points = board.points[owner];
  const toPlay = board.turn === owner;
  const out = board.skipped[owner] && !board.over;
  box.classList.toggle("to-play", toPlay);
  box.classList.toggle("out", out);
  showName(query(box, ".name"), owner);
  const left = board.over && board.side === "B" ? say("bed.regions-and-bonus", { ...points }) : say("bed.tiles-left", { tiles: board.left[owner].length });
  set(query(box, ".state"), { text: [computerSaid(owner), out ? say("bed.skipped") : left].filter(Boolean).join(" · ") });
  set(query(box, ".total"), { text: telling(board) ? points.total : "" });
}

/** Whether points say something yet: somebody has a region, nobody one as large as a third of the bed. @param {BedView} board */
const telling = ({ over, regions, rows, cols }) => over || (regions.some(({ owner }) => owner) && regions.every(({ owner, size }) => !owner || size * 3 <= rows * cols));

const ownTurn = () => (shown().seat && shown().match.turn === shown().seat ? "you" : "turn");

/** The tile that the table would lay now, for a person to lay it. */
function tableLays() {
  return /** @type {Tile | null} */ (current()?.opponent?.move ?? null);
}

/** @param {Now} now */
function status({ match, sighting }) {
  const mine = tableLays();
  const { board } = match;
  const waits = waitSaid(sighting, "bed.waiting");
  if (ui.hand) inHandSaid(boardNow(), ui.hand);
  else if (waits) set(byId("status"), { "data-kind": "wait", text: waits });
  else if (mine) set(byId("status"), { "data-kind": ownTurn(), text: say("bed.lay-mine", { owner: seatName(mine.owner), digit: mine.digit }) });
  else set(byId("status"), { "data-kind": board.over ? "over" : ownTurn(), text: board.over ? outcomeSaid(board) : turnSaid(board) });
}

/** What to do with the tile in hand, or why it may not lie where its ghost is. @param {Board} board @param {NonNullable<Ui["hand"]>} hand */
function inHandSaid(board, hand) {
  const why = ui.ghost && refusal(board, ui.ghost);
  /** @type {Now} */
  const { match: { options } } = shown();
  const how = hand.laid ? "bed.in-hand-laid" : forOther() ? "bed.in-hand-for" : "bed.in-hand";
  const facts = { owner: seatName(hand.owner), digit: hand.digit };
  const text = why ? say(`rule.${why.rule}`, { ...facts, ...why.facts, zone: options.first_zone }) : say(how, facts);
  set(byId("status"), { "data-kind": why ? "refused" : ownTurn(), text });
}

/** @param {BedView} board */
function turnSaid(board) {
  const other = otherOf(board.turn ?? "dog");
  const facts = { owner: seatName(board.turn ?? ""), other: seatName(other) };
  if (board.first_tile) {
    return say(board.first_tile.zone ? "bed.first" : "bed.first-anywhere", { ...facts, digits: board.first_tile.digits.join(" ") });
  }
  return say(board.skipped[other] ? "bed.turn-other-skipped" : "bed.turn", facts);
}

/** @param {Owner} owner @returns {Owner} */
const otherOf = (owner) => (owner === "cat" ? "dog" : "cat");

/** @param {Board} board */
function picture(board) {
  const inHand = ui.hand?.laid ? laidTile(board, ui.hand) : null;
  const newest = board.over ? null : board.last;
  bed.draw({ ...board, tiles: board.tiles.map((tile) => ({ ...tile, is: tile.n === inHand?.n ? "held" : tile.n === newest?.n ? "newest" : "" })) });
  byId("bed").style.setProperty("--ratio", String((board.cols + 0.4) / (board.rows + 0.4)));
  byId("bed").classList.toggle("placing", Boolean(ui.hand));
  byId("bed").classList.toggle("binds", Boolean(board.first_tile?.zone));
  const mine = ui.sheet?.kind === "pass" ? board.fit : tableLays();
  if (ui.hand && ui.ghost) tryOut(board, ui.ghost);
  else if (!ui.hand && mine) bed.mark(mine, board);
  else if (!ui.hand) bed.unmark();
  if (!ui.hand) ui.ghost = null;
  set(byId("cursor"), { text: ui.cursor ? squareSaid(board, ui.cursor) : "" });
  if (ui.cursor && !ui.hand) bed.point(ui.cursor);
}

/** Show where a tile would lie, and what is in its way. @param {Board} board @param {Tile} tile */
const tryOut = (board, tile) => bed.mark(tile, board, refusal(board, tile)?.squares);

/** @param {BedView} board */
function tray(board) {
  byId("tray").classList.toggle("ended", board.over);
  if (board.over) ended();
  else tilesInTray(board, ui.side ?? board.turn ?? "cat");
}

/** @param {BedView} board @param {Owner} owner whose tiles are shown */
function tilesInTray(board, owner) {
  const left = new Set(board.left[owner]);
  const digits = Object.keys(board.shapes).map(Number);
  const binds = board.turn === owner ? board.first_tile?.digits : null;
  const node = byId("tray");
  set(node, { "aria-label": say("bed.tray", { owner: seatName(owner) }) });
  keyed(node, [...digits, 0], (digit) => (digit ? `${owner}${digit}` : "other"), (digit) => trayButton(board, owner, digit), (button, digit) => {
    if (!digit && ui.hand) return redraw(set(button, { "aria-label": say("bed.turn-it"), onclick: turn }), "↻");
    if (!digit) return redraw(set(button, { "aria-label": say("bed.tray-other"), onclick: () => otherSide(owner) }), face(otherOf(owner)), "⇄");
    const there = left.has(digit);
    const inHand = ui.hand?.owner === owner && ui.hand.digit === digit;
    button.classList.toggle("later", there && binds !== undefined && binds !== null && !binds.includes(digit));
    return set(button, { "aria-disabled": there ? null : "true", "aria-pressed": String(inHand),
      "aria-label": nameFor(String(digit), say(there ? "bed.lay" : "bed.laid", { owner: seatName(owner), digit })) });
  });
}

/** In place of the tiles that nobody will lay any more; the end shows it as well. */
function ended() {
  keyed(byId("tray"), ["steps"], String, () => el("button", { type: "button", "data-at-end": true, text: say("bed.end-steps"), onclick: () => tools.show({ kind: "layout" }) }), () => {});
}

/** @param {BedView} board @param {Owner} owner @param {number} digit 0: the button to the other side's tiles */
function trayButton(board, owner, digit) {
  if (!digit) return el("button", { type: "button", class: "other" });
  const button = el("button", { type: "button", onclick: () => fromTray(owner, digit) });
  button.append(shapePicture(board.shapes[digit], owner, "tray"), el("span", { class: "number", text: digit }));
  return button;
}

/** @param {Owner} owner */
function otherSide(owner) {
  ui.side = otherOf(owner);
  if (ui.side === boardNow().turn) ui.side = null;
  render();
}

/* What taps do */

for (const owner of OWNERS) byId(`side-${owner}`).addEventListener("click", () => tools.show({ kind: "why", owner }));
byId("asks").addEventListener("click", () => {
  askAgain();
  Object.assign(ui, { sheet: null, hand: null });
  render();
});
byId("pass").onclick = () => (ui.sheet?.kind === "pass" ? tools.close() : tools.show({ kind: "pass" }));
byId("another-number").onclick = () => ui.hand && tools.show({ kind: "misread", tile: { ...ui.hand } });

/** @param {Owner} owner @param {number} digit */
function fromTray(owner, digit) {
  const board = boardNow();
  if (!board.left[owner].includes(digit)) {
    const tile = laidTile(board, { owner, digit });
    return tile && pickUp(tile);
  }
  if (ui.hand?.owner === owner && ui.hand.digit === digit) return tools.close();
  Object.assign(ui, { hand: { owner, digit, turns: 0, laid: false }, ghost: null });
  return handFull();
}

/** Take a tile that lies on the bed in hand, to move, turn or take it off. @param {Tile} tile */
function pickUp(tile) {
  Object.assign(ui, { hand: { owner: tile.owner, digit: tile.digit, turns: tile.turns, laid: true }, ghost: null });
  handFull();
}

function handFull() {
  ui.sheet = null;
  render();
  bed.point(null);
  byId("bed").scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Turn the tile in hand: one that lies on the bed at once, about its middle. */
async function turn() {
  const board = boardNow();
  if (!ui.hand) return undefined;
  if (ui.ghost) {
    ui.hand.turns = (ui.ghost.turns + 1) % 4;
    ui.ghost = placeAt(board, ui.hand, middleOfGhost(board, ui.ghost), REACH).tile;
    return render();
  }
  if (!ui.hand.laid) {
    ui.hand.turns = (ui.hand.turns + 1) % 4;
    if (ui.cursor) tryOut(board, placeAt(board, ui.hand, middleOfSquare(ui.cursor), REACH).tile);
    return render();
  }
  const tile = laidTile(board, ui.hand);
  const next = tile && turnedOn(board, tile);
  if (!next) return toast(say("bed.no-place"), "refusal");
  return play({ move: "shift", ...next });
}

/** Scroll so far that squares are not hidden under the sheet. @param {Square[]} squares */
function reveal(squares) {
  const { bottom } = bed.picture.getBoundingClientRect();
  const square = bed.picture.getScreenCTM()?.a ?? 0;
  const below = bottom - (boardNow().rows + 0.2 - Math.max(...squares.map(([r]) => r)) - 1.4) * square;
  const hidden = below - byId("sheet").getBoundingClientRect().top;
  if (hidden > 0) scrollBy({ top: hidden, behavior: calm() ? "auto" : "smooth" });
}

/** @typedef {[number, number]} Spot down, across, in squares */

/** Where on the bed a pointer is. @param {PointerEvent} event @returns {Spot} */
function pointed(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(bed.picture.getScreenCTM()?.inverse());
  return [at.y, at.x];
}

/** @param {BedView} board @param {Spot} at */
const within = (board, [down, across]) => down > -1 && across > -1 && down < board.rows + 1 && across < board.cols + 1;
/** @param {Square} square @returns {Spot} */
const middleOfSquare = ([r, c]) => [r + 0.5, c + 0.5];
/** @param {Spot} at @returns {Square} */
const squareOf = ([down, across]) => [Math.floor(down), Math.floor(across)];

let following = false;
/** Where the finger came down. @type {Spot} */
let down = [0, 0];
const DRAG = 0.6; // squares; a finger that moved less has tapped
const far = (/** @type {Spot} */ one, /** @type {Spot} */ other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
const stage = byId("bed");

stage.addEventListener("pointerdown", (event) => {
  ui.cursor = null;
  bed.point(null);
  if (!ui.hand || event.button) return;
  following = true;
  down = pointed(event);
  stage.setPointerCapture(event.pointerId);
  follow(event);
});
stage.addEventListener("pointermove", (event) => {
  // A mouse that only hovers leaves a ghost where it was put.
  if (ui.hand && (following || (event.pointerType === "mouse" && !ui.ghost))) follow(event);
});
stage.addEventListener("pointercancel", () => {
  following = false;
  bed.unmark();
  render();
});
stage.addEventListener("pointerup", (event) => {
  const board = boardNow();
  const at = pointed(event);
  if (ui.hand) {
    const began = following;
    following = false;
    if (!began) return undefined;
    if (!within(board, at)) return render();
    const dragged = far(down, at) > DRAG;
    return ghostAt(board, ui.hand, at, dragged);
  }
  return within(board, at) ? look(board, squareOf(at)) : undefined;
});

/** @param {PointerEvent} event */
function follow(event) {
  const board = boardNow();
  const at = pointed(event);
  if (ui.hand && within(board, at)) tryOut(board, placeAt(board, ui.hand, at, REACH).tile);
  else bed.unmark();
}

/**
 * Lay or move the tile in hand where the keys point; on itself it is put down again.
 * @param {Board} board @param {Turned & {laid: boolean}} hand @param {Spot} at
 */
async function layAt(board, hand, at) {
  if (isOn(tileAt(board, squareOf(at)), hand)) return tools.close();
  ui.ghost = placeAt(board, hand, at, REACH).tile;
  return layIt();
}

/** Whether a tile is the one in hand. @param {Tile | undefined} tile @param {Turned & {laid: boolean}} hand */
const isOn = (tile, hand) => Boolean(hand.laid && tile && tile.owner === hand.owner && tile.digit === hand.digit);

/**
 * Leave the tile in hand as a ghost where the finger left it; a tap on the ghost lays it.
 * @param {Board} board @param {Turned & {laid: boolean}} hand @param {Spot} at @param {boolean} dragged
 */
function ghostAt(board, hand, at, dragged) {
  if (!dragged && ui.ghost && covered(board, ui.ghost).some(([r, c]) => r === squareOf(at)[0] && c === squareOf(at)[1])) return layIt();
  if (!dragged && isOn(tileAt(board, squareOf(at)), hand)) return tools.close();
  ui.ghost = placeAt(board, hand, at, REACH).tile;
  return render();
}

/** Lay or move the tile in hand to where its ghost lies. */
async function layIt() {
  if (!ui.hand || !ui.ghost) return;
  const done = await play({ move: ui.hand.laid ? "shift" : "lay", ...ui.ghost });
  if (done) Object.assign(ui, { hand: null, ghost: null, side: null });
  render();
}

/** The middle of a tile's box, where a finger would point. @param {Board} board @param {Tile} tile @returns {Spot} */
function middleOfGhost(board, tile) {
  const { top, left, bottom, right } = boxOf(covered(board, tile));
  return [(top + bottom) / 2, (left + right) / 2];
}

/** A tap on the bed with empty hands: a tile is picked up, a region explained. @param {BedView} board @param {Square} square */
function look(board, square) {
  const tile = tileAt(board, square);
  if (tile) return pickUp(tile);
  const region = regionAt(board, square);
  if (region) return tools.show({ kind: "region", at: square });
  return ui.sheet ? tools.close() : undefined;
}

/** @param {BedView} board @param {Square} square */
function squareSaid(board, [r, c]) {
  const tile = tileAt(board, [r, c]);
  const region = regionAt(board, [r, c]);
  const there = tile ? `${seatName(tile.owner)} ${tile.digit}` : region ? say("bed.empty-region", { size: region.size }) : say("bed.pillow");
  return `${squareName([r, c])}: ${there}`;
}

/** @type {Record<string, Square>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

stage.addEventListener("keydown", (event) => {
  const board = boardNow();
  const step = STEPS[event.key];
  if (step) {
    const from = ui.cursor ?? [Math.floor(board.rows / 2) - step[0], Math.floor(board.cols / 2) - step[1]];
    const keep = (/** @type {number} */ value, /** @type {number} */ most) => Math.max(0, Math.min(most - 1, value));
    ui.cursor = [keep(from[0] + step[0], board.rows), keep(from[1] + step[1], board.cols)];
    if (ui.hand) tryOut(board, placeAt(board, ui.hand, middleOfSquare(ui.cursor), REACH).tile);
    render();
  } else if (event.key === "Enter" && ui.cursor) {
    if (ui.hand) layAt(board, ui.hand, middleOfSquare(ui.cursor));
    else look(board, ui.cursor);
  } else if (event.key.toLowerCase() === "r" && ui.hand && !event.ctrlKey && !event.metaKey) turn();
  else return;
  event.preventDefault();
});

addEventListener("keydown", ({ key }) => key === "Escape" && ui.hand && tools.close());

stage.addEventListener("blur", () => {
  ui.cursor = null;
  bed.point(null);
});

onNews((/** @type {Now} */ { match, sighting }) => {
  const { board } = match;
  if (ui.hand && !stillThere(board, ui.hand)) ui.hand = null;
  if (sighting && sighting.verdict === "ask" && sighting.id !== ui.asked) [ui.asked, ui.sheet] = [sighting.id, null];
  if (!board.over && ui.sheet?.kind === "layout") ui.sheet = null;
  render();
});
