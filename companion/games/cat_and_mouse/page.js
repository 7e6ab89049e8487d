/** The page of Cat and Mouse: what is shown, and what taps on it do. */

import { answer, play } from "/static/act.js";
import { askedName, askSheet, breaksSheet } from "/static/asks.js";
import { byId, el, keyed, set, svg } from "/static/dom.js";
import { current, onNews } from "/static/live.js";
import { closeSheet } from "/static/sheet.js";
import { known, say } from "/static/messages.js";
import { die, face, legend, Track } from "./page_track.js";

const SEATS = ["cat", "mouse"];
const WHY = ["won", "second_throw", "lost_turn", "turn_back", "stay", "leap", "pays", "earns", "jump"];
const WHOLE = { width: 300, height: 100 };

/** `first`: the die that was tapped first; `aside`: the sighting that was put aside. */
const ui = { first: 0, aside: 0 };
const track = new Track(/** @type {any} */ (byId("track")));
const numbers = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2, minimumFractionDigits: 2 });
const signed = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2, minimumFractionDigits: 2, signDisplay: "always" });

const percent = (chance) => `${(100 * chance).toFixed(1)} %`;
const nameOf = (who) => current()?.match.players[who] || say(`name.${who}`);
const squareSaid = (square) => (square ? say("race.square", { square }) : say("race.corner"));

for (const seat of SEATS) byId(`player-${seat}`).querySelector(".face-box").append(face(seat));
for (let value = 1; value <= 6; value += 1) byId("faces").append(faceButton(value));
byId("jump").addEventListener("click", () => play({ move: "jump-fee" }));

onNews((now) => {
  const { board } = now.match;
  if (board.outcome) ui.first = 0;
  for (const seat of SEATS) player(board, seat);
  status(now);
  track.draw(board, board.last);
  byId("legend").replaceChildren(...legend(board.board));
  lastThrow(board);
  chart(board);
  expected(board);
  everyThrow(board);
  ledger(board);
  tray(now);
  sheet(now);
});

/* What is shown */

function player(board, seat) {
  const box = byId(`player-${seat}`);
  const { square, owes_turn: owes, purse } = board.counters[seat];
  box.classList.toggle("to-throw", board.turn === seat);
  const state = board.outcome?.winners.includes(seat) ? say("race.winner") : board.turn === seat ? say("race.throws-now") : owes ? say("race.lost-turn") : "";
  set(box.querySelector(".name"), { text: nameOf(seat) });
  set(box.querySelector(".state"), { text: state });
  set(box.querySelector(".chance"), { text: percent(board.odds[seat]), "aria-label": `${say("race.win-chance")} ${percent(board.odds[seat])}` });
  set(box.querySelector(".place"), { text: squareSaid(square) });
  const hand = `${say("race.chips")}: ${purse.hand}`;
  const net = `(${purse.net > 0 ? "+" : purse.net < 0 ? "−" : "±"}${Math.abs(purse.net)})`;
  box.querySelector(".purse").replaceChildren(purse.debt ? el("span", { class: "debt", text: say("race.owes", { chips: purse.debt }) }) : hand, ` ${net}`);
}

function status({ match, sighting }) {
  const { board } = match;
  const line = byId("status");
  const waits = sighting?.verdict === "wait" ? `why.${sighting.why}` : "";
  if (waits) return set(line, { "data-kind": "wait", text: known(waits) ? say(waits, sighting.facts) : say("race.waiting") });
  return set(line, { "data-kind": board.phase, text: statusSaid(board) });
}

function statusSaid(board) {
  if (board.phase === "over") return say(`outcome.${board.outcome.reason}`, { winner: nameOf(board.outcome.winners[0]) });
  if (board.phase === "race") {
    const pots = board.pots ? ` · ${say("race.in-pots", { chips: board.pots })}` : "";
    return say("race.to-throw", { seat: nameOf(board.turn) }) + pots;
  }
  const again = board.start.by === "first" && board.start.throws.length ? "race.for-cat-again" : "race.for-cat";
  return [say(again), say(`race.for-cat-${board.start.by}`)].join(" · ");
}

