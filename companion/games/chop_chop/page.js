/** The page of Chop! Chop!: what is shown, and what taps on it do. */

import { play } from "/static/act.js";
import { sightingSheet, waitSaid } from "/static/asks.js";
import { die } from "/static/die.js";
import { byId, el, keyed, query, redraw, set } from "/static/dom.js";
import { current, onNews, shown } from "/static/live.js";
import { forOther, nameOf, playerSign, seatLabel, signOf, squareName } from "/static/names.js";
import { percent } from "/static/numbers.js";
import { closeSheet, openSheet, sheetName } from "/static/sheet.js";
import { capital, nameFor, say } from "/static/messages.js";
import { Kitchen, face, sign } from "./page_kitchen.js";
import { asked, askedSaid, askedWay, eventSaid } from "./page_said.js";

/** @import { SightingView } from "/static/types.js" */
/** @import { Game, KitchenView, Now, SlabView } from "./page_types.js" */
/** @import { Square } from "./page_kitchen.js" */

/** What a tap on a square does: a piece goes there (where `via` is not empty: only if it came by one of these squares), or (no piece) a cheese that lies there is speared. @typedef {{piece: string, to: Square, meets: string, via: Square[]}} Way */

const MOST_LINES = 12; // ways drawn as lines before one mouse is chosen

const LONG_MS = 2500; // so long the camera waits before the page says so

/** `mouse`: whose ways are shown alone; `n`: for which entry; `why`: which number is explained; `waits`: what the camera waits for, `since` when. */
const ui = { mouse: "", n: -1, why: "", waits: "", since: 0, waiting: 0 };
const kitchen = new Kitchen(byId("kitchen", SVGSVGElement));

for (const stat of ["cheese", "caught", "holes", "knife"]) byId(`stat-${stat}`).addEventListener("click", () => explain(stat));
byId("chances").addEventListener("click", () => explain("chance"));

/** @param {Now} now */
function show(now) {
  const { board } = now.match;
  status(now);
  stats(board);
  const wish = asked(now);
  kitchen.draw(board, wish ? askedWay(wish, board.ways) : linesOf(board), wish?.piece ?? (ui.mouse || (board.mover ?? (board.side === "cat" ? "cat" : ""))));
  spots(board);
  won(board);
  chances(board);
  since(board);
  bag(board);
  tray(board);
  sheet(now);
}

/* What is shown */

/** @param {KitchenView} board */
const shownWays = (board) => (ui.mouse ? board.ways.filter((way) => way.piece === ui.mouse) : board.ways);

/** @param {KitchenView} board */
function linesOf(board) {
  if (board.phase !== "move" && board.phase !== "bonus") return [];
  const ways = shownWays(board);
  return ui.mouse || ways.length <= MOST_LINES || new Set(ways.map((way) => way.piece)).size === 1 ? ways : [];
}

