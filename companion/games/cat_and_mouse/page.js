/** The page of Cat and Mouse: what is shown, and what taps on it do. */

import { play } from "/static/act.js";
import { sightingSheet, waitSaid } from "/static/asks.js";
import { die } from "/static/die.js";
import { byId, el, keyed, query, redraw, set, svg } from "/static/dom.js";
import { onNews, shown } from "/static/live.js";
import { forOther, seatName, showName } from "/static/names.js";
import { percent, percentNumber } from "/static/numbers.js";
import { closeSheet } from "/static/sheet.js";
import { say } from "/static/messages.js";
import { because, followed, fullyBecause, moved, squareSaid, started } from "./page_said.js";
import { face, legend, SEATS, Track } from "./page_track.js";

/** @import { ForeseenView, JumpFee, Now, OddsView, RaceView, Throw } from "./page_types.js" */
/** @import { Seat } from "./page_track.js" */

const WHY = /** @type {const} */ (["won", "second_throw", "lost_turn", "turn_back", "stay", "leap", "pays", "earns", "jump"]);
const WHOLE = { width: 300, height: 100 };

/** The die that was tapped first; 0 before. */
let first = 0;
const track = new Track(byId("track", SVGSVGElement));
const numbers = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2, minimumFractionDigits: 2 });
const signed = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2, minimumFractionDigits: 2, signDisplay: "always" });

for (const seat of SEATS) query(byId(`player-${seat}`), ".face-box").append(face(seat));
for (let value = 1; value <= 6; value += 1) byId("faces").append(faceButton(value));
byId("jump").addEventListener("click", () => play({ move: "jump-fee" }));

onNews((/** @type {Now} */ now) => {
  const { board } = now.match;
  if (board.outcome) first = 0;
  for (const seat of SEATS) player(board, seat);
  status(now);
  track.draw(board, board.last);
  redraw(byId("legend"), ...legend(board.board));
  lastThrow(board);
  chart(board);
  expected(board);
  everyThrow(board);
  ledger(board);
  tray(now);
  sheet(now);
});

/* What is shown */

/** @param {RaceView} board @param {Seat} seat */
function player(board, seat) {
  const box = byId(`player-${seat}`);
  const { square, owes_turn: owes, purse } = board.counters[seat];
  box.classList.toggle("to-throw", board.turn === seat);
  const state = board.outcome?.winners.includes(seat) ? say("race.winner") : board.turn === seat ? say("race.throws-now") : owes ? say("race.lost-turn") : "";
  showName(query(box, ".name"), seat);
  set(query(box, ".state"), { text: state });
  redraw(query(box, ".chance"), percent(board.odds[seat]), el("span", { class: "unseen", text: ` ${say("race.win-chance")}` }));
  set(query(box, ".place"), { text: squareSaid(square) });
  const hand = `${say("race.chips")}: ${purse.hand}`;
  const net = `(${purse.net > 0 ? "+" : purse.net < 0 ? "−" : "±"}${Math.abs(purse.net)})`;
  redraw(query(box, ".purse"), purse.debt ? el("span", { class: "debt", text: say("race.owes", { chips: purse.debt }) }) : hand, ` ${net}`);
}

/** @param {Now} now */
function status({ match, sighting }) {
  const { board } = match;
  const waits = waitSaid(sighting, "race.waiting");
  set(byId("status"), { "data-kind": waits ? "wait" : board.phase, text: waits || statusSaid(board) });
}

/** @param {RaceView} board */
function statusSaid(board) {
  if (board.outcome) return say(`outcome.${board.outcome.reason}`, { winner: seatName(board.outcome.winners[0]) });
  if (board.turn) {
    const pots = board.pots ? ` · ${say("race.in-pots", { chips: board.pots })}` : "";
    return say("race.to-throw", { seat: seatName(board.turn) }) + pots;
  }
  const again = board.start.by === "first" && board.start.throws.length ? "race.for-cat-again" : "race.for-cat";
  return [say(again), say(`race.for-cat-${board.start.by}`)].join(" · ");
}

/** @param {RaceView} board */
function lastThrow(board) {
  const { last, start } = board;
  const thrown = last ?? start.throws.at(-1);
  redraw(byId("last-dice"), ...(thrown?.dice ?? []).map((value) => die(value)));
  set(byId("move"), { text: last ? moved(last) : started(start) });
  set(byId("followed"), { text: followedBy(board) });
  keyed(byId("hand-over"), board.hand_over, (line) => JSON.stringify(line), () => el("li"), (node, line) => {
    set(node, { text: say("race.hand-over", { payer: seatName(line.payer), payee: seatName(line.payee), chips: say("race.chip-count", { chips: line.chips }), because: because(line) }) });
  });
  byId("jump").hidden = !board.may_declare_jump;
}

/**
 * What the newest throw led to. That it won stands above already, and leaves its line to who pays.
 * @param {RaceView} board
 */
function followedBy({ last, start, phase, outcome }) {
  if (last) return outcome ? "" : followed(last);
  return phase === "start" ? say("race.first-is-cat", { percent: percentNumber(start.first_is_cat) }) : "";
}

