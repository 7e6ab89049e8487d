/** The page of Chop! Chop!: what is shown, and what taps on it do. */

import { play } from "/static/act.js";
import { sightingSheet, waitSaid } from "/static/asks.js";
import { die } from "/static/die.js";
import { byId, el, keyed, query, redraw, set } from "/static/dom.js";
import { current, onNews, shown } from "/static/live.js";
import { computerSaid, nameOf, seatLabel, squareName, withWhom } from "/static/names.js";
import { percent } from "/static/numbers.js";
import { closeSheet, openSheet, sheetName } from "/static/sheet.js";
import { capital, nameFor, say } from "/static/messages.js";
import { Kitchen, face, hole, sign } from "./page_kitchen.js";
import { asked, askedSaid, askedWay, eventSaid } from "./page_said.js";

/** @import { SightingView } from "/static/types.js" */
/** @import { Game, KitchenView, Now, SlabView } from "./page_types.js" */
/** @import { Square } from "./page_kitchen.js" */

/** What a tap on a square does: a piece goes there (where `via` is not empty: only if it came by one of these squares), or (no piece) a cheese that lies there is speared. @typedef {{piece: string, to: Square, meets: string, via: Square[]}} Way */

const LONG_MS = 2500; // so long the camera waits before the page says so

/** `mouse`: whose squares are shown; `to`: where it would go; `n`: for which entry; `why`: which number is explained; `waits`: what the camera waits for, `since` when. */
const ui = { mouse: "", to: /** @type {Way | null} */ (null), n: -1, why: "", waits: "", since: 0, waiting: 0 };
const kitchen = new Kitchen(byId("kitchen", SVGSVGElement));

for (const side of ["mice", "cat"]) byId(`side-${side}`).addEventListener("click", () => explain(side));

/** @param {Now} now */
function show(now) {
  const { board } = now.match;
  const wish = asked(now);
  /** @type {string[]} */
  const pieces = piecesOf(board);
  if (!pieces.includes(ui.mouse)) ui.mouse = wish?.piece ?? pieces[0] ?? "";
  status(now);
  players(now);
  needs(board);
  kitchen.draw(board, wish ? askedWay(wish, board.ways) : board.ways.filter((way) => ui.to && way.piece === ui.to.piece && way.to.join() === ui.to.to.join()));
  spots(board);
  won(board);
  redraw(byId("chances"), ...chanceWhy(board).map((text) => el("p", { text })));
  since(board);
  bag(board);
  tray(board);
  sheet(now);
}

/* What is shown */

/** The pieces that can go somewhere. @param {KitchenView} board */
const piecesOf = (board) => [...new Set(board.ways.map((way) => way.piece))];

/** @param {KitchenView} board */
const shownWays = (board) => board.ways.filter((way) => way.piece === ui.mouse || !way.piece);

/** @param {Now} now */
function status(now) {
  const { match, sighting } = now;
  const { board } = match;
  const wish = asked(now);
  const waits = lastingWait(sighting) ? waitSaid(sighting, "chop.waiting") : "";
  set(byId("status"), { "data-kind": waits ? "wait" : board.turn && board.turn === now.seat ? "you" : null });
  redraw(query(byId("status"), ".head"), face(board.side === "cat" || board.phase === "place" ? "cat" : "mouse"));
  set(query(byId("status"), ".bubble span"), { text: waits || (wish ? askedSaid(wish, seatLabel(board.turn ?? "")) : statusSaid(board)) });
}

/**
 * Whether the camera has waited for long: a hand passes over the board at every move, and that is no news.
 * @param {SightingView<Game> | null} sighting
 */
function lastingWait(sighting) {
  if (sighting?.verdict !== "wait") {
    clearTimeout(ui.waiting);
    ui.waits = "";
    return false;
  }
  if (ui.waits !== sighting.why) {
    Object.assign(ui, { waits: sighting.why, since: Date.now() });
    clearTimeout(ui.waiting);
    ui.waiting = setTimeout(() => status(shown()), LONG_MS);
  }
  return Date.now() - ui.since >= LONG_MS;
}

