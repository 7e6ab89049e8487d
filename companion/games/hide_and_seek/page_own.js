/** A set of cards of one's own: one animal or one kind of card at a time, each with a picture if one likes. */

import { byId, el, query, set } from "/static/dom.js";
import { known, say } from "/static/messages.js";
import { nameOf } from "/static/names.js";
import { signed } from "/static/numbers.js";
import { form, keep } from "/static/own.js";
import { sendPhoto } from "/static/send_photo.js";
import { toast } from "/static/toast.js";
import { COLOURS, icon, pill, portrait } from "./page_cards.js";

/** @import { OwnPicture } from "/static/types.js" */
/** @import { Animal, CardKind, CardSet } from "./page_types.js" */

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */
/** An animal or a kind of card with its name. @template T @typedef {T & {name: string}} Named */
/** Fields of a card that not each sort of card has. @typedef {"colour" | "colours" | "gear" | "points" | "slows" | "species"} Own */

/**
 * What each sort of card asks for beside its speed and how many there are.
 * @type {Record<string, Own[]>}
 */
const ASKS = {
  hide: ["colour"], food: ["points"], candy: [], gear: ["gear", "colour"], paint: ["colour"],
  rocket: ["species", "slows"], enemy: ["colours", "points"],
};

/** The fields of a card that stand there for some sorts only, in order. */
const LABELLED = /** @type {const} */ (["colour", "gear", "species", "slows", "points"]);

/** @type {Named<Animal>} */
const NEW_ANIMAL = { name: "", species: "cat", colours: [], speed: 4, points: 2, picture: "", collector: false };
/** @type {Named<CardKind>} */
const NEW_CARD = { name: "", does: "hide", count: 1, speed: 1, colour: "grey", colours: [], gear: "", species: null, slows: null, points: 0, picture: "" };

/** @type {CardSet} */
const made = JSON.parse(form.dataset.made ?? "");
const animals = Object.entries(made.animals).map(([name, animal]) => ({ ...animal, name }));
const cards = Object.entries(made.cards).map(([name, kind]) => ({ ...kind, name }));

/* The whole set */

/** @param {string} value */
const text = (value) => el("input", { value, maxlength: 40, required: true, autocomplete: "off", spellcheck: "false" });
/** @param {number | null} value @param {number} [min] @param {number} [max] */
const number = (value, min = -99, max = 99) => el("input", { type: "number", value: value ?? 0, min, max, required: true });

/** @param {string} label @param {Field} input */
function labelled(label, input) {
  return el("label", { class: input.type === "checkbox" ? "field check" : "field" }, el("span", { text: label }), input);
}

const top = {
  hand: number(made.hand, 1, 20), rounds_each: number(made.rounds_each, 0, 50),
  animals_each: number(made.animals_each, 1, 9), reshuffle: el("input", { type: "checkbox", checked: made.reshuffle }),
};
const animalList = el("div", { class: "entries" });
const cardList = el("div", { class: "entries" });
const counted = el("span");
byId("editor").append(
  ...Object.entries(top).map(([key, input]) => labelled(say(`hide.set-${key}`), input)),
  el("h3", { text: say("hide.animals") }), animalList, el("button", { type: "button", onclick: () => editAnimal(null), text: say("hide.add-animal") }),
  el("h3", { text: `${say("hide.cards")} ` }, counted), cardList, el("button", { type: "button", onclick: () => editCard(null), text: say("hide.add-card") }));

function render() {
  animalList.replaceChildren(...animals.map((animal) =>
    el("button", { type: "button", onclick: () => editAnimal(animal) }, portrait(animal), el("span", { class: "name", text: nameOf(animal.name) }),
      el("span", { class: "pills" }, ...animal.colours.map((colour) => pill(colour))), el("b", { text: animal.speed }))));
  cardList.replaceChildren(...cards.map((kind) =>
    el("button", { type: "button", onclick: () => editCard(kind) }, kind.picture ? pictureOf(kind.picture) : icon(kind), el("span", { class: "name", text: nameOf(kind.name) }),
      el("span", { text: signed(kind.speed) }), el("b", { text: `× ${kind.count}` }))));
  set(counted, { text: `(${cards.reduce((sum, { count }) => sum + count, 0)})` });
}

/** @param {string} picture */
const pictureOf = (picture) => el("img", { class: "portrait", src: `/own/pictures/${picture}.jpg`, alt: "" });

form.addEventListener("submit", (event) => {
  event.preventDefault();
  keep({ text: asToml() });
});

/* One animal, or one kind of card */

const dialog = byId("entry", HTMLDialogElement);
// What is said while it is open stands in it: nothing outside can be read then.
dialog.addEventListener("close", () => document.body.append(byId("toast")));

