/** The page of Hide and Seek: what is shown, and what taps on it do. */

import { play } from "/static/act.js";
import { byId, el, set } from "/static/dom.js";
import { current, onNews } from "/static/live.js";
import { closeSheet, openSheet, sheetName } from "/static/sheet.js";
import { known, say } from "/static/messages.js";
import { animalName, cardName, colourName, face, pill } from "./page_cards.js";
import { left, mine } from "./page_deck.js";
import { setUp } from "./page_fill.js";
import { account, enemy, lineSaid, players } from "./page_table.js";
import { tray, ui } from "./page_tray.js";

const nameOf = (seat) => current()?.match.players[seat] || say(`name.${seat}`);

/** Whose animal the next one tapped is, while animals are dealt. */
let dealTo = "";
/** What the open sheet is about, so that news keep it up to date. */
let asked = () => {};

byId("go-on").addEventListener("click", () => play({ move: "go-on" }));
byId("end").addEventListener("click", () => play({ move: "end" }));

function show(now) {
  const { board } = now.match;
  status(now.match);
  setUp(now.match);
  deal(board);
  enemy(byId("enemy"), board, nameOf, () => open("why-enemy", () => whyEnemy(current())), () => tapped({ animal: "enemy", enemy: true }), enemyMark(board));
  players(byId("players"), board, {
    nameOf,
    mark: (animal) => mark(board, animal),
    tap: tapped,
    points: (seat) => open(`points-${seat.seat}`, () => whyPoints(current(), seat.seat)),
    why: (animal) => open(`why-${animal.animal}`, () => whyAnimal(current(), animal.animal)),
  });
  tray(now.match, nameOf, () => show(current()), askEnemy);
  goOn(board);
  left(board);
  mine(now);
  out(board);
  byId("end").hidden = board.phase !== "open";
  if (sheetName()) asked();
}

/* What is shown */

function status({ board, outcome }) {
  const line = byId("status");
  if (outcome) {
    const winners = outcome.winners.map(nameOf).join(" & ");
    return set(line, { "data-kind": "over", text: `${say(`outcome.${outcome.reason}`)} ${say("hide.wins", { winners })}` });
  }
  if (board.phase === "animals") return set(line, { "data-kind": "", text: "" });
  const round = say(board.rounds ? "hide.round-of" : "hide.round", { round: board.round, rounds: board.rounds });
  const who = board.seeker ? say("hide.who-seeks", { seat: nameOf(board.seeker) }) : "";
  return set(line, { "data-kind": board.brawl ? "brawl" : "", text: [round, board.brawl ? say("hide.brawl") : who].filter(Boolean).join(" · ") });
}

function deal(board) {
  byId("deal").hidden = board.phase !== "animals" || !byId("fill").hidden;
  byId("players").hidden = !byId("fill").hidden || (board.phase === "animals" && !board.animals.length);
  if (board.phase !== "animals") return;
  const each = board.set.animals_each;
  const short = board.seats.filter((seat) => seat.animals < each);
  if (!short.some((seat) => seat.seat === dealTo)) dealTo = short[0]?.seat ?? "";
  set(byId("deal-said"), { text: say("hide.deal", { seat: nameOf(dealTo), each }) });
  byId("deal-seats").replaceChildren(...board.seats.map((seat) =>
    el("button", { type: "button", "aria-pressed": String(seat.seat === dealTo), disabled: seat.animals >= each, onclick: () => { dealTo = seat.seat; show(current()); } }, `${nameOf(seat.seat)} ${seat.animals}/${each}`)));
  const dealt = new Set(board.animals.map((animal) => animal.animal));
  byId("deal-animals").replaceChildren(...Object.entries(board.set.animals).filter(([name]) => !dealt.has(name)).map(([name, animal]) =>
    el("button", { type: "button", onclick: () => play({ move: "animal", seat: dealTo, animal: name }) }, face(animal.species), el("span", { class: "name", text: animalName(name) }), el("span", { class: "pills" }, ...animal.colours.map((each) => pill(each))), el("b", { text: animal.speed }))));
}

/** How an animal stands out: it can be tapped for what is asked now. */
function mark(board, animal) {
  if (board.phase === "cards" && ui.card) return "target";
  if (board.phase === "open" && (!board.seeker || animal.seat === board.seeker)) return "target";
  if (board.phase === "catch" && board.catch.some((each) => each.animals.includes(animal.animal))) return "prey";
  if (board.phase === "catch" && board.ends && [...board.ends.may_catch, ...board.ends.takes].includes(animal.animal)) return "prey";
  return "";
}

function enemyMark(board) {
  return board.phase === "cards" && ui.card ? "target" : "";
}

function goOn(board) {
  const button = byId("go-on");
  const mayNot = board.phase === "catch" && board.ends?.takes.length;
  button.hidden = !["cards", "catch"].includes(board.phase) || Boolean(mayNot);
  const word = board.phase === "cards" ? "all-up" : board.enemy && !board.brawl ? "to-brawl" : "draw-up";
  set(button, { text: say(`hide.${word}`) });
}