/** @param {KitchenView} board */
function statusSaid(board) {
  if (board.outcome) return say(`outcome.${board.outcome.reason}`);
  const who = seatLabel(board.turn ?? "");
  const piece = board.mover ? capital(nameOf(board.mover)) : "";
  switch (board.phase) {
    case "place": return say("chop.to-place");
    case "throw": return [say(`chop.to-throw-${board.side}`, { who, colour: board.die.colour }), ofTwo(board)].filter(Boolean).join(" · ");
    case "move": return [say("chop.to-move", { who, n: board.steps }), ofTwo(board)].filter(Boolean).join(" · ");
    case "bonus": return say("chop.to-bonus", { piece, n: board.steps });
    case "arrow": return say("chop.to-fly", { piece });
    case "fork": return say("chop.to-spear");
    default: return say("chop.to-turn");
  }
}

/** Where a knife gives a side two throws: which of them this is. @param {KitchenView} board */
function ofTwo(board) {
  if (board.same) return say("chop.same", { piece: board.same });
  if (board.throws_left > 1) return say("chop.twice");
  const [first] = board.since;
  const missed = board.since.some((event) => event.what === "missed");
  return board.phase === "throw" && missed && first?.side === board.side ? say("chop.again") : "";
}

/** @param {Now} now */
function players({ match: { board, seats, players: named } }) {
  const { mice_owe: mice, cat_owes: cat } = board;
  const sides = { mice: [seats.filter((seat) => seat !== "cat"), board.found, mice, say("chop.of-cheese", { cheese: board.cheese })], cat: [["cat"], board.caught, cat, say("chop.of-caught", { mice: board.holes.length })] };
  for (const [side, [who, figure, owes, of]] of Object.entries(sides)) {
    const box = byId(`side-${side}`);
    box.classList.toggle("now", !board.outcome && board.side === side);
    redraw(query(box, ".head"), face(side === "cat" ? "cat" : "mouse"));
    const names = /** @type {string[]} */ (who).flatMap((seat) => named[seat] ?? []);
    set(query(box, ".name"), { text: names.join(", ") || say(`chop.side-${side}`) });
    set(query(box, "small"), { text: [/** @type {string[]} */ (who).map(computerSaid).find(Boolean), owes ? say("chop.misses") : of].filter(Boolean).join(" · ") });
    set(query(box, ".figure"), { text: figure });
  }
}

/** What the mice still need, as things. @param {KitchenView} board */
function needs(board) {
  const left = board.holes_left;
  redraw(byId("needs"),
    el("p", { class: "things", role: "img", "aria-label": `${say("chop.cheese-stat")} ${board.found}/${board.cheese}` }, ...Array.from({ length: board.cheese }, (_, n) => set(sign("cheese"), { class: `sign cheese${n < board.found ? "" : " not"}` }))),
    el("p", { class: "quiet", text: say(board.mice_can_win ? "chop.needs" : "chop.holes-shut") }),
    el("p", { class: "things legend" }, ...board.holes.map((_, n) => hole(n < left)), el("b", { text: say("chop.holes-stat", { left, holes: board.holes.length }) })));
}

/** @param {KitchenView} board */
const knifed = (board) => [board.mice_owe ? say("chop.side-mice") : "", board.cat_owes ? say("chop.side-cat") : ""].filter(Boolean).join(", ");

/** @param {KitchenView} board */
function won(board) {
  const line = byId("won");
  line.hidden = !board.outcome;
  if (!board.outcome) return redraw(line);
  const mice = board.outcome.reason === "cheese-home";
  line.className = `won ${mice ? "mice" : "cat"}`;
  return redraw(line, face(mice ? "mouse-1" : "cat"), el("span", { text: say(`chop.wins-${mice ? "mice" : "cat"}`) }));
}

/** A difference of chances in percentage points. @param {number} error */
const pointsOf = (error) => Math.max(1, Math.round(100 * error));

/** @param {KitchenView} board */
function since(board) {
  const events = board.since.length ? board.since.map(eventSaid) : [say("chop.nothing-yet")];
  redraw(byId("since"), ...events.map((text) => el("li", { text })));
}

/** @param {KitchenView} board */
function bag(board) {
  keyed(byId("bag"), board.bag, (each) => each.slab, () => el("tr", {}, el("td"), el("td"), el("td")), (row, each) => {
    const [name, left, chance] = row.children;
    redraw(name, sign(each.slab), el("span", { text: say(`slab.${each.slab}`) }));
    set(left, { text: `${each.left} / ${each.of}` });
    redraw(chance, el("b", { text: board.slabs.length ? chanceSaid(each) : "–" }), el("span", { class: "quiet", text: board.slabs.length && each.ways ? ` ${each.ways}/${each.out_of}` : "" }));
  });
  const slabs = board.slabs.length;
  set(byId("bag-why"), { text: board.bag_fits ? say("chop.next-slab-why", { slabs }) : say("chop.bag-wrong") });
}

