/** The page of Hide and Seek: what is shown, and what taps on it do. */

import { play } from "/static/act.js";
import { byId, el, redraw, set } from "/static/dom.js";
import { onNews, shown } from "/static/live.js";
import { nameOf, seatName, withWhom } from "/static/names.js";
import { closeSheet, openSheet, sheetName } from "/static/sheet.js";
import { say } from "/static/messages.js";
import { COLOURS, pill, portrait } from "./page_cards.js";
import { mayEnd, waitsSaid } from "./page_dealt.js";
import { left, mine } from "./page_deck.js";
import { setUp } from "./page_set.js";
import { account, caughtSaid, enemy, lineSaid, players, roundOf } from "./page_table.js";
import { tray, ui } from "./page_tray.js";

/** @import { AnimalView, HideView, Now } from "./page_types.js" */

/** Whose animal the next one tapped is, while animals are dealt. */
let dealTo = "";
/** What the open sheet is about, so that news keep it up to date. */
let asked = () => {};

byId("go-on").onclick = () => byId("go-on").ariaDisabled === "true" || play({ move: "go-on" });
byId("end").addEventListener("click", () => play({ move: "end" }));

/** @type {() => Now} */
const nowShown = () => shown();
const boardNow = () => nowShown().match.board;
const showAgain = () => show(nowShown());

/** @param {Now} now */
function show(now) {
  const { board } = now.match;
  status(now);
  setUp(now.match);
  deal(board);
  enemy(byId("enemy"), board, { mark: enemyMark(board), tap: enemyTapped, why: openEnemy });
  players(byId("players"), board, {
    mark: (animal) => mark(board, animal),
    tap: tapped,
    held: ui.card ? { ...ui, by: ui.seat, slowest: now.match.options.minimum_speed } : null,
    points: (seat) => open(`points-${seat.seat}`, () => whyPoints(seat.seat)),
  });
  tray(now, { again: showAgain, askEnemy });
  goOn(now);
  left(board);
  mine(now);
  byId("end").hidden = !mayEnd(now);
  if (sheetName()) asked();
}

/* What is shown */

/** @param {Now} now */
function status({ match: { board, outcome, turn }, dealt, seat }) {
  const acts = seat && (dealt?.in_secret || (!dealt?.waits && turn)) === seat;
  set(byId("status"), { "data-kind": !outcome && acts ? "you" : null });
  set(byId("round"), { text: board.phase === "animals" || outcome ? "" : roundOf(board) });
}

/** @param {HideView} board */
function deal(board) {
  byId("deal").hidden = board.phase !== "animals";
  byId("players").hidden = board.phase === "animals";
  if (board.phase !== "animals") return;
  const each = board.set.animals_each;
  const short = board.seats.filter((seat) => seat.animals.length < each);
  if (!short.some((seat) => seat.seat === dealTo)) dealTo = short[0]?.seat ?? "";
  set(byId("tray-said"), { text: say("hide.deal", { seat: seatName(dealTo), each }) });
  redraw(byId("deal-seats"), ...board.seats.map((seat) =>
    el("button", { type: "button", "aria-pressed": String(seat.seat === dealTo), disabled: seat.animals.length >= each, onclick: () => { dealTo = seat.seat; showAgain(); } }, `${seatName(seat.seat)} ${seat.animals.length}/${each}`)));
  const seats = new Map(board.animals.map((animal) => [animal.animal, animal.seat]));
  // Those dealt stay in their places, so that the next tap meets what it was meant for.
  redraw(byId("deal-animals"), ...Object.entries(board.set.animals).map(([name, animal]) => {
    const seat = seats.get(name);
    return el("button", { type: "button", disabled: seat !== undefined, onclick: () => play({ move: "animal", seat: dealTo, animal: name }) },
      portrait(animal), el("span", { class: "name", text: nameOf(name) }),
      ...(seat ? [el("span", { class: "dealt", text: seatName(seat) })] : [el("span", { class: "pills" }, ...animal.colours.map((colour) => pill(colour)),
        ...(animal.collector ? [el("span", { class: "pill", text: say("hide.collectors") })] : [])), el("b", { text: animal.speed })]));
  }));
}

/** How an animal stands out: it can be tapped for what is asked now. @param {HideView} board @param {AnimalView} animal */
function mark(board, animal) {
  if (waitsSaid(nowShown())) return "";
  if (board.phase === "cards" && ui.card) return "target";
  if (board.phase === "open" && (!board.seeker || animal.seat === board.seeker)) return "target";
  if (board.phase === "catch" && board.catch.some((each) => each.animals.includes(animal.animal))) return "prey";
  if (board.phase === "catch" && board.ends && [...board.ends.may_catch, ...board.ends.takes].includes(animal.animal)) return "prey";
  return "";
}

/** @param {HideView} board */
function enemyMark(board) {
  return board.phase === "cards" && ui.card ? "target" : "";
}

/** @param {Now} now */
function goOn(now) {
  const { dealt, match: { board } } = now;
  const button = byId("go-on");
  const mayNot = !["cards", "catch"].includes(board.phase) || (board.phase === "catch" && board.ends?.takes.length);
  const reason = waitsSaid(now) ? "wait" : mayNot ? (["open", "animals"].includes(board.phase) ? "tap-animal" : "choose-above") : "";
  set(button, { hidden: board.phase === "over", "aria-disabled": reason ? "true" : null });
  const asks = board.phase === "catch" ? board.ends?.may_catch[0] : undefined;
  const seat = board.animals.find((animal) => animal.animal === asks)?.seat;
  const laid = dealt ? "lay-no-more" : "all-up";
  const word = board.phase === "cards" ? laid : seat ? "let-go" : board.enemy && !board.brawl ? "to-brawl" : "draw-up";
  set(button, { text: say(`hide.${reason || word}`, { seat: seatName(seat ?? "") }) });
  if (!dealt && !reason) withWhom(button);
}

