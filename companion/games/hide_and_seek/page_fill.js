/** The set of cards: which one is played, one's own filled in, one used before taken again. */

import { byId, el, query, set } from "/static/dom.js";
import { nameOf } from "/static/names.js";
import { switchMatch } from "/static/switch.js";
import { toast } from "/static/toast.js";
import { known, say } from "/static/messages.js";
import { COLOURS, pill } from "./page_cards.js";

/** @import { KeptMatches } from "/static/types.js" */
/** @import { Animal, CardKind, Now } from "./page_types.js" */

/** @typedef {Now["match"]} Match */
/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

const SLUG = "hide-and-seek";
const PLAYERS = [2, 3, 4, 5, 6];
const PAGES = 5; // pages of kept matches looked through for sets used before

/** Fields of a card that not each sort of card has. @typedef {"colour" | "colours" | "gear" | "points" | "slows" | "species"} Own */

/**
 * What each sort of card asks for beside its speed and how many there are.
 * @type {Record<string, Own[]>}
 */
const ASKS = {
  hide: ["colour"], food: ["points"], candy: [], gear: ["gear", "colour"], paint: ["colour"],
  rocket: ["species", "slows"], enemy: ["colours", "points"],
};

/** The fields of a card's line that stand there for some sorts only, in order. */
const LABELLED = /** @type {const} */ (["colour", "gear", "species", "slows", "points"]);

let looked = 0;

/** @param {Match} match */
export function setUp(match) {
  const { board } = match;
  const fresh = match.moves === 0;
  if (!fresh) byId("fill").hidden = true;
  byId("set-up").hidden = board.phase !== "animals" || !byId("fill").hidden;
  byId("example").hidden = fresh || !board.set.example;
  set(byId("set-name"), { text: board.set.example ? say("hide.example-set") : say("hide.own-set", { name: board.set.name }) });
  set(byId("set-said"), { text: board.set.example ? say("hide.example-said") : "" });
  if (board.phase !== "animals") return;
  byId("how-many").replaceChildren(...PLAYERS.filter((count) => board.set.players[0] <= count && count <= board.set.players[1]).map((count) =>
    el("button", { type: "button", "aria-pressed": String(count === match.seats.length), onclick: () => begin(match, match.options.cards, count) }, String(count))));
  byId("fill-open").onclick = () => fillIn(match);
  if (looked !== match.id) usedBefore(match);
}

/** Begin this match again with a set; what was set up so far is kept. @param {Match} match @param {string} cards @param {number} [seats] */
async function begin(match, cards, seats = match.seats.length) {
  const players = Object.fromEntries(Object.entries(match.players).filter(([seat]) => Number(seat.split("-")[1]) <= seats));
  await switchMatch("/api/matches", { game: SLUG, options: { ...match.options, cards }, seats, players });
}

/** Sets of one's own in the matches kept here, the newest first, each once. @param {Match} match */
async function usedBefore(match) {
  looked = match.id;
  /** @type {Set<string>} */
  const texts = new Set();
  let path = "/api/matches";
  for (let page = 0; page < PAGES && path; page += 1) {
    const answer = await fetch(path).catch(() => null);
    if (!answer?.ok) break;
    /** @type {KeptMatches} */
    const kept = await answer.json();
    for (const { game, options } of kept.matches) {
      if (game === SLUG && typeof options.cards === "string" && options.cards.includes("\n")) texts.add(options.cards);
    }
    path = kept.before ? `/api/matches/before/${kept.before}` : "";
  }
  texts.delete(match.options.cards);
  byId("used-before").hidden = !texts.size;
  query(byId("used-before"), "div").replaceChildren(...[...texts].map((text) => el("button", { type: "button", onclick: () => begin(match, text) }, setName(text))));
}

/** @param {string} text of a set @returns {string} */
function setName(text) {
  const quotedName = /^\s*name\s*=\s*("(?:[^"\\]|\\.)*")/m.exec(text)?.[1];
  try {
    return quotedName ? JSON.parse(quotedName) : say("hide.nameless");
  } catch {
    return say("hide.nameless");
  }
}

/* The form: a line an animal, a line a kind of card */

