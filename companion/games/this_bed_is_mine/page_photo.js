/** The bed that was read in photos: drawn over the photo. Whose its tiles are and what is unsure is asked, one at a time. */

import { planeOf, through } from "/static/corners.js";
import { el, keyed, query, set, svg } from "/static/dom.js";
import { nameOf } from "/static/names.js";
import { draftNow, drawnBy, looked } from "/static/score.js";
import { closeSheet, openSheet } from "/static/sheet.js";
import { nameFor, say } from "/static/messages.js";
import { Bed, coats, face, shapePicture } from "./page_bed.js";
import { boxOf, covered, nameOf as squareKey, OWNERS, placeAt, turned } from "./page_shapes.js";

/** @import { PlacedTile, ReadTile, Refusal, ScoredBoard } from "/static/types.js" */
/** @import { BedView } from "./page_types.js" */
/** @import { Board, Owner, Square, Tile } from "./page_shapes.js" */

/**
 * A tile on the bed that a person can set right; `crop` is its number in the reading, null for one that was added.
 * `asked`: the score hangs on whether it is that. @typedef {Tile & {id: number, unsure: boolean, asked: boolean, others: Tile[], crop: number | null}} Read
 */

const MOST_OFFERED = 5; // tiles besides the first where something was missed
const REACH = 3; // squares around a finger in which a free place is looked for
const ARROWS = /** @type {const} */ ([["up", "↑", -1, 0], ["left", "←", 0, -1], ["right", "→", 0, 1], ["down", "↓", 1, 0]]);

const SQUARE_PX = 40; // of the drawing that lies over the photo
const AROUND = 0.06; // of the board's size that the photo shows beside it

/**
 * `view`: the bed as the table scored it last; `asked`: which of the answers is awaited; `fits`: tiles that would still fit,
 * by their names those that a person did not find there either. `over`: whether the bed is drawn over the photo. `whose`: a
 * person says whose the tiles are; `parted`: one tap has parted them by their coats. `later`: questions that a person put off.
 * @type {{tiles: Read[], view: BedView | null, chosen: number | null, asked: number, fits: Tile[], notThere: Set<string>, over: boolean, whose: boolean, parted: boolean, later: Set<number>}}
 */
const ui = { tiles: [], view: null, chosen: null, asked: 0, fits: [], notThere: new Set(), over: true, whose: false, parted: false, later: new Set() };

const picture = svg("svg", { "aria-hidden": "true", focusable: "false", preserveAspectRatio: "xMidYMid meet" });
const stage = el("div", { class: "bed" });
const bed = new Bed(picture, "photo");
const shot = el("img", { class: "shot", alt: say("web.photo-photo") });
stage.append(shot, picture);
const ways = el("div", { class: "row ways-to-look", role: "group" }, ...[true, false].map((over) =>
  el("button", { type: "button", text: say(over ? "photo.on-photo" : "photo.drawing"), onclick: () => { ui.over = over; place(); } })));
const finals = el("div", { class: "final" }, ...OWNERS.map((owner) => el("div", { class: owner }, face(owner), el("span", { class: "cap name" }), el("span", { class: "total", text: "–" }))));
const judged = el("p", { class: "status", role: "status" });
const tray = el("div", { class: "missing", role: "group" });
query(document, "#board").append(
  svg("svg", { width: 0, height: 0, class: "unseen", "aria-hidden": "true" }, coats("tray")),
  el("div", { class: "table" }, finals, judged, ways, stage, el("details", { class: "card" }, el("summary", { class: "more", text: say("photo.all-tiles") }), tray)));

drawnBy({
  show: async (draft) => {
    ui.tiles = (draft.read?.tiles ?? []).map(asRead);
    const whose = Boolean(draft.read?.coats.length);
    Object.assign(ui, { chosen: null, view: null, fits: [], notThere: new Set(), whose, parted: false, later: new Set() });
    const [first] = draftNow().photos;
    set(shot, { src: `/api/photos/${draftNow().id}/pictures/${first.name}` });
    closeSheet();
    for (const [n, owner] of OWNERS.entries()) set(query(finals.children[n], ".name"), { text: nameOf(owner) });
    ui.view = await scored([]);
    await nextQuestion();
  },
  tiles: () => ui.tiles.map(plain),
  unsure: () => (ui.whose ? ui.tiles.length : questions().length + overlooked().length),
});