/** @param {SlabView} each */
const chanceSaid = (each) => percent(each.ways / each.out_of);

/* Squares to tap */

/** @param {KitchenView} board */
function spots(board) {
  /** @type {Way[]} */
  const ways = [...shownWays(board), ...board.spearable.map((to) => ({ piece: "", to, meets: "cheese", via: [] }))];
  keyed(byId("spots"), ways, (way) => squareName(way.to), () => el("button", { type: "button" }), (spot, way) => {
    const { to } = way;
    const chosen = ui.to && squareName(ui.to.to) === squareName(to);
    set(spot, { class: `spot${chosen ? " chosen" : ""}`, "aria-label": waySaid(way), "aria-pressed": String(Boolean(chosen)), onclick: () => tapped(way) });
    Object.assign(spot.style, { left: `${(100 * to[1]) / board.board.cols}%`, top: `${(100 * to[0]) / board.board.rows}%`, width: `${100 / board.board.cols}%`, height: `${100 / board.board.rows}%` });
    redraw(spot, chosen && way.piece ? face(way.piece) : el("span", { class: "ring" }));
  });
}

/** What stands on a mouse; nothing on the cat. @param {string} piece */
const numberOf = (piece) => (piece.startsWith("mouse") ? piece.slice(-1) : "");

/** @param {Way} way */
function waySaid(way) {
  if (!way.piece) return say("chop.spear-at", { square: squareName(way.to) });
  return capital(say("chop.way-to", { piece: way.piece, square: squareName(way.to), meets: say(`chop.meets-${way.meets}`) }));
}

/** The first tap shows the way there, the next goes it. @param {Way} way */
function tapped(way) {
  if (ui.to && squareName(ui.to.to) === squareName(way.to)) return confirm();
  ui.to = way;
  return show(shown());
}

function confirm() {
  const way = ui.to;
  if (!way) return undefined;
  return way.via.length ? askWay(way) : go(way);
}

/** Ask which way the piece came: it may go to this square by some of them only. @param {Way} way */
function askWay(way) {
  /** @type {Now} */
  const { match: { board } } = shown();
  const at = board.pieces.find((each) => each.piece === way.piece)?.at;
  const buttons = board.came_by.map(([row, col]) => {
    const onclick = async () => {
      closeSheet();
      await play({ move: "via", row, col });
      /** @type {Now} */
      const { match } = shown();
      if (match.board.phase === "bonus") await go(way);
    };
    return el("button", { type: "button", onclick, text: say("chop.came-by", { square: squareName([row, col]) }) });
  });
  const title = capital(say("chop.which-way", { piece: way.piece, square: at ? squareName(at) : "" }));
  openSheet({ name: "which", title, kind: "ask", close: closeSheet, focus: true, body: [el("div", { class: "answers", role: "group" }, ...buttons)] });
}

/** @param {Way} way */
function go(way) {
  const [row, col] = way.to;
  /** @type {Now} */
  const { match } = shown();
  if (match.board.phase === "place") return play({ move: "place", row, col });
  return way.piece ? play({ move: "go", piece: way.piece, row, col }) : play({ move: "spear", row, col });
}

/* Above the thumb: the die, the slab, or whose ways to show */

/** @type {Record<string, string>} */
const TRAYS = { place: "tap-square", throw: "tap-die", move: "tap-square", bonus: "tap-square", arrow: "tap-square", fork: "to-spear", slab: "tap-slab" };

/** @param {KitchenView} board */
function tray(board) {
  byId("tray").hidden = byId("go").hidden = Boolean(board.outcome);
  if (board.outcome) return;
  const choices = byId("choices");
  redraw(choices, ...choicesOf(board));
  choices.className = `choices ${board.phase}`;
  const button = byId("go");
  set(button, { "aria-disabled": ui.to ? null : "true", onclick: confirm });
  redraw(button, say(ui.to ? "chop.go-to" : `chop.${TRAYS[board.phase]}`, { square: ui.to ? squareName(ui.to.to) : "" }));
  if (ui.to) withWhom(button);
}

