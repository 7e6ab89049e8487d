/** The bed's page: what is shown, and what taps on it do. */

import { play } from "/static/act.js";
import { byId, el, keyed, set, svg } from "/static/dom.js";
import { current, onNews } from "/static/live.js";
import { hideToast, toast } from "/static/toast.js";
import { known, say } from "/static/messages.js";
import { Bed, coats, face, shapePicture } from "./page_bed.js";
import { nameOf, placeAt, reachable, turnedOn } from "./page_shapes.js";
import { showSheet } from "./page_sheets.js";

const REACH = 1.6; // squares around a finger in which a free place is looked for
const OWNERS = ["cat", "dog"];

/**
 * What the person at this phone is doing. `hand`: the tile picked up, from the tray or from the bed;
 * `sheet`: what they asked to see; `aside`: the sighting they put aside.
 * @type {{hand: any, sheet: any, aside: number, side: string | null, cursor: [number, number] | null, endSeen: boolean}}
 */
const ui = { hand: null, sheet: null, aside: 0, side: null, cursor: null, endSeen: false };

const bed = new Bed(/** @type {any} */ (byId("picture")), "bed");
const shapes = svg("svg", { width: 0, height: 0, class: "unseen", "aria-hidden": "true" }, coats("tray"));
document.body.append(shapes);
for (const owner of OWNERS) byId(`side-${owner}`).querySelector(".face-box").append(face(owner));

/** The bed as the match shows it, with whom its zone binds and how: that stands among the options. */
function boardNow() {
  const { board, options } = current().match;
  const bound = board.side === "A" || options.zone_on_side_b !== false;
  const binds = { cat: bound, dog: bound && options.dog_first_zone === true };
  return { ...board, zoneRule: { binds, touching: options.first_zone === "touching" } };
}

/** A side by the name of who plays it, else its own. */
const nameOfSide = (owner) => current()?.match.players[owner] || say(`name.${owner}`);

/** Whether the tile in hand is still where it was picked up. */
function stillThere(board, hand) {
  const laid = board.tiles.find((tile) => tile.owner === hand.owner && tile.digit === hand.digit);
  if (!hand.laid) return !laid;
  if (!laid) return false;
  // Turned or moved meanwhile (by this phone, too): it stays in hand as it lies now.
  Object.assign(hand, { turns: laid.turns });
  return true;
}

function render() {
  const now = current();
  if (!now) return;
  const board = boardNow();
  for (const owner of OWNERS) side(board, owner);
  status(now);
  picture(board);
  tray(board);
  byId("asks").hidden = !aside(now);
  showSheet(now, ui, tools);
}

/** What the sheets may do to the page. */
const tools = {
  bed,
  nameOfSide,
  shapes: () => current().match.board.shapes,
  show: (sheet) => {
    Object.assign(ui, { sheet, hand: null });
    render();
  },
  close: () => {
    if (ui.hand) ui.hand = null;
    else if (ui.sheet) ui.sheet = null;
    else ui.aside = current().sighting?.id ?? 0;
    render();
  },
  again: render,
  reveal,
  pickUp: (tile) => pickUp(tile),
  turn,
  takeOff: async (tile) => {
    ui.hand = null;
    await play({ move: "take-off", owner: tile.owner, digit: tile.digit });
    render();
  },
};

/* What is shown */

function side(board, owner) {
  const box = byId(`side-${owner}`);
  const points = board.points[owner];
  const toPlay = board.turn === owner;
  const out = board.skipped[owner] && !board.over;
  box.classList.toggle("to-play", toPlay);
  box.classList.toggle("out", out);
  set(box.querySelector(".name"), { text: nameOfSide(owner) });
  set(box.querySelector(".state"), { text: toPlay ? say("bed.to-play") : out ? say("bed.skipped") : "" });
  set(box.querySelector(".total"), { text: points.total });
  set(box.querySelector(".parts"), { text: board.side === "B" ? say("bed.regions-and-bonus", points) : "" });
  const left = new Set(board.left[owner]);
  keyed(box.querySelector(".minis"), Object.keys(board.shapes).slice(0, 12), String,
    (digit) => shapePicture(board.shapes[digit], owner, "tray"),
    (node, digit) => node.classList.toggle("gone", !left.has(Number(digit))));
}

function status({ match, sighting }) {
  const { board } = match;
  const line = byId("status");
  if (sighting?.verdict === "wait") {
    const why = `why.${sighting.why}`;
    return set(line, { "data-kind": "wait", text: known(why) ? say(why, sighting.facts) : say("bed.waiting") });
  }
  return set(line, { "data-kind": board.over ? "over" : "turn", text: board.over ? outcome(board) : turnSaid(board) });
}

function turnSaid(board) {
  const other = board.turn === "cat" ? "dog" : "cat";
  const facts = { owner: nameOfSide(board.turn), other: nameOfSide(other) };
  if (board.first_tile) {
    return say(board.first_tile.zone ? "bed.first" : "bed.first-anywhere", { ...facts, digits: board.first_tile.digits.join(" ") });
  }
  return say(board.skipped[other] ? "bed.turn-other-skipped" : "bed.turn", facts);
}