function lastThrow(board) {
  const { last, start } = board;
  const thrown = last ?? start.throws.at(-1);
  byId("last-dice").replaceChildren(...(thrown?.dice ?? []).map(die));
  set(byId("move"), { text: last ? moved(last) : started(start) });
  set(byId("followed"), { text: last ? followed(last) : board.phase === "start" ? say("race.first-is-cat", { percent: (100 * start.first_is_cat).toFixed(1) }) : "" });
  keyed(byId("hand-over"), board.hand_over, (line) => JSON.stringify(line), () => el("li"), (node, line) => {
    set(node, { text: say("race.hand-over", { payer: nameOf(line.payer), payee: nameOf(line.payee), chips: say("race.chip-count", { chips: line.chips }), because: because(line) }) });
  });
  byId("jump").hidden = !board.may_declare_jump;
}

function because(line) {
  return say(`because.${line.reason}`, { square: line.square });
}

function moved(last) {
  const facts = { seat: nameOf(last.seat), from: squareSaid(last.start), to: squareSaid(last.to) };
  return say(last.how === "stay" ? "race.stay" : "race.move-counter", facts);
}

function started(start) {
  if (!start.throws.length) return say("race.no-throw");
  if (start.cat) return say("race.is-cat", { who: say(`name.${start.cat}`) });
  const [one, two] = start.throws.at(-1).dice;
  return `${say(`name.${start.throws.at(-1).by}`)}: ${one} + ${two} = ${one + two}`;
}

function followed(last) {
  const facts = { seat: nameOf(last.seat) };
  const said = [];
  if (last.how === "leap" || last.how === "turn-back") said.push(say(`race.how-${last.how}`));
  if (last.then !== "next") said.push(say(`race.then-${last.then}`, facts));
  for (const seat of last.served) said.push(say("race.served", { seat: nameOf(seat) }));
  return said.join(" ");
}