function out(board) {
  byId("out").hidden = !board.caught.length;
  byId("out-list").replaceChildren(...board.caught.map((each) =>
    el("li", { text: say("hide.caught-by", { animal: each.animal, by: known(`name.${each.by}`) && each.by === "enemy" ? say("name.enemy") : nameOf(each.by), round: each.round }) })));
}

/* What a tap on an animal does depends on what is asked */

async function tapped(animal) {
  const { board } = current().match;
  if (board.phase === "cards" && ui.card) return lay(animal.animal);
  if (animal.enemy) return open("why-enemy", () => whyEnemy(current()));
  const how = mark(board, animal);
  if (how === "target") return play({ move: "seek", animal: animal.animal });
  if (how === "prey" && board.ends) return play({ move: board.ends.takes.length ? "taken" : "catch-enemy", animal: animal.animal });
  if (how === "prey") return caughtBy(board, animal.animal);
  return open(`why-${animal.animal}`, () => whyAnimal(current(), animal.animal));
}

async function lay(on) {
  const move = { move: "turn-up", by: ui.seat, card: ui.card, on };
  if (ui.colour) move.colour = ui.colour;
  if (ui.faster !== null) move.faster = ui.faster;
  if (on === "enemy" && current().match.board.set.cards[ui.card].colour === "rainbow" && !ui.colour) return open("name-colour", nameColour);
  if (await play(move)) ui.clear();
  show(current());
}

function nameColour() {
  const choices = ["grey", "white", "brown", "black", "yellow"].map((colour) => el("button", { type: "button", onclick: () => { ui.colour = colour; shut(); lay("enemy"); } }, pill(colour), colourName(colour)));
  openSheet({ name: "name-colour", title: say("hide.which-colour"), body: [el("div", { class: "choices" }, ...choices)], close: shut, focus: true });
}

/** One tap where the colour is clear, else the sheet asks by which one. */
function caughtBy(board, animal) {
  const colours = board.catch.filter((each) => each.animals.includes(animal)).map((each) => each.colour);
  const taken = (colour) => play(board.one_victim === "all" ? { move: "catch", colour } : { move: "catch", colour, animal });
  if (colours.length === 1) return taken(colours[0]);
  return open(`by-${animal}`, () => {
    const choices = colours.map((colour) => el("button", { type: "button", onclick: () => { shut(); taken(colour); } }, pill(colour), say("hide.catch-by", { colour })));
    openSheet({ name: `by-${animal}`, title: say("hide.by-which", { animal }), body: [el("div", { class: "choices" }, ...choices)], close: shut, focus: true });
  });
}

/** Step 0: who plays the enemy, asked from the seeker on. */
function askEnemy(card) {
  open(`enemy-${card}`, () => {
    const { board } = current().match;
    if (!board.may_play_enemy) return shut();
    const choices = board.order.map((seat) => el("button", { type: "button", onclick: () => { shut(); play({ move: "enemy", by: seat, card }); } }, nameOf(seat)));
    return openSheet({ name: `enemy-${card}`, title: say("hide.who-plays", { card: cardName(card) }), body: [el("div", { class: "choices" }, ...choices)], close: shut, focus: true });
  });
}

/* The sheet */

function open(name, ask) {
  if (sheetName() === name) return shut();
  asked = ask;
  return ask();
}

function shut() {
  asked = () => {};
  closeSheet();
}

function whyAnimal(now, name) {
  const animal = now.match.board.animals.find((each) => each.animal === name);
  if (!animal) return shut();
  const body = account(animal.standing, animal.verdict);
  const food = animal.standing.food;
  body.push(el("p", { class: "quiet", text: say("hide.worth", { points: animal.points + food, own: animal.points, food }) }));
  return openSheet({ name: `why-${name}`, title: `${animalName(name)} · ${nameOf(animal.seat)}`, body, close: shut, focus: true });
}

function whyEnemy(now) {
  const { enemy: out } = now.match.board;
  if (!out) return shut();
  const body = account(out.standing, null);
  body.push(el("p", { class: "quiet", text: say("hide.worth", { points: out.points + out.standing.food, own: out.points, food: out.standing.food }) }));
  return openSheet({ name: "why-enemy", title: cardName(out.card), body, close: shut, focus: true });
}

function whyPoints(now, name) {
  const seat = now.match.board.seats.find((each) => each.seat === name);
  const rows = seat.lines.map((line) => el("li", {}, el("span", { text: lineSaid(line) }), el("b", { text: line.points })));
  rows.push(el("li", { class: "sum" }, el("span", { text: say("hide.so-far") }), el("b", { text: seat.points })));
  openSheet({ name: `points-${name}`, title: nameOf(name), body: [el("ul", { class: "account" }, ...rows)], close: shut, focus: true });
}

onNews(show);