/** The tiles on which the score hangs and that nobody has looked at. */
const questions = () => ui.tiles.filter((tile) => tile.asked);

/** Ask the next question, if one is open; nobody is asked twice. @returns {Promise<void>} */
async function nextQuestion() {
  await refresh();
  if (ui.chosen !== null) return;
  if (ui.whose) {
    whoseSheet();
    return;
  }
  const tile = questions().find(({ id }) => !ui.later.has(id));
  if (tile) choose(tile.id);
  else if (overlooked().length && !questions().length) overlookedSheet();
}

/** Which tiles are the cat's: the first tap parts all by their coats, the next ones set that right. */
function whoseSheet() {
  if (!ui.parted) stage.scrollIntoView();
  const done = () => {
    ui.whose = false;
    closeSheet();
    return nextQuestion();
  };
  openSheet({ name: "whose", title: say(ui.parted ? "photo.whose-right" : "photo.whose"), focus: true,
    body: ui.parted ? [el("button", { type: "button", class: "main", onclick: done, text: say("photo.right") })] : [] });
}

/** A tile is the cat's, or not: then another one of its number is the other side's. @param {Read} tapped */
function part(tapped) {
  const like = draftNow().read?.coats.find(({ tiles }) => tiles.includes(tapped.id))?.tiles ?? [];
  const first = !ui.parted;
  ui.parted = true;
  const owner = first || tapped.owner === "dog" ? "cat" : "dog";
  ui.tiles = ui.tiles.map((tile) => {
    const other = OWNERS.find((each) => each !== owner) ?? owner;
    if (tile === tapped || (first && like.includes(tile.id))) return { ...tile, owner };
    return first || tile.digit === tapped.digit ? { ...tile, owner: other } : tile;
  });
  draw(null);
  whoseSheet();
}

/** A tile would still fit: one was overlooked, or somebody passed. */
function overlookedSheet() {
  const none = () => {
    for (const tile of overlooked()) ui.notThere.add(nameOfTile(tile));
    closeSheet();
    return refresh();
  };
  openSheet({ name: "overlooked", title: say("photo.overlooked"), focus: true,
    body: [el("p", { text: say("photo.room-left") }), el("button", { type: "button", class: "main", onclick: none, text: say("photo.none-missed") })] });
}

/** @param {ReadTile} tile @param {number} crop @returns {Read} */
function asRead({ owner, digit, turns, row, col, unsure, others }, crop) {
  const other = others.map((each) => ({ ...each, owner: side(each.owner), digit: Number(each.digit) }));
  return { id: crop, owner: side(owner), digit: Number(digit), turns, row, col, unsure, asked: unsure, others: other, crop };
}

/** Tiles that would still fit, and that nobody was asked about: something may have been overlooked there. */
const overlooked = () => ui.fits.filter((tile) => !ui.notThere.has(nameOfTile(tile)));

/** @param {PlacedTile} tile @returns {Tile} */
const asTile = ({ owner, digit, turns, row, col }) => ({ owner: side(owner), digit: Number(digit), turns, row, col });

/** @param {string} owner @returns {Owner} */
const side = (owner) => (owner === "dog" ? "dog" : "cat");

/** @param {Tile} tile as the table takes it */
const plain = ({ owner, digit, turns, row, col }) => ({ owner, digit, turns, row, col });

/**
 * The bed with these tiles and its score; what they are refused for stands where the score would.
 * @param {Read[]} tiles
 * @returns {Promise<BedView | null>}
 */
async function scored(tiles) {
  const headers = { "Content-Type": "application/json" };
  const unsure = tiles.flatMap((tile, n) => (tile.unsure ? [n] : []));
  const body = JSON.stringify({ tiles: tiles.map(plain), unsure });
  const response = await fetch(`/api/photos/${draftNow().id}/board`, { method: "POST", headers, body }).catch(() => null);
  if (!response) {
    set(judged, { "data-kind": "wait", text: say("web.not-sent") });
    return null;
  }
  /** @type {ScoredBoard | Refusal} */
  const answer = await response.json();
  if ("says" in answer) {
    set(judged, { "data-kind": "wait", text: answer.says });
    return null;
  }
  if (tiles.length) ui.fits = answer.fits.map(asTile);
  for (const [n, tile] of tiles.entries()) Object.assign(tile, asTile(answer.tiles[n]), { asked: answer.asked.includes(n) });
  return /** @type {BedView} */ (answer.board);
}