/** The fields of the whole set. @typedef {Record<"name" | "hand" | "rounds_each" | "animals_each" | "reshuffle", HTMLInputElement>} Top */
/** The fields of an animal; `colours` are buttons. @typedef {{name: HTMLInputElement, species: HTMLSelectElement, colours: HTMLElement, speed: HTMLInputElement, points: HTMLInputElement}} AnimalParts */
/** The fields of a kind of card. @typedef {AnimalParts & {does: HTMLSelectElement, count: HTMLInputElement, slows: HTMLInputElement, colour: HTMLSelectElement, gear: HTMLInputElement}} CardParts */
/** All that is filled in. @typedef {{top: Top, players: [number, number], animals: AnimalParts[], cards: CardParts[]}} Filled */

/** The fields of each line of the form. @type {WeakMap<Element, AnimalParts>} */
const animalParts = new WeakMap();
/** @type {WeakMap<Element, CardParts>} */
const cardParts = new WeakMap();

/**
 * The fields of the lines that stand in a list, in order.
 * @template P
 * @param {Element} list @param {WeakMap<Element, P>} parts
 */
const partsIn = (list, parts) => [...list.children].map((line) => parts.get(line)).filter((each) => each !== undefined);

/** @param {Match} match */
function fillIn(match) {
  const { set: box } = match.board;
  const form = byId("fill", HTMLFormElement);
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
    el("h3", { text: say("hide.cards") }), cards, el("button", { type: "button", onclick: () => grow(cards, cardLine("", NEW_CARD)) }, say("hide.add-card")),
    el("button", { type: "submit", class: "main" }, say("hide.begin-with")), el("button", { type: "button", onclick: () => shut(match) }, say("hide.leave")));
  form.onsubmit = (event) => {
    event.preventDefault();
    const filled = { top, players: box.players, animals: partsIn(animals, animalParts), cards: partsIn(cards, cardParts) };
    const fault = faultOf(filled);
    if (fault) return toast(fault, "refusal");
    return begin(match, asToml(filled));
  };
  form.hidden = false;
  for (const id of ["set-up", "deal", "players"]) byId(id).hidden = true;
  query(form, "h2").focus();
}

/** @param {Match} match */
function shut(match) {
  byId("fill").hidden = true;
  byId("deal").hidden = false;
  setUp(match);
}

/** @param {Element} lines @param {Element} line */
function grow(lines, line) {
  lines.append(line);
  query(line, "input").focus();
}

/** @param {string} value */
const text = (value) => el("input", { value, maxlength: 40, required: true, autocomplete: "off", spellcheck: "false" });
/** @param {number | null} value @param {number} [min] @param {number} [max] */
const number = (value, min = -99, max = 99) => el("input", { type: "number", value: value ?? 0, min, max, required: true });

/** @param {string} key @param {Field} input @param {string} [more] */
function labelled(key, input, more = "") {
  const check = input.type === "checkbox";
  return el("label", { class: check ? "field check" : "field" }, el("span", { text: [say(key), more].filter(Boolean).join(": ") }), input);
}

/** @param {readonly string[]} values @param {string | null} chosen @param {string} name what their names begin with */
function choose(values, chosen, name) {
  return el("select", {}, ...values.map((value) => el("option", { value, selected: value === chosen, text: say(`${name}.${value}`) })));
}

/** @param {Element} button whether it is switched on */
const isOn = (button) => button.getAttribute("aria-pressed") === "true";

/** Colours to switch on and off, each a button. @param {string[]} chosen */
function toggles(chosen) {
  return el("div", { class: "seats" }, ...COLOURS.map((colour) => {
    const button = el("button", { type: "button", "data-colour": colour, "aria-pressed": String(chosen.includes(colour)) }, pill(colour));
    return set(button, { onclick: () => set(button, { "aria-pressed": String(!isOn(button)) }) });
  }));
}

/** The colours that are switched on. @param {Element} group */
const picked = (group) => [...group.children].filter(isOn).map((each) => each.getAttribute("data-colour") ?? "");

/** @param {Element} line */
function remover(line) {
  return el("button", { type: "button", class: "icon", "aria-label": say("hide.remove"), onclick: () => line.remove() }, "✕");
}

/** @param {string} name @param {Animal} animal */
function animalLine(name, animal) {
  const line = el("fieldset", { class: "entry" });
  const parts = { name: text(name), species: choose(["cat", "dog"], animal.species, "name"), colours: toggles(animal.colours), speed: number(animal.speed), points: number(animal.points) };
  animalParts.set(line, parts);
  line.append(
    el("div", { class: "entry-head" }, labelled("hide.name", parts.name), remover(line)), parts.colours,
    el("div", { class: "entry-row" }, labelled("hide.species", parts.species), labelled("hide.speed", parts.speed), labelled("hide.points", parts.points)));
  return line;
}

