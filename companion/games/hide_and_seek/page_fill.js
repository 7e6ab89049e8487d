/** The set of cards: which one is played, one's own filled in, one used before taken again. */

import { send } from "/static/act.js";
import { byId, el, set } from "/static/dom.js";
import { toast } from "/static/toast.js";
import { known, say } from "/static/messages.js";
import { cardName, COLOURS, pill } from "./page_cards.js";

const SLUG = "hide-and-seek";
const PLAYERS = [2, 3, 4, 5, 6];
const PAGES = 5; // pages of kept matches looked through for sets used before

/** What each sort of card asks for beside its speed and how many there are. */
const ASKS = {
  hide: ["colour"], food: ["points"], candy: [], gear: ["gear", "colour"], paint: ["colour"],
  rocket: ["species", "slows"], enemy: ["colours", "points"],
};

let looked = 0;

/** @param {any} match */
export function setUp(match) {
  const { board } = match;
  const fresh = match.moves === 0;
  if (!fresh) byId("fill").hidden = true;
  byId("set-up").hidden = !fresh || !byId("fill").hidden;
  byId("example").hidden = fresh || !board.set.example;
  set(byId("set-name"), { text: board.set.example ? say("hide.example-set") : say("hide.own-set", { name: board.set.name }) });
  set(byId("set-said"), { text: board.set.example ? say("hide.example-said") : "" });
  if (!fresh) return;
  byId("how-many").replaceChildren(...PLAYERS.filter((count) => board.set.players[0] <= count && count <= board.set.players[1]).map((count) =>
    el("button", { type: "button", "aria-pressed": String(count === match.seats.length), "aria-label": say("hide.players", { count }), onclick: () => begin(match, match.options.cards, count) }, String(count))));
  byId("fill-open").onclick = () => fillIn(match);
  if (looked !== match.id) usedBefore(match);
}

/** Begin this match anew with a set; what was set up so far is kept. */
async function begin(match, cards, seats = match.seats.length) {
  const players = Object.fromEntries(Object.entries(match.players).filter(([seat]) => Number(seat.split("-")[1]) <= seats));
  if (await send("/api/matches", { game: SLUG, options: { ...match.options, cards }, seats, players })) location.assign("/");
}

/** Sets of one's own in the matches kept here, the newest first, each once. */
async function usedBefore(match) {
  looked = match.id;
  const texts = new Set();
  let path = "/api/matches";
  for (let page = 0; page < PAGES && path; page += 1) {
    const answer = await fetch(path).catch(() => null);
    if (!answer?.ok) break;
    const kept = await answer.json();
    for (const each of kept.matches) if (each.game === SLUG && each.options.cards?.includes("\n")) texts.add(each.options.cards);
    path = kept.before ? `/api/matches/before/${kept.before}` : "";
  }
  texts.delete(match.options.cards);
  byId("used-before").hidden = !texts.size;
  byId("used-before").lastElementChild.replaceChildren(...[...texts].map((text) => el("button", { type: "button", onclick: () => begin(match, text) }, nameOf(text))));
}

function nameOf(text) {
  const told = /^\s*name\s*=\s*("(?:[^"\\]|\\.)*")/m.exec(text)?.[1];
  try {
    return told ? JSON.parse(told) : say("hide.nameless");
  } catch {
    return say("hide.nameless");
  }
}

/* The form: a line an animal, a line a kind of card */

function fillIn(match) {
  const { set: box } = match.board;
  const form = byId("fill");
  const animals = el("div", { class: "stack" }, ...Object.entries(box.animals).map(([name, animal]) => animalLine(name, animal)));
  const cards = el("div", { class: "stack" }, ...Object.entries(box.cards).map(([name, kind]) => cardLine(name, kind)));
  const top = {
    name: text(box.example ? say("hide.my-set") : box.name), hand: number(box.hand, 1, 20), rounds_each: number(box.rounds_each, 0, 50),
    animals_each: number(box.animals_each, 1, 9), reshuffle: el("input", { type: "checkbox", checked: box.reshuffle }),
  };
  form.replaceChildren(
    el("h2", { tabindex: -1, text: say("hide.fill-in") }), el("p", { class: "quiet", text: say("hide.fill-said") }),
    ...Object.entries(top).map(([key, input]) => labelled(`hide.set-${key}`, input)),
    el("h3", { text: say("hide.animals") }), animals, el("button", { type: "button", onclick: () => grow(animals, animalLine("", { species: "cat", colours: [], speed: 4, points: 2 })) }, say("hide.add-animal")),
    el("h3", { text: say("hide.cards") }), cards, el("button", { type: "button", onclick: () => grow(cards, cardLine("", { does: "hide", colour: "grey", speed: 1, count: 1, points: 0 })) }, say("hide.add-card")),
    el("button", { type: "submit", class: "main" }, say("hide.begin-with")), el("button", { type: "button", onclick: () => shut(match) }, say("hide.leave")));
  form.onsubmit = (event) => {
    event.preventDefault();
    const told = { top, players: box.players, animals: [...animals.children], cards: [...cards.children] };
    const fault = faultOf(told);
    if (fault) return toast(fault, "refusal");
    return begin(match, asToml(told));
  };
  form.hidden = false;
  for (const id of ["set-up", "deal", "players"]) byId(id).hidden = true;
  form.querySelector("h2").focus();
}

function shut(match) {
  byId("fill").hidden = true;
  byId("deal").hidden = false;
  setUp(match);
}

function grow(lines, line) {
  lines.append(line);
  line.querySelector("input").focus();
}

const text = (value) => el("input", { value, maxlength: 40, required: true, autocomplete: "off", spellcheck: "false" });
const number = (value, min = -99, max = 99) => el("input", { type: "number", value: value ?? 0, min, max, required: true });