/** Score what lies there now, and draw it. */
async function refresh() {
  looked(ui.whose ? say("photo.whose") : "");
  draw(null);
  ui.asked += 1;
  const { asked } = ui;
  if (ui.whose) return;
  const view = await scored(ui.tiles);
  if (asked !== ui.asked) return;
  looked(ui.whose ? say("photo.whose") : "");
  draw(view);
}

/** @param {BedView | null} view the score; null while none is known */
function draw(view) {
  const board = view ?? ui.view;
  if (!board) return;
  const shown = ui.tiles.map((tile, n) => ({ ...tile, cells: covered(board, tile), is: marked(tile),
    twin: ui.tiles.slice(0, n).filter((each) => each.owner === tile.owner && each.digit === tile.digit).length }));
  bed.draw({ ...board, tiles: shown, regions: view ? view.regions : [] });
  place();
  for (const [n, owner] of OWNERS.entries()) set(query(finals.children[n], ".total"), { text: view ? view.points[owner].total : "–" });
  if (view) set(judged, { "data-kind": "over", text: overlooked().length ? say("photo.room-left") : outcomeSaid(view) });
  listTiles(board);
}

/** Lay the drawing over the photo, cut to the board, or show it by itself. */
function place() {
  const { rows, cols } = draftNow().grid;
  const [{ corners_px, width }] = draftNow().photos;
  for (const [n, way] of [...ways.children].entries()) set(way, { "aria-pressed": String(ui.over === (n === 0)) });
  stage.classList.toggle("over", ui.over);
  stage.classList.toggle("whose", ui.whose && !ui.parted);
  const [left, top, right, bottom] = [0, 1].flatMap((axis) => Math.min(...corners_px.map((point) => point[axis])))
    .concat([0, 1].map((axis) => Math.max(...corners_px.map((point) => point[axis]))));
  const edge = AROUND * Math.max(right - left, bottom - top);
  const [across, down] = [right - left + 2 * edge, bottom - top + 2 * edge];
  stage.style.setProperty("--ratio", String(ui.over ? across / down : (cols + 0.4) / (rows + 0.4)));
  const px = stage.clientWidth / across;
  overPhoto = new DOMMatrix().scale(px).translate(edge - left, edge - top).multiply(planeOf(corners_px))
    .scale(1 / (SQUARE_PX * cols), 1 / (SQUARE_PX * rows)).translate(-0.2 * SQUARE_PX, -0.2 * SQUARE_PX);
  Object.assign(picture.style, ui.over ? { width: `${(cols + 0.4) * SQUARE_PX}px`, height: `${(rows + 0.4) * SQUARE_PX}px`, transform: String(overPhoto) } : { width: "", height: "", transform: "" });
  Object.assign(shot.style, { width: `${width * px}px`, left: `${(edge - left) * px}px`, top: `${(edge - top) * px}px` });
}

/** From the drawing's px, on the photo, to the stage's. */
let overPhoto = new DOMMatrix();

addEventListener("resize", () => { if (ui.view) place(); });

/** The place of a tap on the bed, in squares. @param {PointerEvent} event */
function placeOf(event) {
  if (!ui.over) return new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM()?.inverse());
  const { left, top } = stage.getBoundingClientRect();
  const [x, y] = through(overPhoto.inverse(), event.clientX - left - stage.clientLeft, event.clientY - top - stage.clientTop);
  return { x: x / SQUARE_PX - 0.2, y: y / SQUARE_PX - 0.2 };
}

/** @param {Read} tile @returns {"newest" | "told" | "either" | ""} */
const marked = (tile) => (ui.whose ? "" : tile.id === ui.chosen ? "newest" : tile.asked ? "told" : tile.unsure ? "either" : "");

/** @param {BedView} view */
function outcomeSaid({ outcome }) {
  const winners = outcome?.winners ?? [];
  return winners.length === 1 ? say("bed.wins", { owner: nameOf(winners[0]) }) : say("bed.share");
}

/** @param {Tile} tile */
const nameOfTile = (tile) => `${nameOf(tile.owner)} ${tile.digit}`;