/* What a tap on an animal does depends on what is asked */

/** @param {AnimalView} animal */
async function tapped(animal) {
  const board = boardNow();
  if (board.phase === "cards" && ui.card) return lay(animal.animal);
  const how = mark(board, animal);
  if (how === "target") return play({ move: "seek", animal: animal.animal });
  if (how === "prey" && board.ends) return play({ move: board.ends.takes.length ? "taken" : "catch-enemy", animal: animal.animal });
  return how === "prey" ? caughtBy(board, animal.animal) : undefined;
}

async function enemyTapped() {
  const { phase } = boardNow();
  return phase === "cards" && ui.card ? lay("enemy") : openEnemy();
}

/** @param {string} on an animal, or `enemy` */
async function lay(on) {
  const said = { ...(ui.colour ? { colour: ui.colour } : {}), ...(ui.faster === null ? {} : { faster: ui.faster }) };
  if (on === "enemy" && boardNow().set.cards[ui.card].colour === "rainbow" && !ui.colour) return open("name-colour", nameColour);
  if (await play({ move: "turn-up", by: ui.seat, card: ui.card, on, ...said })) ui.clear();
  return showAgain();
}

/**
 * A sheet of choices: one is tapped, and the sheet goes.
 * @param {string} name @param {string} title @param {HTMLButtonElement[]} choices
 */
function chooseSheet(name, title, choices) {
  openSheet({ name, title, body: [el("div", { class: "choices" }, ...choices)], close: shut, focus: true });
}

/** @param {() => unknown} chosen what a tap does @param {(Node | string)[]} inside */
function choice(chosen, ...inside) {
  const onclick = () => {
    shut();
    chosen();
  };
  return el("button", { type: "button", onclick }, ...inside);
}

function nameColour() {
  const choices = COLOURS.map((colour) => choice(() => { ui.colour = colour; lay("enemy"); }, pill(colour), nameOf(colour)));
  chooseSheet("name-colour", say("hide.which-colour"), choices);
}

/** One tap where the colour is clear, else the sheet asks by which one. @param {HideView} board @param {string} animal */
function caughtBy(board, animal) {
  const colours = board.catch.filter((each) => each.animals.includes(animal)).map((each) => each.colour);
  const taken = (/** @type {string} */ colour) => play(board.one_victim === "all" ? { move: "catch", colour } : { move: "catch", colour, animal });
  if (colours.length === 1) return taken(colours[0]);
  return open(`by-${animal}`, () => {
    const choices = colours.map((colour) => choice(() => taken(colour), pill(colour), say("hide.catch-by", { colour })));
    chooseSheet(`by-${animal}`, say("hide.by-which", { animal }), choices);
  });
}

/** Step 0: who plays the enemy, asked from the seeker on. @param {string} card */
function askEnemy(card) {
  open(`enemy-${card}`, () => {
    const board = boardNow();
    if (!board.may_play_enemy) return shut();
    const choices = board.order.map((seat) => choice(() => play({ move: "enemy", by: seat, card }), seatName(seat)));
    return chooseSheet(`enemy-${card}`, say("hide.who-plays", { card: nameOf(card) }), choices);
  });
}

/* The sheet */

/** @param {string} name @param {() => void} ask */
function open(name, ask) {
  if (sheetName() === name) return shut();
  asked = ask;
  return ask();
}

function shut() {
  asked = () => {};
  closeSheet();
}

const openEnemy = () => open("why-enemy", whyEnemy);

/** What an animal or the enemy is worth to who has it. @param {number} own its own points @param {number} food the points of the food on it */
const worthLine = (own, food) => el("p", { class: "quiet", text: say("hide.worth", { points: own + food, own, food }) });

function whyEnemy() {
  const { enemy: atLarge } = boardNow();
  if (!atLarge) return shut();
  const { card, points, standing } = atLarge;
  const body = [...account(standing, null), worthLine(points, standing.food)];
  return openSheet({ name: "why-enemy", title: nameOf(card), body, close: shut, focus: true });
}

/** @param {string} name */
function whyPoints(name) {
  const seat = boardNow().seats.find((each) => each.seat === name);
  if (!seat) return shut();
  const rows = seat.lines.map((line) => el("li", {}, el("span", { text: lineSaid(line) }), el("b", { text: line.points })));
  rows.push(el("li", { class: "sum" }, el("span", { text: say("hide.so-far") }), el("b", { text: seat.points })));
  const { animals, caught } = boardNow();
  const each = animals.filter((animal) => animal.seat === name).flatMap((animal) => [el("h3", { text: nameOf(animal.animal) }), ...account(animal.standing, animal.verdict), worthLine(animal.points, animal.standing.food)]);
  const gone = caught.filter((one) => seat.animals.includes(one.animal)).map((one) => el("p", { class: "quiet", text: caughtSaid(one) }));
  return openSheet({ name: `points-${name}`, title: seatName(name), body: [el("ul", { class: "account" }, ...rows), ...gone, ...each], close: shut, focus: true });
}

onNews(show);