function outcome(board) {
  const { winners } = board.outcome;
  return winners.length === 1 ? say("bed.wins", { owner: nameOfSide(winners[0]) }) : say("bed.share");
}

function picture(board) {
  const held = ui.hand?.laid ? `${ui.hand.owner}${ui.hand.digit}` : "";
  const newest = board.over ? null : board.last;
  const shown = board.tiles.map((tile) => ({
    ...tile,
    is: `${tile.owner}${tile.digit}` === held ? "held" : tile.n === newest?.n ? "newest" : "",
  }));
  bed.draw({ ...board, tiles: shown });
  byId("bed").style.setProperty("--ratio", String((board.cols + 0.4) / (board.rows + 0.4)));
  byId("bed").classList.toggle("placing", Boolean(ui.hand));
  byId("bed").classList.toggle("binds", Boolean(board.first_tile?.zone));
  if (!ui.hand) bed.mark(null);
  bed.light(ui.hand ? reachable(board, ui.hand) : []);
  set(byId("cursor"), { text: ui.cursor ? squareSaid(board, ui.cursor) : "" });
  if (ui.cursor && !ui.hand) bed.point(ui.cursor);
}

function tray(board) {
  byId("tray").classList.toggle("ended", board.over);
  if (board.over) return ended();
  const owner = ui.side ?? board.turn ?? "cat";
  const left = new Set(board.left[owner]);
  const digits = Object.keys(board.shapes).map(Number);
  const binds = board.turn === owner ? board.first_tile?.digits : null;
  const node = byId("tray");
  set(node, { "aria-label": say("bed.tray", { owner: nameOfSide(owner) }) });
  keyed(node, [...digits, 0], (digit) => (digit ? `${owner}${digit}` : "other"), (digit) => trayButton(board, owner, digit), (button, digit) => {
    if (!digit) return set(button, { "aria-label": say("bed.tray-other"), onclick: () => otherSide(owner) }).replaceChildren(face(owner === "cat" ? "dog" : "cat"), "⇄");
    const there = left.has(digit);
    const inHand = ui.hand?.owner === owner && ui.hand.digit === digit;
    button.classList.toggle("later", there && Boolean(binds) && !binds.includes(digit));
    return set(button, { "aria-disabled": there ? null : "true", "aria-pressed": String(Boolean(inHand)),
      "aria-label": say(there ? "bed.lay" : "bed.laid", { owner: nameOfSide(owner), digit }) });
  });
}

/** In place of the tiles that nobody will lay any more. */
function ended() {
  keyed(byId("tray"), ["score"], String, () => el("button", { type: "button", text: say("bed.end-open"), onclick: () => tools.show({ kind: "end" }) }), () => {});
}

function trayButton(board, owner, digit) {
  if (!digit) return el("button", { type: "button", class: "other" });
  const button = el("button", { type: "button", onclick: () => fromTray(owner, digit) });
  button.append(shapePicture(board.shapes[digit], owner, "tray"), el("span", { class: "number", text: digit }));
  return button;
}

function otherSide(owner) {
  ui.side = owner === "cat" ? "dog" : "cat";
  if (ui.side === current().match.board.turn) ui.side = null;
  render();
}

/** Whether the camera still asks something that this phone has put aside. */
const aside = ({ sighting }) => ["ask", "breaks"].includes(sighting?.verdict) && ui.aside === sighting.id;

/* What taps do */

for (const owner of OWNERS) byId(`side-${owner}`).addEventListener("click", () => tools.show({ kind: "why", owner }));
byId("asks").addEventListener("click", () => {
  Object.assign(ui, { aside: 0, sheet: null, hand: null });
  render();
});
byId("list").addEventListener("click", () => (ui.sheet?.kind === "list" ? tools.close() : tools.show({ kind: "list" })));

function fromTray(owner, digit) {
  const board = boardNow();
  if (!board.left[owner].includes(digit)) {
    const tile = board.tiles.find((each) => each.owner === owner && each.digit === digit);
    return tile && pickUp(tile);
  }
  if (ui.hand?.owner === owner && ui.hand.digit === digit) return tools.close();
  ui.hand = { owner, digit, turns: 0, laid: false };
  return handFull();
}

/** Take a tile that lies on the bed in hand, to move, turn or take it off. */
function pickUp(tile) {
  ui.hand = { owner: tile.owner, digit: tile.digit, turns: tile.turns, laid: true };
  handFull();
}

