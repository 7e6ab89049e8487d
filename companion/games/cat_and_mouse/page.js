/** The page of Cat and Mouse: what is shown, and what taps on it do. */

import { play } from "/static/act.js";
import { sightingSheet, waitSaid } from "/static/asks.js";
import { die } from "/static/die.js";
import { byId, el, query, redraw, set, svg } from "/static/dom.js";
import { onNews, shown } from "/static/live.js";
import { computerSaid, seatName, showName } from "/static/names.js";
import { closeSheet, openSheet, sheetName } from "/static/sheet.js";
import { capital, say } from "/static/messages.js";
import { lastSaid } from "./page_said.js";
import { face, picture, SEATS, Track } from "./page_track.js";

/** @import { ForeseenView, JumpFee, Now, RaceView, Throw } from "./page_types.js" */
/** @import { Seat } from "./page_track.js" */

const FACES = [1, 2, 3, 4, 5, 6];

/** What is tapped in the two rows of dice; 0: nothing yet. */
const dice = [0, 0];
/** The match and the entry that the page shows, as one text. */
let drawn = "";
const track = new Track(byId("track", SVGSVGElement));

for (const seat of SEATS) query(byId(`player-${seat}`), ".face-box").append(face(seat));
byId("faces").append(...[0, 1].map((row) => el("div", { role: "group", "aria-label": say(row ? "race.second-die" : "race.first-die") }, ...FACES.map((value) => {
  const button = el("button", { type: "button", "aria-label": say("race.die", { value }), onclick: () => tapped(row, value) });
  button.append(die(value));
  return button;
}))));
byId("jump").onclick = () => play({ move: "jump-fee" });
byId("go").onclick = go;
byId("odds").onclick = async () => {
  const { board } = nowShown().match;
  const { odds } = await import("/games/cat-and-mouse/page_odds.js");
  openSheet({ name: "odds", title: say("web.odds"), close: closeSheet, focus: true, body: [odds(board, seatName)] });
};

onNews((/** @type {Now} */ now) => {
  const { id, n } = now.match;
  const isNew = `${id} ${n}` !== drawn;
  drawn = `${id} ${n}`;
  if (isNew) dice.fill(0);
  draw(now);
  const asks = sightingSheet(now, { unclear: "why.die-unclear", breaks: "race.breaks", guess: ({ moves }) => guessSaid(moves[0]) });
  if (!asks && (isNew || sheetName() !== "odds")) closeSheet();
});

/** @returns {Now} */
function nowShown() {
  return shown();
}

/** @param {Now} now */
function draw(now) {
  const { board } = now.match;
  const way = board.throws.find((each) => dice[0] && String(each.dice) === String([...dice].sort()));
  for (const seat of SEATS) player(board, seat);
  sentence(now, way);
  const ghost = way && board.turn ? { seat: board.turn, start: board.counters[board.turn].square, to: way.to, n: 0, ghost: true } : null;
  track.draw(board, now.seat === "mouse" ? "mouse" : "cat", ghost ?? (board.last && { ...board.last, ghost: false }));
  tray(board, way);
}

/** A picture beside a word. @param {SVGElement[]} inside */
function small(inside) {
  return svg("svg", { viewBox: "0 0 48 48", width: 16, height: 16, "aria-hidden": "true" }, ...inside);
}

/** @param {RaceView} board @param {Seat} seat */
function player(board, seat) {
  const box = byId(`player-${seat}`);
  const { square, owes_turn: owes, purse } = board.counters[seat];
  box.classList.toggle("now", board.turn === seat || Boolean(board.outcome?.winners.includes(seat)));
  showName(query(box, ".name"), seat, capital(seatName(seat)));
  set(query(box, "b"), { text: square });
  const hand = purse.debt ? el("span", { class: "debt", text: say("race.owes", { chips: purse.debt }) }) : el("span", { text: purse.hand });
  const unseen = (/** @type {string} */ key) => el("span", { class: "unseen", text: say(key) });
  redraw(query(box, "small"), small(picture("coin")), unseen("race.chips"), hand, ...(owes ? [small(picture("lost-turn")), unseen("race.why-lost-turn")] : []), el("span", { text: computerSaid(seat) }));
}

