/** Begin another match, from the form of a game's options. */

import { send } from "./act.js";
import { byId } from "./dom.js";
import { switchMatch } from "./switch.js";
import { toast } from "./toast.js";
import { say } from "./messages.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

if (location.hash === "#new") document.getElementById("new")?.setAttribute("open", "");

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll("form[data-game]");

document.getElementById("which")?.addEventListener("change", () => {
  const game = byId("which", HTMLSelectElement).value;
  for (const form of forms) form.hidden = form.dataset.game !== game;
});

for (const form of forms) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = asked(form);
    if (body) await switchMatch("/api/matches", body);
  });
}

document.getElementById("names")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = byId("names").querySelectorAll("[data-seat]");
  const players = Object.fromEntries([...inputs].map((input) => [input.dataset.seat, input.value]));
  if (await send("/api/players", { players })) toast(say("web.done"));
});

for (const form of forms) {
  const count = seatCount(form);
  count?.addEventListener("change", () => {
    /** @type {NodeListOf<HTMLElement>} */
    const fields = form.querySelectorAll("[data-counts]");
    for (const field of fields) field.hidden = !field.dataset.counts?.split(" ").includes(count.value);
  });
}

/**
 * The field that says how many play; null in the form of a game that has one number of seats.
 * @param {HTMLFormElement} form
 * @returns {HTMLSelectElement | null}
 */
function seatCount(form) {
  return form.querySelector("select[name=seats]");
}

/**
 * What the form asks for; null (and said) when something in it cannot be read.
 * @param {HTMLFormElement} form
 */
function asked(form) {
  /** @type {Record<string, unknown>} */
  const options = {};
  /** @type {NodeListOf<Field>} */
  const inputs = form.querySelectorAll("[data-option]");
  for (const input of inputs) {
    const option = input.dataset.option ?? "";
    const value = valueOf(input);
    if (value === undefined) {
      toast(say("web.not-a-value", { field: input.labels?.[0]?.textContent ?? option }), "refusal");
      input.focus();
      return null;
    }
    options[option] = value;
  }
  /** @type {Record<string, string>} */
  const players = {};
  /** @type {NodeListOf<HTMLInputElement>} */
  const names = form.querySelectorAll("[data-counts]:not([hidden]) [data-seat]");
  for (const { dataset, value } of names) if (dataset.seat && value.trim()) players[dataset.seat] = value.trim();
  const seats = seatCount(form);
  /** @type {HTMLInputElement | null} */
  const lot = form.querySelector("[data-lot]");
  return { game: form.dataset.game, options, players, lot: Boolean(lot?.checked), seats: seats ? Number(seats.value) : null };
}

/**
 * What stands in a field, as its kind of value; undefined where it cannot be read.
 * @param {Field} input
 * @returns {unknown}
 */
function valueOf(input) {
  if (input instanceof HTMLInputElement && input.dataset.kind === "boolean") return input.checked;
  if (input instanceof HTMLInputElement && input.dataset.kind === "number") return Number.isNaN(input.valueAsNumber) ? undefined : input.valueAsNumber;
  if (input.dataset.kind === "text") return input.value;
  try {
    return JSON.parse(input.value);
  } catch {
    return undefined;
  }
}