function handFull() {
  ui.sheet = null;
  hideToast();
  render();
  bed.point(null);
  byId("bed").scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Turn the tile in hand: one that lies on the bed at once, about its middle. */
async function turn() {
  const board = boardNow();
  if (!ui.hand.laid) {
    ui.hand.turns = (ui.hand.turns + 1) % 4;
    if (ui.cursor) bed.mark(placeAt(board, ui.hand, middleOfSquare(ui.cursor), REACH), board);
    return render();
  }
  const tile = board.tiles.find((each) => each.owner === ui.hand.owner && each.digit === ui.hand.digit);
  const next = turnedOn(board, tile);
  if (!next) return toast(say("bed.no-place"), "refusal");
  return play({ move: "shift", ...next });
}

/** Scroll so far that squares are not hidden under the sheet. */
function reveal(squares) {
  const { bottom } = bed.picture.getBoundingClientRect();
  const square = bed.picture.getScreenCTM().a;
  const below = bottom - (current().match.board.rows + 0.2 - Math.max(...squares.map(([r]) => r)) - 1.4) * square;
  const hidden = below - byId("sheet").getBoundingClientRect().top;
  if (hidden > 0) scrollBy({ top: hidden, behavior: calm() ? "auto" : "smooth" });
}

/** Where on the bed a pointer is, in squares: down, across. */
function pointed(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(bed.picture.getScreenCTM().inverse());
  return /** @type {[number, number]} */ ([at.y, at.x]);
}

const within = (board, [down, across]) => down > -1 && across > -1 && down < board.rows + 1 && across < board.cols + 1;
const middleOfSquare = ([r, c]) => /** @type {[number, number]} */ ([r + 0.5, c + 0.5]);

let following = false;
const stage = byId("bed");

stage.addEventListener("pointerdown", (event) => {
  ui.cursor = null;
  bed.point(null);
  if (!ui.hand || event.button) return;
  following = true;
  stage.setPointerCapture(event.pointerId);
  follow(event);
});
stage.addEventListener("pointermove", (event) => {
  if (ui.hand && (following || event.pointerType === "mouse")) follow(event);
});
stage.addEventListener("pointercancel", () => {
  following = false;
  bed.mark(null);
});
stage.addEventListener("pointerup", (event) => {
  const board = boardNow();
  const at = pointed(event);
  if (ui.hand) {
    const began = following;
    following = false;
    if (!began) return undefined;
    if (!within(board, at)) return bed.mark(null);
    return layAt(board, at);
  }
  return within(board, at) ? look(board, at.map(Math.floor)) : undefined;
});

function follow(event) {
  const board = boardNow();
  const at = pointed(event);
  bed.mark(within(board, at) ? placeAt(board, ui.hand, at, REACH) : null, board);
}

/** Lay or move the tile in hand where the finger left it; a tap on itself puts it down again. */
async function layAt(board, at) {
  const hand = ui.hand;
  const own = hand.laid && tileAt(board, at.map(Math.floor));
  if (own && own.owner === hand.owner && own.digit === hand.digit) return tools.close();
  const { tile } = placeAt(board, hand, at, REACH);
  const done = await play({ move: hand.laid ? "shift" : "lay", ...tile });
  if (done) [ui.hand, ui.side] = [null, null];
  bed.mark(null);
  return render();
}

const tileAt = (board, [r, c]) => board.tiles.find((tile) => tile.cells.some((cell) => cell[0] === r && cell[1] === c));
const regionAt = (board, square) => board.regions.find((region) => region.squares.some((each) => nameOf(each) === nameOf(square)));

/** A tap on the bed with empty hands: a tile is picked up, a region explained. */
function look(board, square) {
  const tile = tileAt(board, square);
  if (tile) return pickUp(tile);
  const region = regionAt(board, square);
  if (region) return tools.show({ kind: "region", at: square });
  return ui.sheet ? tools.close() : undefined;
}

function squareSaid(board, [r, c]) {
  const tile = tileAt(board, [r, c]);
  const region = regionAt(board, [r, c]);
  const there = tile ? `${nameOfSide(tile.owner)} ${tile.digit}` : region ? say("bed.empty-region", { size: region.size }) : say("bed.pillow");
  return `${say("bed.square", { row: r + 1, col: c + 1 })}: ${there}`;
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

stage.addEventListener("keydown", (event) => {
  const board = boardNow();
  const step = STEPS[event.key];
  if (step) {
    const from = ui.cursor ?? [Math.floor(board.rows / 2) - step[0], Math.floor(board.cols / 2) - step[1]];
    const keep = (value, most) => Math.max(0, Math.min(most - 1, value));
    ui.cursor = [keep(from[0] + step[0], board.rows), keep(from[1] + step[1], board.cols)];
    if (ui.hand) bed.mark(placeAt(board, ui.hand, middleOfSquare(ui.cursor), REACH), board);
    render();
  } else if (event.key === "Enter" && ui.cursor) {
    if (ui.hand) layAt(board, middleOfSquare(ui.cursor));
    else look(board, ui.cursor);
  } else if (event.key.toLowerCase() === "r" && ui.hand && !event.ctrlKey && !event.metaKey) turn();
  else return;
  event.preventDefault();
});

stage.addEventListener("blur", () => {
  ui.cursor = null;
  bed.point(null);
});

onNews(({ match, sighting }) => {
  const { board } = match;
  if (ui.hand && !stillThere(board, ui.hand)) ui.hand = null;
  if (sighting && sighting.verdict === "ask" && sighting.id !== ui.asked) [ui.asked, ui.sheet] = [sighting.id, null];
  if (!board.over) ui.endSeen = false;
  if (!board.over && ["end", "step"].includes(ui.sheet?.kind)) ui.sheet = null;
  render();
});