/** Every tile of both sides: those on the bed to set right, the others to lay there. @param {BedView} board */
function listTiles(board) {
  const all = OWNERS.flatMap((owner) => Object.keys(board.shapes).map((digit) => ({ owner, digit: Number(digit) })));
  set(tray, { "aria-label": say("photo.all-tiles") });
  keyed(tray, all, ({ owner, digit }) => `${owner}${digit}`, ({ owner, digit }) => {
    const button = el("button", { type: "button", onclick: () => fromTray(owner, digit) });
    button.append(shapePicture(board.shapes[digit], owner, "tray"), String(digit));
    return button;
  }, (button, { owner, digit }) => {
    const there = ui.tiles.some((tile) => tile.owner === owner && tile.digit === digit);
    set(button, { "aria-pressed": String(there), "aria-label": nameFor(String(digit), say(there ? "photo.on-bed" : "photo.not-on-bed", { owner: nameOf(owner), digit })) });
  });
}

/** @param {Owner} owner @param {number} digit */
function fromTray(owner, digit) {
  const lying = ui.tiles.find((tile) => tile.owner === owner && tile.digit === digit);
  if (lying) return choose(lying.id);
  const board = boardNow();
  return added(placeAt(board, { owner, digit, turns: 0 }, [board.rows / 2, board.cols / 2], Math.max(board.rows, board.cols)).tile);
}

/** Lay a tile that was not read, to be looked at. @param {Tile} tile @param {Tile[]} others what may lie there instead */
function added(tile, others = []) {
  const id = 1 + Math.max(0, ...ui.tiles.map((each) => each.id));
  ui.tiles = [...ui.tiles, { ...tile, id, unsure: true, asked: true, others: others.map((other) => ({ ...other })), crop: null }];
  return choose(id);
}

/** What could lie over a square where nothing was read: tiles that are left, each side's largest first. @param {number} x @param {number} y */
function missedAt(x, y) {
  const board = boardNow();
  const left = OWNERS.flatMap((owner) => Object.keys(board.shapes).map((digit) => ({ owner, digit: Number(digit) })))
    .filter(({ owner, digit }) => !ui.tiles.some((tile) => tile.owner === owner && tile.digit === digit));
  const square = squareKey([Math.floor(y), Math.floor(x)]);
  const fitting = left.flatMap((tile) => [0, 1, 2, 3].map((turns) => placeAt(board, { ...tile, turns }, [y, x], REACH)).find(
    ({ free, tile: lying }) => free && covered(board, lying).some((cell) => squareKey(cell) === square))?.tile ?? []);
  const [first, ...others] = fitting;
  return first ? added(first, others.slice(0, MOST_OFFERED)) : undefined;
}

/** The bed with the tiles as they lie now, as the squares around a finger are looked for. @returns {Board} */
function boardNow() {
  if (!ui.view) throw new Error("no bed has been shown yet");
  const tiles = ui.tiles.map((tile, n) => ({ ...tile, n, cells: covered(/** @type {BedView} */ (ui.view), tile) }));
  return { ...ui.view, tiles, zoneRule: { binds: { cat: false, dog: false }, touching: false } };
}

/* One tile */

/** @param {number | null} id */
function choose(id) {
  ui.chosen = id;
  const tile = ui.tiles.find((each) => each.id === id);
  if (tile) tileSheet(tile);
  else closeSheet();
  return tile ? refresh() : nextQuestion();
}

/** Change the chosen tile: a person has looked at it. @param {Partial<Read>} changed @param {boolean} [done] whether nothing more is to be set right */
function change(changed, done = false) {
  ui.tiles = ui.tiles.map((tile) => (tile.id === ui.chosen ? { ...tile, unsure: false, asked: false, ...changed } : tile));
  return choose(done ? null : ui.chosen);
}