/** @param {Now} now */
function status(now) {
  const { match, sighting } = now;
  const { board } = match;
  const wish = asked(now);
  const waits = lastingWait(sighting) ? waitSaid(sighting, "chop.waiting") : "";
  const named = !waits && !board.outcome && ["throw", "move"].includes(board.phase);
  set(byId("status"), named ? signOf(board.turn ?? "") : playerSign({}));
  if (waits) set(byId("status"), { "data-kind": "wait", text: waits });
  else set(byId("status"), { "data-kind": board.outcome ? "over" : board.phase === "place" ? "cat" : board.side, text: wish ? askedSaid(wish, seatLabel(board.turn ?? "")) : statusSaid(board) });
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

/** @param {KitchenView} board */
function stats(board) {
  count("cheese", `${board.found}/${board.cheese}`);
  count("caught", `${board.caught}/${board.holes.length}`);
  count("holes", `${board.holes_left}/${board.holes.length}`);
  count("knife", knifed(board) || "–");
  byId("stat-knife").classList.toggle("on", board.mice_owe || board.cat_owes);
}

/** @param {KitchenView} board */
const knifed = (board) => [board.mice_owe ? say("chop.side-mice") : "", board.cat_owes ? say("chop.side-cat") : ""].filter(Boolean).join(", ");

/** @param {string} stat @param {string} text */
function count(stat, text) {
  set(query(byId(`stat-${stat}`), ".count"), { text });
}

/** @param {KitchenView} board */
function won(board) {
  const line = byId("won");
  line.hidden = !board.outcome;
  if (!board.outcome) return redraw(line);
  const mice = board.outcome.reason === "cheese-home";
  line.className = `won ${mice ? "mice" : "cat"}`;
  return redraw(line, face(mice ? "mouse-1" : "cat"), el("span", { text: say(`chop.wins-${mice ? "mice" : "cat"}`) }));
}

/** @param {KitchenView} board */
function chances({ chances: { mice, cat, error } }) {
  set(byId("chance-mice"), { text: percent(mice) });
  set(byId("chance-cat"), { text: percent(cat) });
  set(byId("give"), { text: error ? say("chop.give-or-take", { error: pointsOf(error) }) : "" });
  byId("share-mice").style.flexGrow = String(mice);
  byId("share-cat").style.flexGrow = String(cat);
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
  /** @type {Map<string, Way[]>} */
  const bySquare = new Map();
  for (const way of shownWays(board)) {
    const name = squareName(way.to);
    bySquare.set(name, [...(bySquare.get(name) ?? []), way]);
  }
  for (const at of board.spearable) bySquare.set(squareName(at), [{ piece: "", to: at, meets: "cheese", via: [] }]);
  keyed(byId("spots"), [...bySquare.values()], ([way]) => squareName(way.to), () => el("button", { type: "button" }), (spot, ways) => {
    const { to } = ways[0];
    const catches = ways.some((way) => way.meets === "mouse");
    const numbers = board.mover ? "" : ways.filter((way) => way.piece.startsWith("mouse")).map((way) => numberOf(way.piece)).join(" ");
    set(spot, { class: `spot ${board.side}${catches ? " catches" : ""}`, "aria-label": nameFor(numbers, ways.map((way) => waySaid(way)).join("; ")), onclick: () => tapped(ways) });
    Object.assign(spot.style, { left: `${(100 * to[1]) / board.board.cols}%`, top: `${(100 * to[0]) / board.board.rows}%`, width: `${100 / board.board.cols}%`, height: `${100 / board.board.rows}%` });
    redraw(spot, el("span", { class: "ring" }), ...(numbers ? [el("span", { class: "who", text: numbers })] : []));
  });
}

/** What stands on a mouse; nothing on the cat. @param {string} piece */
const numberOf = (piece) => (piece.startsWith("mouse") ? piece.slice(-1) : "");

/** @param {Way} way */
function waySaid(way) {
  if (!way.piece) return say("chop.spear-at", { square: squareName(way.to) });
  return capital(say("chop.way-to", { piece: way.piece, square: squareName(way.to), meets: say(`chop.meets-${way.meets}`) }));
}

/** @param {Way[]} ways */
function tapped(ways) {
  if (ways.length === 1) return ways[0].via.length ? askWay(ways[0]) : go(ways[0]);
  const square = squareName(ways[0].to);
  const buttons = ways.map((way) => withFace(way));
  return openSheet({ name: "which", title: say("chop.which-mouse", { square }), kind: "ask", close: closeSheet, focus: true, body: [el("div", { class: "answers", role: "group" }, ...buttons)] });
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

/** @param {Way} way */
function withFace(way) {
  const onclick = () => {
    closeSheet();
    go(way);
  };
  const name = way.piece === "cat" ? say("chop.piece-cat") : say("chop.mouse", { n: way.piece.slice(-1) });
  return el("button", { type: "button", onclick }, face(way.piece), el("span", { text: name }));
}

/* Above the thumb: the die, the slab, or whose ways to show */

/** @type {Record<string, string>} */
const TRAYS = { place: "tap-square", throw: "tap-die", move: "tap-square", bonus: "tap-square", arrow: "tap-square", fork: "to-spear", slab: "tap-slab" };

/** @param {KitchenView} board */
function tray(board) {
  byId("tray").hidden = Boolean(board.outcome);
  if (board.outcome) return;
  set(byId("tray-said"), { text: [say(`chop.${TRAYS[board.phase]}`), forOther()].filter(Boolean).join(" · ") });
  const choices = byId("choices");
  redraw(choices, ...choicesOf(board));
  choices.className = `choices ${board.phase}`;
}

/** @param {KitchenView} board */
function choicesOf(board) {
  if (board.phase === "throw") return [...new Set(board.die.faces)].sort().map((value) => dieButton(board, value));
  if (board.phase === "slab") return board.bag.map(slabButton);
  if (board.phase === "arrow") return [el("button", { type: "button", class: "main", onclick: () => play({ move: "stay" }), text: say("chop.stay") })];
  const pieces = [...new Set(board.ways.map((way) => way.piece))];
  if (board.phase !== "move" || pieces.length < 2) return [];
  return pieces.map((piece) => {
    const button = el("button", { type: "button", onclick: () => choose(ui.mouse === piece ? "" : piece) }, face(piece));
    return set(button, { "aria-pressed": String(ui.mouse === piece), "aria-label": nameFor(numberOf(piece), nameOf(piece)) });
  });
}

/** @param {string} piece */
function choose(piece) {
  ui.mouse = piece;
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
  switch (ui.why) {
    case "cheese": return [say("chop.cheese-why", { collected: board.found, cheese: board.cheese, hidden: board.hidden, visible, slabs })];
    case "caught": return [say("chop.caught-why", { caught: board.caught, mice })];
    case "holes": return [say("chop.holes-why", { left: board.holes_left, mice }), ...(board.mice_can_win ? [] : [say("chop.holes-shut")])];
    case "knife": return [say("chop.knife-why", { who: knifed(board) || say("chop.nobody") })];
    default: return chanceWhy(board);
  }
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
  else if (sheetName() !== "which" || ui.n !== now.match.n) closeSheet();
}

/** @param {KitchenView} board */
function whySheet(board) {
  const title = ui.why === "chance" ? say("chop.win-chance") : say(`chop.${ui.why}-stat`);
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
  if (ui.n !== now.match.n) Object.assign(ui, { mouse: "", n: now.match.n });
  show(now);
});