/** @param {KitchenView} board */
function choicesOf(board) {
  if (board.phase === "throw") return [...new Set(board.die.faces)].sort().map((value) => dieButton(board, value));
  if (board.phase === "slab") return board.bag.map(slabButton);
  if (board.phase === "arrow") return [el("button", { type: "button", class: "main", onclick: () => play({ move: "stay" }), text: say("chop.stay") })];
  const pieces = piecesOf(board);
  // Whoever cannot choose sees the pieces, greyed.
  return board.pieces.filter(({ piece }) => (piece === "cat") === (board.side === "cat")).map(({ piece }) => {
    const button = el("button", { type: "button", disabled: !pieces.includes(piece), onclick: () => choose(piece) }, face(piece));
    return set(button, { "aria-pressed": String(ui.mouse === piece), "aria-label": nameFor(numberOf(piece), nameOf(piece)) });
  });
}

/** @param {string} piece */
function choose(piece) {
  Object.assign(ui, { mouse: piece, to: null });
  show(shown());
}

/** @param {KitchenView} board @param {number} value */
const dieOf = (board, value) => die(value, `die ${board.side}`);

/** @param {KitchenView} board @param {number} value */
function dieButton(board, value) {
  return el("button", { type: "button", "aria-label": say("chop.throw-of", { n: value }), onclick: () => play({ move: "throw", dice: [value] }) }, dieOf(board, value));
}

/** @param {SlabView} each */
function slabButton(each) {
  const button = el("button", { type: "button", class: "slab-choice", disabled: !each.possible, onclick: () => play({ move: "turn-slab", slab: each.slab }) });
  const name = say(`slab.${each.slab}`);
  button.append(sign(each.slab), el("span", { class: name.startsWith("+") ? "unseen" : "", text: name }), el("small", { class: "quiet", text: chanceSaid(each) }));
  return button;
}

/* Why a number is what it is */

/** @param {string} which */
function explain(which) {
  ui.why = which;
  /** @type {Now | null} */
  const now = current();
  if (now) sheet(now);
}

/** @param {KitchenView} board */
function whyBody(board) {
  const [mice, visible, slabs] = [board.holes.length, board.cheeses.length, board.slabs.length];
  const knife = knifed(board) ? [say("chop.knife-why", { who: knifed(board) })] : [];
  if (ui.why === "cat") return [say("chop.caught-why", { caught: board.caught, mice }), ...knife];
  return [say("chop.cheese-why", { collected: board.found, cheese: board.cheese, hidden: board.hidden, visible, slabs }),
    say("chop.holes-why", { left: board.holes_left, mice }), ...(board.mice_can_win ? [] : [say("chop.holes-shut")]), ...knife];
}

/** @param {KitchenView} board */
function chanceWhy({ chances: { mice, cat, error }, outcome }) {
  if (!error) return [say(outcome ? "chop.chance-over" : "chop.holes-shut")];
  return [say("chop.chance-why", { mice: percent(mice), cat: percent(cat), error: pointsOf(error) }), say("chop.chance-checked")];
}

/* What the camera asks, or saw broken */

/** @param {Now} now */
function sheet(now) {
  const { board } = now.match;
  if (sightingSheet(now, { unclear: "why.pieces-unclear", breaks: "chop.breaks", guess: ({ moves }) => guessSaid(board, moves[0]) })) return;
  if (ui.why) whySheet(board);
  else if (sheetName() !== "which") closeSheet();
}

/** @param {KitchenView} board */
function whySheet(board) {
  const title = say(`chop.side-${ui.why}`);
  const close = () => {
    explain("");
    closeSheet();
  };
  openSheet({ name: `why-${ui.why}`, title, close, focus: true, body: [el("div", { class: "stack" }, ...whyBody(board).map((text) => el("p", { text })))] });
}

/** @param {KitchenView} board @param {Game["move"]} move */
function guessSaid(board, move) {
  if (move.move === "throw") return { label: say("chop.throw-of", { n: move.dice[0] }), inside: [dieOf(board, move.dice[0])] };
  const square = "row" in move ? squareName([move.row, move.col]) : "";
  return { inside: [face("piece" in move ? move.piece : "cat"), el("span", { text: square })] };
}

onNews((/** @type {Now} */ now) => {
  if (ui.n !== now.match.n) {
    if (sheetName() === "which") closeSheet();
    Object.assign(ui, { mouse: "", to: null, n: now.match.n });
  }
  show(now);
});
