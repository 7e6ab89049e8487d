/** Begin another match: the games to choose from, and a form for each. */

import { switchMatch } from "./switch.js";
import { toast } from "./toast.js";
import { say } from "./messages.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll("form[data-game]");

/** @type {NodeListOf<HTMLInputElement>} */
const games = document.querySelectorAll("input[name=game]");
for (const each of games) each.addEventListener("change", () => showForm()?.scrollIntoView({ block: "nearest" }));
// A browser that comes back to the page keeps what was chosen.
showForm();

/** Show the form of the game that is chosen, and give it. */
function showForm() {
  const chosen = [...games].find((each) => each.checked)?.value;
  for (const form of forms) form.hidden = form.dataset.game !== chosen;
  return [...forms].find((form) => !form.hidden);
}

for (const form of forms) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = asked(form);
    if (body) await switchMatch("/api/matches", body);
  });
}

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
