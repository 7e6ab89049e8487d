/** Begin another match: the games to choose from, and a form for each. */

import { optionsOf } from "./options.js";
import { switchMatch } from "./switch.js";

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
  const options = optionsOf(form);
  if (!options) return null;
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
