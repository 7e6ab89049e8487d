/** The page of Chop! Chop!: what is shown, and what taps on it do. */

import { answer, play } from "/static/act.js";
import { askedName, askSheet, breaksSheet } from "/static/asks.js";
import { byId, el, keyed, set } from "/static/dom.js";
import { current, onNews } from "/static/live.js";
import { closeSheet, openSheet, sheetName } from "/static/sheet.js";
import { capital, known, say } from "/static/messages.js";
import { Kitchen, die, face, sign, squareName } from "./page_kitchen.js";

const MOST_LINES = 12; // ways drawn as lines before one mouse is chosen

const LONG_MS = 2500; // so long the camera waits before the page says so

/** `mouse`: whose ways are shown alone; `n`: for which entry; `aside`: the sighting put aside; `why`: which number is explained; `waits`: what the camera waits for, `since` when. */
const ui = { mouse: "", n: -1, aside: 0, why: "", waits: "", since: 0, waiting: 0 };
const kitchen = new Kitchen(/** @type {any} */ (byId("kitchen")));

const whole = (share) => `${Math.round(100 * share)} %`;
const seatName = (seat) => current()?.match.players[seat] || capital(say(`name.${seat}`));
const pieceName = (piece) => say(`name.${piece}`);

for (const stat of ["cheese", "caught", "holes", "knife"]) byId(`stat-${stat}`).addEventListener("click", () => explain(stat));
byId("chances").addEventListener("click", () => explain("chance"));

function show(now) {
  const { board } = now.match;
  status(now);
  stats(board);
  kitchen.draw(board, linesOf(board), ui.mouse || (board.mover ?? (board.side === "cat" ? "cat" : "")));
  spots(board);
  won(board);
  chances(board);
  since(board);
  bag(board);
  tray(board);
  sheet(now);
}

/* What is shown */

const shownWays = (board) => (ui.mouse ? board.ways.filter((way) => way.piece === ui.mouse) : board.ways);

function linesOf(board) {
  if (board.phase !== "move" && board.phase !== "bonus") return [];
  const ways = shownWays(board);
  return ui.mouse || ways.length <= MOST_LINES || new Set(ways.map((way) => way.piece)).size === 1 ? ways : [];
}

function status({ match, sighting }) {
  const { board } = match;
  const waits = lastingWait(sighting) ? `why.${sighting.why}` : "";
  if (waits) return set(byId("status"), { "data-kind": "wait", text: known(waits) ? say(waits, sighting.facts) : say("chop.waiting") });
  return set(byId("status"), { "data-kind": board.outcome ? "over" : board.phase === "place" ? "cat" : board.side, text: statusSaid(board) });
}

/** Whether the camera has waited for long: a hand passes over the board at every move, and that is no news. */
function lastingWait(sighting) {
  if (sighting?.verdict !== "wait") {
    clearTimeout(ui.waiting);
    ui.waits = "";
    return false;
  }
  if (ui.waits !== sighting.why) {
    Object.assign(ui, { waits: sighting.why, since: Date.now() });
    clearTimeout(ui.waiting);
    ui.waiting = setTimeout(() => current() && status(current()), LONG_MS);
  }
  return Date.now() - ui.since >= LONG_MS;
}