function chart({ chart: points }) {
  const figure = byId("chart");
  figure.parentElement.hidden = !points.length;
  if (!points.length) return;
  const last = points.length - 1;
  const x = (i) => ((WHOLE.width * i) / Math.max(last, 1)).toFixed(2);
  const y = (cat) => (WHOLE.height * (1 - cat)).toFixed(2);
  const line = points.map(({ cat }, i) => `L${x(i)} ${y(cat)}`).join("") + (last ? "" : `L${WHOLE.width} ${y(points[0].cat)}`);
  const picture = svg("svg", { viewBox: `0 0 ${WHOLE.width} ${WHOLE.height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "mouse-part", width: WHOLE.width, height: WHOLE.height }),
    svg("path", { class: "cat-part", d: `M0 ${WHOLE.height}${line}L${WHOLE.width} ${WHOLE.height}Z` }),
    svg("path", { class: "even", d: `M0 50H${WHOLE.width}` }));
  const caption = el("figcaption", { class: "quiet" }, el("span", { text: `${nameOf("cat")} ${percent(points[last].cat)}` }), el("span", { text: `${nameOf("mouse")} ${percent(1 - points[last].cat)}` }));
  figure.replaceChildren(picture, caption);
}

function pairs(id, rows) {
  byId(id).replaceChildren(...rows.flatMap(([name, value]) => [el("dt", { text: name }), el("dd", { text: value })]));
}

function expected({ odds }) {
  byId("expectation").hidden = false;
  pairs("expected", [
    [say("race.expected-change"), numbers.format(odds.change_hands)],
    [say("race.expected-pays", { seat: nameOf("cat") }), numbers.format(odds.cat_pays)],
    [say("race.expected-pays", { seat: nameOf("mouse") }), numbers.format(odds.mouse_pays)],
    [say("race.expected-net"), signed.format(odds.net_with_pots)],
    [say("race.expected-throws"), numbers.format(odds.throws)],
  ]);
  pairs("why", odds.why ? WHY.filter((name) => odds.why[name]).map((name) => [say(`race.why-${name.replace("_", "-")}`), odds.why[name]]) : []);
  byId("why").previousElementSibling.hidden = !odds.why;
  const exact = say("race.exact-to", { digits: odds.decimals });
  set(byId("exact"), { text: odds.fees_foretold ? exact : `${exact} ${say("race.fees-not-foretold")}` });
}

function everyThrow({ throws }) {
  byId("throws").closest("details").hidden = !throws.length;
  byId("throws").replaceChildren(...throws.map((each) => {
    const change = `${each.gains < 0 ? "−" : "+"}${(100 * Math.abs(each.gains)).toFixed(1)}`;
    return el("tr", {},
      el("td", { "aria-label": each.dice.join(" + ") }, ...each.dice.map(die)),
      el("td", { text: each.to }),
      el("td", { text: whatSaid(each) }),
      el("td", {}, `${percent(each.chance)} `, el("span", { class: each.gains < 0 ? "worse" : "better", text: change })));
  }));
}

function whatSaid(each) {
  const said = [];
  if (each.how === "stay" || each.how === "turn-back") said.push(say(`race.why-${each.how}`));
  if (each.then !== "next") said.push(say(`race.why-${each.then}`));
  if (each.chips) said.push(say("race.chip-change", { chips: `${each.chips < 0 ? "−" : "+"}${Math.abs(each.chips)}` }));
  return said.join(", ");
}

function ledger(board) {
  const lines = [...board.ledger].reverse();
  byId("no-ledger").hidden = lines.length > 0;
  byId("ledger").closest("table").hidden = !lines.length;
  byId("ledger").replaceChildren(...lines.map((line) => el("tr", {}, el("td", { text: line.throw }),
    el("td", { text: `${nameOf(line.payer)} → ${nameOf(line.payee)}` }), el("td", { text: line.chips }), el("td", { text: because(line) }))));
}

/* The dice to tap: two taps are a throw */

function faceButton(value) {
  const button = el("button", { type: "button", "aria-label": say("race.die", { value }), onclick: () => tapped(value) });
  button.append(die(value));
  return button;
}

async function tapped(value) {
  if (current()?.match.board.outcome) return;
  if (!ui.first) ui.first = value;
  else {
    const dice = [ui.first, value];
    ui.first = 0;
    await play({ move: "throw", dice });
  }
  tray(current());
}

function tray({ match }) {
  const { board } = match;
  const over = Boolean(board.outcome);
  byId("dice").hidden = over;
  const said = ui.first ? "race.tap-second" : "race.tap-dice";
  set(byId("dice-said"), { text: say(said, { die: ui.first }) });
  set(byId("faces"), { "aria-label": say("race.tap-dice") });
  [...byId("faces").children].forEach((button, i) => {
    set(button, { "aria-pressed": String(ui.first === i + 1) });
  });
}

/* What the camera asks, or saw broken */

function sheet(now) {
  const { sighting } = now;
  if (!askedName(sighting, ui.aside)) return closeSheet();
  if (sighting.verdict === "breaks") return breaksSheet(sighting, { title: say("race.breaks"), close: aside });
  return askSheet(now, { unclear: "why.die-unclear", choices: sighting.guesses.map((guess, n) => guessButton(guess.moves[0].dice, () => answer(sighting.id, n))), close: aside });
}

function guessButton(dice, onclick) {
  return el("button", { type: "button", "aria-label": say("race.throw-of", { one: dice[0], two: dice[1] }), onclick }, ...dice.map(die));
}

function aside() {
  ui.aside = current()?.sighting?.id ?? 0;
  closeSheet();
}