/** @type {CardKind} a card that is added to the form */
const NEW_CARD = { does: "hide", count: 1, speed: 1, colour: "grey", colours: [], gear: "", species: null, slows: null, points: 0 };

/** @param {string} name @param {CardKind} kind */
function cardLine(name, kind) {
  const line = el("fieldset", { class: "entry" });
  const does = choose(Object.keys(ASKS), kind.does, "does");
  const parts = {
    name: text(name), does, count: number(kind.count, 0), speed: number(kind.speed), points: number(kind.points), slows: number(kind.slows ?? Math.abs(kind.speed), 0),
    colour: choose([...COLOURS, "rainbow"], kind.colour, "name"), gear: text(kind.gear || "gale-suit"), species: choose(["dog", "cat"], kind.species, "name"), colours: toggles(kind.colours),
  };
  cardParts.set(line, parts);
  const asked = LABELLED.map((key) => ({ key, label: labelled(`hide.${key}`, parts[key]) }));
  const fit = () => {
    for (const { key, label } of asked) label.hidden = !ASKS[does.value].includes(key);
    parts.gear.disabled = !ASKS[does.value].includes("gear");
    parts.colours.hidden = does.value !== "enemy";
  };
  does.addEventListener("change", fit);
  line.append(
    el("div", { class: "entry-head" }, labelled("hide.name", parts.name, known(`name.${name}`) ? nameOf(name) : ""), remover(line)),
    el("div", { class: "entry-row" }, labelled("hide.does", does), labelled("hide.count", parts.count), labelled("hide.speed", parts.speed)),
    parts.colours, el("div", { class: "entry-row" }, ...asked.map(({ label }) => label)));
  fit();
  return line;
}

/* What was filled in, as the text of a set */

/** The first thing that cannot be: the companion itself says what else does not fit. @param {Filled} filled */
function faultOf({ animals, cards }) {
  for (const lines of [animals, cards]) {
    const names = lines.map((parts) => parts.name.value.trim());
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice) return say("hide.fault-twice", { name: twice });
  }
  const bare = animals.find((parts) => ![1, 2].includes(picked(parts.colours).length));
  if (bare) return say("hide.fault-colours", { name: bare.name.value });
  const dull = cards.find((parts) => parts.does.value === "enemy" && !picked(parts.colours).length);
  return dull ? say("hide.fault-enemy", { name: dull.name.value }) : "";
}

/** A text as TOML takes it: JSON's way of writing one, without signs that cannot be shown. @param {string} value */
const quoted = (value) => JSON.stringify(value.trim().replace(/\p{Cc}/gu, ""));
/** @param {string[]} values */
const listed = (values) => `[${values.map(quoted).join(", ")}]`;

/** @param {Filled} filled */
function asToml({ top, players, animals, cards }) {
  const lines = [
    `name = ${quoted(top.name.value)}`, `players = [${players.join(", ")}]`, `animals_each = ${top.animals_each.valueAsNumber}`, `hand = ${top.hand.valueAsNumber}`,
    `rounds_each = ${top.rounds_each.valueAsNumber}`, `reshuffle = ${top.reshuffle.checked}`, "", "[animals]",
  ];
  for (const parts of animals) {
    lines.push(`${quoted(parts.name.value)} = { species = "${parts.species.value}", colours = ${listed(picked(parts.colours))}, speed = ${parts.speed.valueAsNumber}, points = ${parts.points.valueAsNumber} }`);
  }
  lines.push("", "[cards]", ...cards.map(cardToml));
  return `${lines.join("\n")}\n`;
}

/** @param {CardParts} parts */
function cardToml(parts) {
  const fields = [`does = "${parts.does.value}"`, `count = ${parts.count.valueAsNumber}`, `speed = ${parts.speed.valueAsNumber}`];
  for (const key of ASKS[parts.does.value]) {
    if (key === "colours") fields.push(`colours = ${listed(picked(parts.colours))}`);
    else if (key === "points" || key === "slows") fields.push(`${key} = ${parts[key].valueAsNumber}`);
    else fields.push(`${key} = ${quoted(parts[key].value)}`);
  }
  return `${quoted(parts.name.value)} = { ${fields.join(", ")} }`;
}