/**
 * Ask for one entry; what is asked goes into the list, in the place of the one that was there.
 * @template {{name: string, picture: string}} T
 * @param {{list: T[], was: T | null, title: string, parts: (Node | null)[], read: () => T, fault: (entry: T) => string}} asked
 */
function ask({ list, was, title, parts, read, fault }) {
  const name = text(was?.name ?? "");
  const picture = pictureField(was?.picture ?? "");
  const label = was && known(`name.${was.name}`) ? `${say("hide.name")}: ${nameOf(was.name)}` : say("hide.name");
  const fields = el("form", { class: "sheet-body stack entry", method: "dialog" }, labelled(label, name), ...parts, picture.node,
    el("button", { class: "main", type: "submit", text: say("hide.done") }),
    was ? el("button", { type: "button", text: say("hide.remove"), onclick: () => { list.splice(list.indexOf(was), 1); done(); } }) : null);
  fields.addEventListener("submit", (event) => {
    const entry = { ...read(), name: name.value.trim(), picture: picture.value() };
    const twice = list.some((each) => each !== was && each.name === entry.name);
    const says = twice ? say("hide.fault-twice", { name: entry.name }) : fault(entry);
    if (says) {
      event.preventDefault();
      return toast(says, "refusal");
    }
    if (was) list.splice(list.indexOf(was), 1, entry);
    else list.push(entry);
    return done();
  });
  const close = el("button", { type: "button", class: "icon", "aria-label": say("web.close"), onclick: () => dialog.close(), text: "✕" });
  dialog.replaceChildren(el("header", {}, el("h2", { id: "entry-title", text: was ? nameOf(was.name) : title }), close), fields, byId("toast"));
  dialog.showModal();
}

function done() {
  dialog.close();
  render();
}

/** @param {Named<Animal> | null} was */
function editAnimal(was) {
  const { species, colours, speed, points, collector } = was ?? NEW_ANIMAL;
  const parts = { collector: el("input", { type: "checkbox", checked: collector }), species: choose(["cat", "dog"], species, "name"), colours: toggles(colours), speed: number(speed), points: number(points) };
  ask({
    list: animals, was, title: say("hide.add-animal"),
    parts: [parts.colours, row(labelled(say("hide.species"), parts.species), labelled(say("hide.speed"), parts.speed), labelled(say("hide.worth-points"), parts.points)),
      labelled(say("hide.collector"), parts.collector)],
    read: () => ({ ...NEW_ANIMAL, collector: parts.collector.checked, species: parts.species.value === "dog" ? "dog" : "cat", colours: picked(parts.colours), speed: parts.speed.valueAsNumber, points: parts.points.valueAsNumber }),
    fault: (animal) => ([1, 2].includes(animal.colours.length) ? "" : say("hide.fault-colours", { name: animal.name })),
  });
}

/** @param {Named<CardKind> | null} was */
function editCard(was) {
  const kind = was ?? NEW_CARD;
  const does = choose(Object.keys(ASKS), kind.does, "does");
  const parts = {
    count: number(kind.count, 0), speed: number(kind.speed), points: number(kind.points), slows: number(kind.slows ?? Math.abs(kind.speed), 0),
    colour: choose([...COLOURS, "rainbow"], kind.colour, "name"), gear: text(kind.gear || "gale-suit"), species: choose(["dog", "cat"], kind.species, "name"), colours: toggles(kind.colours),
  };
  const asked = LABELLED.map((key) => ({ key, label: labelled(say(key === "points" ? "hide.worth-points" : `hide.${key}`), parts[key]) }));
  const fit = () => {
    for (const { key, label } of asked) label.hidden = !ASKS[does.value].includes(key);
    parts.gear.disabled = !ASKS[does.value].includes("gear");
    parts.colours.hidden = does.value !== "enemy";
  };
  does.addEventListener("change", fit);
  fit();
  ask({
    list: cards, was, title: say("hide.add-card"),
    parts: [row(labelled(say("hide.does"), does), labelled(say("hide.count"), parts.count), labelled(say("hide.speed"), parts.speed)),
      parts.colours, row(...asked.map(({ label }) => label))],
    read: () => cardOf(does.value, parts),
    fault: (card) => (card.does === "enemy" && !card.colours.length ? say("hide.fault-enemy", { name: card.name }) : ""),
  });
}

/**
 * A kind of card with what its sort asks for.
 * @param {string} does
 * @param {Record<"count" | "speed" | "points" | "slows" | "gear", HTMLInputElement> & Record<"colour" | "species", HTMLSelectElement> & {colours: HTMLElement}} parts
 * @returns {Named<CardKind>}
 */