/** @param {RaceView} board */
function chart({ chart: points }) {
  if (!points.length) return redraw(byId("chart"));
  const last = points.length - 1;
  const x = (/** @type {number} */ i) => ((WHOLE.width * i) / Math.max(last, 1)).toFixed(2);
  const y = (/** @type {number} */ cat) => (WHOLE.height * (1 - cat)).toFixed(2);
  const line = points.map(({ cat }, i) => `L${x(i)} ${y(cat)}`).join("") + (last ? "" : `L${WHOLE.width} ${y(points[0].cat)}`);
  const picture = svg("svg", { viewBox: `0 0 ${WHOLE.width} ${WHOLE.height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "mouse-part", width: WHOLE.width, height: WHOLE.height }),
    svg("path", { class: "cat-part", d: `M0 ${WHOLE.height}${line}L${WHOLE.width} ${WHOLE.height}Z` }),
    svg("path", { class: "even", d: `M0 50H${WHOLE.width}` }));
  const caption = el("figcaption", { class: "quiet" }, el("span", { text: `${seatName("cat")} ${percent(points[last].cat)}` }), el("span", { text: `${seatName("mouse")} ${percent(1 - points[last].cat)}` }));
  return redraw(byId("chart"), picture, caption);
}

/** @param {string} id @param {[string, string | number][]} rows */
function pairs(id, rows) {
  redraw(byId(id), ...rows.flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: value })]));
}

/** @param {RaceView} board */
function expected({ odds }) {
  byId("expectation").hidden = false;
  pairs("expected", [
    [say("race.expected-change"), numbers.format(odds.change_hands)],
    [say("race.expected-pays", { seat: seatName("cat") }), numbers.format(odds.cat_pays)],
    [say("race.expected-pays", { seat: seatName("mouse") }), numbers.format(odds.mouse_pays)],
    [say("race.expected-net"), signed.format(odds.net_with_pots)],
    [say("race.expected-throws"), numbers.format(odds.throws)],
  ]);
  pairs("why", whyRows(odds));
  const exact = say("race.exact-to", { digits: odds.decimals });
  set(byId("exact"), { text: odds.fees_foretold ? exact : `${exact} ${say("race.fees-not-foretold")}` });
}

/** Every reason, also while it counts for nothing: no row comes or goes. @param {OddsView} odds @returns {[string, string | number][]} */
function whyRows({ why }) {
  return WHY.map((name) => [say(`race.why-${name.replace("_", "-")}`), why?.[name] || "–"]);
}

/** Show or hide the part of the page around a table. @param {string} id @param {"table"} around @param {boolean} there */
function showAround(id, around, there) {
  const part = byId(id).closest(around);
  if (part) part.hidden = !there;
}

/** @param {RaceView} board */
function everyThrow({ throws }) {
  showAround("throws", "table", throws.length > 0);
  redraw(byId("throws"), ...throws.map((each) => {
    const change = `${each.gains < 0 ? "−" : "+"}${(100 * Math.abs(each.gains)).toFixed(1)}`;
    return el("tr", {},
      el("td", { "aria-label": each.dice.join(" + ") }, ...each.dice.map((value) => die(value))),
      el("td", { text: each.to }),
      el("td", { text: whatSaid(each) }),
      el("td", {}, `${percent(each.chance)} `, el("span", { class: each.gains < 0 ? "worse" : "better", text: change })));
  }));
}

/** @param {ForeseenView} each */
function whatSaid(each) {
  const said = [];
  if (each.how === "stay" || each.how === "turn-back") said.push(say(`race.why-${each.how}`));
  if (each.then !== "next") said.push(say(`race.why-${each.then}`));
  if (each.chips) said.push(say("race.chip-change", { chips: `${each.chips < 0 ? "−" : "+"}${Math.abs(each.chips)}` }));
  return said.join(", ");
}

/** @param {RaceView} board */
function ledger(board) {
  const lines = [...board.ledger].reverse();
  byId("no-ledger").hidden = lines.length > 0;
  showAround("ledger", "table", lines.length > 0);
  redraw(byId("ledger"), ...lines.map((line) => el("tr", {}, el("td", { text: line.throw }),
    el("td", { text: `${seatName(line.payer)} → ${seatName(line.payee)}` }), el("td", { text: line.chips }), el("td", { text: fullyBecause(line) }))));
}

/* The dice to tap: two taps are a throw */

/** @param {number} value */
function faceButton(value) {
  const button = el("button", { type: "button", "aria-label": say("race.die", { value }), onclick: () => tapped(value) });
  button.append(die(value));
  return button;
}

/** @param {number} value */
async function tapped(value) {
  if (shown().match.outcome) return;
  if (!first) first = value;
  else {
    const dice = [first, value];
    first = 0;
    await play({ move: "throw", dice });
  }
  /** @type {Now} */
  const now = shown();
  tray(now);
}

/** @param {Now} now */
function tray({ match }) {
  const { board } = match;
  const over = Boolean(board.outcome);
  set(byId("dice"), { hidden: over && !board.may_declare_jump, "data-over": over || null });
  const said = first ? "race.tap-second" : "race.tap-dice";
  set(byId("dice-said"), { text: [say(said, { die: first }), forOther()].filter(Boolean).join(" · ") });
  set(byId("faces"), { "aria-label": say("race.tap-dice") });
  [...byId("faces").children].forEach((button, i) => {
    set(button, { "aria-pressed": String(first === i + 1) });
  });
}

/* What the camera asks, or saw broken */

/** @param {Now} now */
function sheet(now) {
  const open = sightingSheet(now, { unclear: "why.die-unclear", breaks: "race.breaks", guess: ({ moves }) => guessSaid(moves[0]) });
  if (!open) closeSheet();
}

/** @param {Throw | JumpFee} move */
function guessSaid(move) {
  const dice = move.move === "throw" ? move.dice : [];
  return { label: say("race.throw-of", { one: dice[0], two: dice[1] }), inside: dice.map((value) => die(value)) };
}