/** @param {Read} tile */
function tileSheet(tile) {
  const board = boardNow();
  const button = (/** @type {string} */ word, /** @type {() => unknown} */ onclick, kind = "") => el("button", { type: "button", class: kind, onclick, text: say(word) });
  const crop = tile.crop === null ? null : el("img", { class: "crop", alt: say("web.crop"), src: `/api/photos/${draftNow().id}/crops/${tile.crop}` });
  const unknown = draftNow().read?.coats.length; // then an alternative is the same side's
  const others = tile.others.map((other) => (unknown ? { ...other, owner: tile.owner } : other)).map((other, n) => el("button", { type: "button", onclick: () => change({ ...plain(other), others: [...tile.others.filter((_, each) => each !== n), plain(tile)] }, true) },
    otherPicture(board, tile, other, n), el("span", { class: "cap", text: nameOfTile(other) })));
  const arrows = ARROWS.map(([name, sign, down, across]) => el("button", { type: "button", class: name, "aria-label": say(`photo.move-${name}`), text: sign,
    onclick: () => change({ row: tile.row + down, col: tile.col + across }) }));
  const { length } = ui.tiles;
  openSheet({
    name: `tile-${tile.id}`,
    title: tile.asked ? say("photo.is-it", { owner: nameOf(tile.owner), digit: tile.digit }) : nameOfTile(tile),
    close: () => {
      ui.later.add(tile.id);
      return choose(null);
    },
    focus: true,
    body: [el("div", { class: "stack" },
      tile.asked ? el("p", { class: "quiet", text: say("photo.sure-of", { n: length - questions().length, of: length }) }) : null,
      el("div", { class: crop && others.length ? "asked" : "stack" }, crop,
        others.length ? el("div", { class: "answers", role: "group", "aria-label": say("photo.instead") }, ...others) : null),
      el("div", { class: "row" }, button("photo.right", () => change({}, true), "main"), button("bed.take-off", takeOff)),
      el("details", { open: !tile.asked }, el("summary", { class: "more", text: say("photo.otherwise") }),
        el("div", { class: "row" }, button("bed.turn-it", () => change(turnedOn(board, tile))), button("photo.other-side", () => change({ owner: tile.owner === "cat" ? "dog" : "cat" }))),
        el("div", { class: "arrows", role: "group", "aria-label": say("photo.move") }, ...arrows),
        el("p", { class: "quiet", text: say("photo.tap-moves") })))],
  });
  reveal(tile);
}

/** Scroll so far that the tile is not hidden under the sheet. @param {Read} tile */
function reveal(tile) {
  const board = boardNow();
  const square = picture.getScreenCTM()?.a ?? 0;
  const { top } = picture.getBoundingClientRect();
  const { bottom } = boxOf(covered(board, tile));
  const hidden = top + (bottom + 1) * square - query(document, "#sheet").getBoundingClientRect().top;
  if (hidden > 0) scrollBy({ top: hidden, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

/** What a tile may be instead, drawn where it would lie. @param {Board} board @param {Read} tile @param {Tile} other @param {number} n */
function otherPicture(board, tile, other, n) {
  const mini = svg("svg", { class: "mini", "aria-hidden": "true" });
  const rest = board.tiles.filter((each) => !(each.owner === tile.owner && each.digit === tile.digit));
  const cells = covered(board, other);
  const box = boxOf([...cells, ...covered(board, tile)]);
  const size = Math.max(box.bottom - box.top, box.right - box.left) + 2;
  new Bed(mini, `other${n}`).draw({ ...board, regions: [], tiles: [...rest, { ...other, cells, is: "told", twin: 1 }] },
    { row: (box.top + box.bottom - size) / 2, col: (box.left + box.right - size) / 2, rows: size, cols: size });
  return mini;
}

/** The same tile turned by a quarter about its middle. @param {Board} board @param {Read} tile @returns {Partial<Read>} */
function turnedOn(board, tile) {
  const now = turned(board.shapes[tile.digit], tile.turns);
  const turns = (tile.turns + 1) % 4;
  const next = turned(board.shapes[tile.digit], turns);
  return { turns, row: tile.row + Math.round((now.height - next.height) / 2), col: tile.col + Math.round((now.width - next.width) / 2) };
}

function takeOff() {
  const gone = ui.tiles.find((tile) => tile.id === ui.chosen);
  if (gone) ui.notThere.add(nameOfTile(gone));
  ui.tiles = ui.tiles.filter((tile) => tile.id !== ui.chosen);
  return choose(null);
}

stage.addEventListener("pointerup", (event) => {
  const at = placeOf(event);
  const square = squareKey([Math.floor(at.y), Math.floor(at.x)]);
  const board = boardNow();
  const there = ui.tiles.find((tile) => covered(board, tile).some((cell) => squareKey(cell) === square));
  if (ui.whose) return there && part(there);
  if (there) return choose(there.id === ui.chosen ? null : there.id);
  const tile = ui.tiles.find((each) => each.id === ui.chosen);
  if (!tile) return missedAt(at.x, at.y);
  const { row, col } = placeAt(board, tile, [at.y, at.x], REACH).tile;
  return change({ row, col });
});