function cardOf(does, parts) {
  const asks = (/** @type {Own} */ key) => ASKS[does].includes(key);
  return {
    ...NEW_CARD,
    does: /** @type {CardKind["does"]} */ (does),
    count: parts.count.valueAsNumber,
    speed: parts.speed.valueAsNumber,
    colour: asks("colour") ? /** @type {CardKind["colour"]} */ (parts.colour.value) : null,
    colours: asks("colours") ? picked(parts.colours) : [],
    gear: asks("gear") ? parts.gear.value.trim() : "",
    species: asks("species") ? /** @type {CardKind["species"]} */ (parts.species.value) : null,
    slows: asks("slows") ? parts.slows.valueAsNumber : null,
    points: asks("points") ? parts.points.valueAsNumber : 0,
  };
}

/** @param {Node[]} parts */
const row = (...parts) => el("div", { class: "entry-row" }, ...parts);

/** @param {readonly string[]} values @param {string | null} chosen @param {string} name what their names begin with */
function choose(values, chosen, name) {
  return el("select", {}, ...values.map((value) => el("option", { value, selected: value === chosen, text: say(`${name}.${value}`) })));
}

/** @param {Element} button whether it is switched on */
const isOn = (button) => button.getAttribute("aria-pressed") === "true";

/** Colours to switch on and off, each a button. @param {string[]} chosen */
function toggles(chosen) {
  return el("div", { class: "seats", role: "group", "aria-label": say("hide.colour") }, ...COLOURS.map((colour) => {
    const button = el("button", { type: "button", "data-colour": colour, "aria-pressed": String(chosen.includes(colour)) }, pill(colour));
    return set(button, { onclick: () => set(button, { "aria-pressed": String(!isOn(button)) }) });
  }));
}

/** The colours that are switched on. @param {Element} group */
const picked = (group) => COLOURS.filter((colour) => isOn(query(group, `[data-colour="${colour}"]`)));

/** A field for a picture from the phone's camera; nothing where this table takes none. @param {string} was */
function pictureField(was) {
  let picture = was;
  const shown = el("span");
  const input = el("input", { type: "file", accept: "image/*", capture: "environment", "aria-label": say("hide.picture"), "data-too-large": form.dataset.tooLarge });
  const take = el("label", { class: "button photo" }, input, say("hide.picture"));
  const none = el("button", { type: "button", text: say("hide.no-picture"), onclick: () => show("") });
  function show(/** @type {string} */ now) {
    picture = now;
    shown.replaceChildren(...(now ? [pictureOf(now)] : []));
    shown.hidden = !now;
    none.hidden = !now;
  }
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (!file) return;
    take.setAttribute("aria-busy", "true");
    /** @type {OwnPicture | null} */
    const kept = await sendPhoto("/api/own/picture", file, input, (share) => take.style.setProperty("--sent", String(share)));
    take.removeAttribute("aria-busy");
    input.value = "";
    if (kept) show(kept.picture);
  });
  show(was);
  const takes = form.dataset.pictures !== undefined;
  return { node: takes || was ? el("div", { class: "row" }, shown, takes ? take : null, none) : null, value: () => picture };
}

/* The set as the text of its file */

/** A text as TOML takes it: JSON's way of writing one, without signs that cannot be shown. @param {string} value */
const quoted = (value) => JSON.stringify(value.trim().replace(/\p{Cc}/gu, ""));

/** @param {Record<string, string | number | boolean | string[]>} values those that are empty are left out */
function inline(values) {
  const written = Object.entries(values).filter(([, value]) => value !== "" && !(Array.isArray(value) && !value.length));
  const of = (/** @type {string | number | boolean | string[]} */ value) => (Array.isArray(value) ? `[${value.map(quoted).join(", ")}]` : typeof value === "string" ? quoted(value) : String(value));
  return `{ ${written.map(([key, value]) => `${key} = ${of(value)}`).join(", ")} }`;
}

function asToml() {
  const head = [
    `name = ${quoted(byId("own-name", HTMLInputElement).value)}`, `players = [${made.players.join(", ")}]`, `animals_each = ${top.animals_each.valueAsNumber}`,
    `hand = ${top.hand.valueAsNumber}`, `rounds_each = ${top.rounds_each.valueAsNumber}`, `reshuffle = ${top.reshuffle.checked}`,
  ];
  const lines = [
    ...head, "", "[animals]", ...animals.map(({ name, species, colours, speed, points, picture, collector }) =>
      `${quoted(name)} = ${inline({ species, colours, speed, points, picture, ...(collector ? { collector } : {}) })}`),
    "", "[cards]", ...cards.map((kind) => `${quoted(kind.name)} = ${cardToml(kind)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** @param {Named<CardKind>} kind */
function cardToml({ does, count, speed, picture, ...more }) {
  const asked = Object.fromEntries(ASKS[does].map((key) => [key, more[key] ?? ""]));
  return inline({ does, count, speed, ...asked, picture });
}

render();