function statusSaid(board) {
  if (board.outcome) return say(`outcome.${board.outcome.reason}`);
  const who = seatName(board.turn);
  const piece = board.mover ? capital(pieceName(board.mover)) : "";
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

/** Where a knife gives a side two throws: which of them this is. */
function ofTwo(board) {
  if (board.same) return say("chop.same", { piece: board.same });
  if (board.throws_left > 1) return say("chop.twice");
  const [first] = board.since;
  const missed = board.since.some((event) => event.what === "missed");
  return board.phase === "throw" && missed && first?.side === board.side ? say("chop.again") : "";
}

function stats(board) {
  count("cheese", `${board.found}/${board.cheese}`);
  count("caught", `${board.caught}/${board.holes.length}`);
  count("holes", `${board.holes_left}/${board.holes.length}`);
  count("knife", knifed(board) || "–");
  byId("stat-knife").classList.toggle("on", board.mice_owe || board.cat_owes);
}

const knifed = (board) => [board.mice_owe ? say("chop.side-mice") : "", board.cat_owes ? say("chop.side-cat") : ""].filter(Boolean).join(", ");

function count(stat, text) {
  set(byId(`stat-${stat}`).querySelector(".count"), { text });
}

function won(board) {
  const line = byId("won");
  line.hidden = !board.outcome;
  if (!board.outcome) return line.replaceChildren();
  const mice = board.outcome.reason === "cheese-home";
  line.className = `won ${mice ? "mice" : "cat"}`;
  return line.replaceChildren(face(mice ? "mouse-1" : "cat"), el("span", { text: say(`chop.wins-${mice ? "mice" : "cat"}`) }));
}

function chances({ chances: found }) {
  set(byId("chance-mice"), { text: whole(found.mice) });
  set(byId("chance-cat"), { text: whole(found.cat) });
  set(byId("give"), { text: found.matches ? say("chop.give-or-take", { error: errorSaid(found) }) : "" });
  byId("share-mice").style.flexGrow = String(found.mice);
  byId("share-open").style.flexGrow = String(Math.max(0, 1 - found.mice - found.cat));
  byId("share-cat").style.flexGrow = String(found.cat);
}

const errorSaid = (found) => (100 * found.error).toFixed(100 * found.error < 2 ? 1 : 0);

function since(board) {
  const events = board.since.length ? board.since.map(eventSaid) : [say("chop.nothing-yet")];
  byId("since").replaceChildren(...events.map((text) => el("li", { text })));
}

function eventSaid(event) {
  const key = ["cut", "missed"].includes(event.what) ? `did-${event.what}-${event.side}` : `did-${event.what}`;
  const slab = event.slab ? say(`slab.${event.slab}`) : "";
  return capital(say(`chop.${key}`, { side: event.side, piece: event.piece ?? "", n: event.n, slab, square: event.at ? squareName(event.at) : "" }));
}

function bag(board) {
  keyed(byId("bag"), board.bag, (each) => each.slab, () => el("tr", {}, el("td"), el("td"), el("td")), (row, each) => {
    const [name, left, chance] = row.children;
    name.replaceChildren(sign(each.slab), el("span", { text: say(`slab.${each.slab}`) }));
    set(left, { text: `${each.left} / ${each.of}` });
    chance.replaceChildren(el("b", { text: board.slabs.length ? percent(each) : "–" }), el("span", { class: "quiet", text: board.slabs.length && each.ways ? ` ${each.ways}/${each.out_of}` : "" }));
  });
  const slabs = board.slabs.length;
  set(byId("bag-why"), { text: board.bag_fits ? say("chop.next-slab-why", { slabs }) : say("chop.bag-wrong") });
}

const percent = (each) => `${((100 * each.ways) / each.out_of).toFixed(0)} %`;

/* Squares to tap */

function spots(board) {
  const held = new Map();
  for (const way of shownWays(board)) {
    const name = squareName(way.to);
    held.set(name, [...(held.get(name) ?? []), way]);
  }
  for (const at of board.spearable) held.set(squareName(at), [{ piece: "", to: at, path: [], meets: "cheese" }]);
  keyed(byId("spots"), [...held.values()], ([way]) => squareName(way.to), () => el("button", { type: "button" }), (spot, ways) => {
    const { to } = ways[0];
    const catches = ways.some((way) => way.meets === "mouse");
    set(spot, { class: `spot ${board.side}${catches ? " catches" : ""}`, "aria-label": ways.map((way) => waySaid(way)).join("; "), onclick: () => tapped(ways) });
    Object.assign(spot.style, { left: `${(100 * to[1]) / board.board.cols}%`, top: `${(100 * to[0]) / board.board.rows}%`, width: `${100 / board.board.cols}%`, height: `${100 / board.board.rows}%` });
    const numbers = board.mover ? "" : ways.filter((way) => way.piece.startsWith("mouse")).map((way) => way.piece.slice(-1)).join(" ");
    spot.replaceChildren(el("span", { class: "ring" }), ...(numbers ? [el("span", { class: "who", text: numbers })] : []));
  });
}

function waySaid(way) {
  if (!way.piece) return say("chop.spear-at", { square: squareName(way.to) });
  return capital(say("chop.way-to", { piece: way.piece, square: squareName(way.to), meets: say(`chop.meets-${way.meets}`) }));
}

function tapped(ways) {
  if (ways.length === 1) return go(ways[0]);
  const square = squareName(ways[0].to);
  const buttons = ways.map((way) => withFace(way.piece, () => (closeSheet(), go(way))));
  return openSheet({ name: "which", title: say("chop.which-mouse", { square }), kind: "ask", close: closeSheet, focus: true, body: [el("div", { class: "answers", role: "group" }, ...buttons)] });
}

function go(way) {
  const [row, col] = way.to;
  if (current()?.match.board.phase === "place") return play({ move: "place", row, col });
  return way.piece ? play({ move: "go", piece: way.piece, row, col }) : play({ move: "spear", row, col });
}

function withFace(piece, onclick) {
  const button = el("button", { type: "button", onclick });
  button.append(face(piece), el("span", { text: piece === "cat" ? say("chop.piece-cat") : say("chop.mouse", { n: piece.slice(-1) }) }));
  return button;
}

/* Above the thumb: the die, the slab, or whose ways to show */

const TRAYS = { place: "tap-square", throw: "tap-die", move: "tap-square", bonus: "tap-square", arrow: "tap-square", fork: "to-spear", slab: "tap-slab" };

function tray(board) {
  const key = JSON.stringify([board.phase, board.die, board.bag, ui.mouse, board.mover, board.ways.map((way) => way.piece)]);
  byId("tray").hidden = Boolean(board.outcome);
  if (board.outcome) return;
  set(byId("tray-said"), { text: say(`chop.${TRAYS[board.phase]}`) });
  const choices = byId("choices");
  if (choices.dataset.shown !== key) choices.replaceChildren(...choicesOf(board));
  choices.dataset.shown = key;
  choices.className = `choices ${board.phase}`;
}

function choicesOf(board) {
  if (board.phase === "throw") return [...new Set(board.die.faces)].sort().map((value) => dieButton(board, value));
  if (board.phase === "slab") return board.bag.map((each) => slabButton(board, each));
  if (board.phase === "arrow") return [el("button", { type: "button", class: "main", onclick: () => play({ move: "stay" }), text: say("chop.stay") })];
  const pieces = [...new Set(board.ways.map((way) => way.piece))];
  if (board.phase !== "move" || pieces.length < 2) return [];
  return pieces.map((piece) => {
    const button = el("button", { type: "button", onclick: () => choose(ui.mouse === piece ? "" : piece) }, face(piece));
    return set(button, { "aria-pressed": String(ui.mouse === piece), "aria-label": `${say("chop.tap-mouse")}: ${pieceName(piece)}` });
  });
}

function choose(piece) {
  ui.mouse = piece;
  const now = current();
  if (now) show(now);
}

function dieButton(board, value) {
  const button = el("button", { type: "button", "aria-label": say("chop.throw-of", { n: value }), onclick: () => play({ move: "throw", dice: [value] }) });
  button.append(die(value, board.side));
  return button;
}

function slabButton(board, each) {
  const button = el("button", { type: "button", class: "slab-choice", disabled: !each.possible, onclick: () => play({ move: "turn-slab", slab: each.slab }) });
  const name = say(`slab.${each.slab}`);
  button.append(sign(each.slab), el("span", { class: name.startsWith("+") ? "unseen" : "", text: name }), el("small", { class: "quiet", text: percent(each) }));
  return button;
}

/* Why a number is what it is */

function explain(which) {
  ui.why = which;
  const now = current();
  if (now) sheet(now);
}

function whyBody(board) {
  const [mice, visible, slabs] = [board.holes.length, board.cheeses.length, board.slabs.length];
  switch (ui.why) {
    case "cheese": return [say("chop.cheese-why", { ...board, visible, slabs })];
    case "caught": return [say("chop.caught-why", { caught: board.caught, mice })];
    case "holes": return [say("chop.holes-why", { left: board.holes_left, mice })];
    case "knife": return [say("chop.knife-why", { who: knifed(board) || say("chop.nobody") })];
    default: return chanceWhy(board.chances);
  }
}

function chanceWhy(found) {
  if (!found.matches) return [say("chop.chance-over")];
  return [say("chop.chance-why", { matches: found.matches, mice: found.mice_won, cat: found.cat_won, unfinished: found.unfinished, error: errorSaid(found) }), say("chop.chance-policy")];
}

/* What the camera asks, or saw broken */

function sheet(now) {
  const { sighting } = now;
  const open = askedName(sighting, ui.aside);
  if (open && sighting.verdict === "breaks") return breaksSheet(sighting, { title: say("chop.breaks"), close: aside });
  if (open) return askSheet(now, { unclear: "why.pieces-unclear", choices: sighting.guesses.map((guess, n) => guessButton(now.match.board, guess.moves[0], () => answer(sighting.id, n))), close: aside });
  if (ui.why) {
    const title = ui.why === "chance" ? say("chop.win-chance") : say(`chop.${ui.why}-stat`);
    return openSheet({ name: `why-${ui.why}`, title, close: () => (explain(""), closeSheet()), focus: true, body: [el("div", { class: "stack" }, ...whyBody(now.match.board).map((text) => el("p", { text })))] });
  }
  return sheetName() === "which" && ui.n === now.match.n ? undefined : closeSheet();
}

function guessButton(board, move, onclick) {
  if (move.dice) return el("button", { type: "button", "aria-label": say("chop.throw-of", { n: move.dice[0] }), onclick }, die(move.dice[0], board.side));
  const piece = move.piece ?? "cat";
  return el("button", { type: "button", onclick }, face(piece), el("span", { text: squareName([move.row, move.col]) }));
}

function aside() {
  ui.aside = current()?.sighting?.id ?? 0;
  closeSheet();
}

onNews((now) => {
  if (ui.n !== now.match.n) Object.assign(ui, { mouse: "", n: now.match.n });
  show(now);
});
