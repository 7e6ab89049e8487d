/** A deck of one's own: each number is set with a tap, and numbers that make up a whole are added up. */

import { query } from "./dom.js";
import { form, keep } from "./own.js";

/** @typedef {{input: HTMLInputElement, steps: HTMLButtonElement[]}} Row */

/** @type {Row[]} */
const rows = [...form.querySelectorAll(".number")].map((row) => ({
  input: query(row, "input", HTMLInputElement),
  steps: ["-1", "1"].map((step) => query(row, `[data-step="${step}"]`, HTMLButtonElement)),
}));

/** The number that a press of a button makes, within the bounds. @param {HTMLInputElement} input @param {number} step */
const stepped = (input, step) => Math.max(Number(input.min), Math.min(Number(input.max), (input.valueAsNumber || 0) + step));

for (const { input, steps } of rows) {
  for (const button of steps) {
    button.addEventListener("click", () => {
      input.valueAsNumber = stepped(input, Number(button.dataset.step));
      addUp();
    });
  }
}

function addUp() {
  // A button that can do no more stays one: it would lose the focus of who works it by keys.
  for (const { input, steps } of rows) {
    for (const button of steps) button.setAttribute("aria-disabled", String(stepped(input, Number(button.dataset.step)) === input.valueAsNumber));
  }
  for (const sum of form.querySelectorAll("[data-sum]")) {
    const part = sum.closest("fieldset");
    const counted = rows.filter(({ input }) => part?.contains(input));
    sum.textContent = String(counted.reduce((total, { input }) => total + (input.valueAsNumber || 0), 0));
  }
}

form.addEventListener("input", addUp);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  keep({ numbers: Object.fromEntries(rows.map(({ input }) => [input.name, input.valueAsNumber])) });
});
addUp();