function labelled(key, input, more = "") {
  const check = input.type === "checkbox";
  return el("label", { class: check ? "field check" : "field" }, el("span", { text: [say(key), more].filter(Boolean).join(": ") }), input);
}

function choose(values, chosen, name) {
  return el("select", {}, ...values.map((value) => el("option", { value, selected: value === chosen, text: say(`${name}.${value}`) })));
}

/** Colours to switch on and off, each a button. */
function toggles(chosen) {
  const group = el("div", { class: "seats" }, ...COLOURS.map((colour) =>
    el("button", { type: "button", "data-colour": colour, "aria-pressed": String(chosen.includes(colour)), onclick: (event) => {
      const button = event.currentTarget;
      set(button, { "aria-pressed": String(button.getAttribute("aria-pressed") !== "true") });
    } }, pill(colour))));
  group.picked = () => [...group.children].filter((each) => each.getAttribute("aria-pressed") === "true").map((each) => each.dataset.colour);
  return group;
}

function remover(line) {
  return el("button", { type: "button", class: "icon", "aria-label": say("hide.remove"), onclick: () => line.remove() }, "✕");
}

function animalLine(name, animal) {
  const line = el("fieldset", { class: "entry" });
  line.parts = { name: text(name), species: choose(["cat", "dog"], animal.species, "name"), colours: toggles(animal.colours), speed: number(animal.speed), points: number(animal.points) };
  line.append(
    el("div", { class: "entry-head" }, labelled("hide.name", line.parts.name), remover(line)), line.parts.colours,
    el("div", { class: "entry-row" }, labelled("hide.species", line.parts.species), labelled("hide.speed", line.parts.speed), labelled("hide.points", line.parts.points)));
  return line;
}

function cardLine(name, kind) {
  const line = el("fieldset", { class: "entry" });
  const does = choose(Object.keys(ASKS), kind.does, "does");
  line.parts = {
    name: text(name), does, count: number(kind.count, 0), speed: number(kind.speed), points: number(kind.points), slows: number(kind.slows ?? Math.abs(kind.speed), 0),
    colour: choose([...COLOURS, "rainbow"], kind.colour, "name"), gear: text(kind.gear || "gale-suit"), species: choose(["dog", "cat"], kind.species, "name"), colours: toggles(kind.colours ?? []),
  };
  const asked = Object.fromEntries(["colour", "gear", "species", "slows", "points"].map((key) => [key, labelled(`hide.${key}`, line.parts[key])]));
  const fit = () => {
    for (const [key, label] of Object.entries(asked)) label.hidden = !ASKS[does.value].includes(key);
    line.parts.gear.disabled = !ASKS[does.value].includes("gear");
    line.parts.colours.hidden = does.value !== "enemy";
  };
  does.addEventListener("change", fit);
  line.append(
    el("div", { class: "entry-head" }, labelled("hide.name", line.parts.name, known(`name.${name}`) ? cardName(name) : ""), remover(line)),
    el("div", { class: "entry-row" }, labelled("hide.does", does), labelled("hide.count", line.parts.count), labelled("hide.speed", line.parts.speed)),
    line.parts.colours, el("div", { class: "entry-row" }, ...Object.values(asked)));
  fit();
  return line;
}

/* What was filled in, as the text of a set */

/** The first thing that cannot be: the companion itself says what else does not fit. */
function faultOf({ animals, cards }) {
  for (const lines of [animals, cards]) {
    const names = lines.map((line) => line.parts.name.value.trim());
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice) return say("hide.fault-twice", { name: twice });
  }
  const bare = animals.find((line) => ![1, 2].includes(line.parts.colours.picked().length));
  if (bare) return say("hide.fault-colours", { name: bare.parts.name.value });
  const dull = cards.find(({ parts }) => parts.does.value === "enemy" && !parts.colours.picked().length);
  return dull ? say("hide.fault-enemy", { name: dull.parts.name.value }) : "";
}

/** A text as TOML takes it: JSON's way of writing one, without signs that cannot be shown. */
const quoted = (value) => JSON.stringify(value.trim().replace(/[\u0000-\u001f\u007f]/g, ""));
const listed = (values) => `[${values.map(quoted).join(", ")}]`;

function asToml({ top, players, animals, cards }) {
  const lines = [
    `name = ${quoted(top.name.value)}`, `players = [${players.join(", ")}]`, `animals_each = ${top.animals_each.valueAsNumber}`, `hand = ${top.hand.valueAsNumber}`,
    `rounds_each = ${top.rounds_each.valueAsNumber}`, `reshuffle = ${top.reshuffle.checked}`, "", "[animals]",
  ];
  for (const { parts } of animals) {
    lines.push(`${quoted(parts.name.value)} = { species = "${parts.species.value}", colours = ${listed(parts.colours.picked())}, speed = ${parts.speed.valueAsNumber}, points = ${parts.points.valueAsNumber} }`);
  }
  lines.push("", "[cards]", ...cards.map(cardToml));
  return `${lines.join("\n")}\n`;
}

function cardToml({ parts }) {
  const told = [`does = "${parts.does.value}"`, `count = ${parts.count.valueAsNumber}`, `speed = ${parts.speed.valueAsNumber}`];
  for (const key of ASKS[parts.does.value]) {
    if (key === "colours") told.push(`colours = ${listed(parts.colours.picked())}`);
    else if (key === "points" || key === "slows") told.push(`${key} = ${parts[key].valueAsNumber}`);
    else told.push(`${key} = ${quoted(parts[key].value)}`);
  }
  return `${quoted(parts.name.value)} = { ${told.join(", ")} }`;
}