/** @param {Now} now @param {ForeseenView | undefined} way of the dice that are tapped */
function sentence({ match: { board }, seat, sighting }, way) {
  const waits = waitSaid(sighting, "race.waiting");
  const { outcome, turn } = board;
  const acts = turn ?? /** @type {Seat} */ (outcome?.winners[0] ?? "cat");
  set(byId("status"), { "data-kind": waits ? "wait" : turn && turn === seat ? "you" : null });
  redraw(query(byId("status"), ".face-box"), face(acts));
  set(query(byId("status"), ".bubble span"), { text: waits || (way ? foreseen(way) : toThrow(board)) });
  const thrown = board.last ?? board.start.throws.at(-1);
  redraw(byId("last"), ...(way || waits || outcome || !thrown ? [] : [...thrown.dice.map((value) => die(value)), ` ${lastSaid(board)}`]));
}

/** @param {RaceView} board */
function toThrow({ outcome, turn, start, last }) {
  if (outcome) return say(`outcome.${outcome.reason}`, { winner: seatName(outcome.winners[0]) });
  if (turn) return say(last?.then === "second-throw" ? "race.then-second-throw" : "race.to-throw", { seat: seatName(turn) });
  return say(start.by === "first" && start.throws.length ? "race.for-cat-again" : `race.for-cat-${start.by}`);
}

/** What the tapped dice would do. @param {ForeseenView} way */
function foreseen({ to, how, then, chips }) {
  const [one, two] = dice;
  const more = how === "turn-back" ? ["turn-back"] : [];
  if (then === "lost-turn" || then === "second-throw") more.push(then);
  const said = more.map((each) => say(`race.why-${each}`));
  if (chips) said.push(say(chips < 0 ? "race.legend-pays" : "race.legend-earns", { chips: Math.abs(chips) }));
  return say(how === "stay" ? "race.would-stay" : "race.would-go", { one, two, to }) + (said.length ? ` ${capital(said.join(", "))}.` : "");
}

/* The two rows of dice */

/** A throw for the cat moves nothing: there is nothing to look at before it counts. @param {number} row @param {number} value */
function tapped(row, value) {
  dice[row] = dice[row] === value ? 0 : value;
  draw(nowShown());
  if (nowShown().match.board.phase === "start") go();
}

function go() {
  if (dice[0] && dice[1]) play({ move: "throw", dice: [...dice] });
}

/** @param {RaceView} board @param {ForeseenView} [way] */
function tray(board, way) {
  const over = Boolean(board.outcome);
  const done = dice[0] > 0 && dice[1] > 0;
  const { turn } = board;
  const { seat } = nowShown();
  byId("dice").hidden = over;
  byId("jump").hidden = !board.may_declare_jump;
  byId("odds").hidden = over || board.may_declare_jump;
  const asks = turn && seat && turn !== seat ? say("race.tap-dice-of", { seat: seatName(turn) }) : say("race.tap-dice");
  const deed = way ? say(way.how === "stay" ? "race.stay-here" : "race.move-to", { to: way.to }) : say("race.throw-of", { one: dice[0], two: dice[1] });
  set(byId("go"), { hidden: over, "aria-disabled": done ? null : "true", text: done ? deed : asks });
  byId("faces").querySelectorAll("button").forEach((button, i) => set(button, { "aria-pressed": String(dice[Math.floor(i / FACES.length)] === FACES[i % FACES.length]) }));
}

/** @param {Throw | JumpFee} move */
function guessSaid(move) {
  const seen = move.move === "throw" ? move.dice : [];
  return { label: say("race.throw-of", { one: seen[0], two: seen[1] }), inside: seen.map((value) => die(value)) };
}
