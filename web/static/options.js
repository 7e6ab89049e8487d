/** The options of a game, as a form has them. */

import { say } from "./messages.js";
import { toast } from "./toast.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/**
 * The options by name; null (and said) when something in a field cannot be read.
 * @param {HTMLFormElement} form
 * @returns {Record<string, unknown> | null}
 */
export function optionsOf(form) {
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
  return options;
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
