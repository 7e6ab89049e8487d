/** A sheet of one's own: a field for each key of its file. */

import { byId, el } from "/static/dom.js";
import { say } from "/static/messages.js";
import { form, keep } from "/static/own.js";

/** @import { Sheet } from "./page_types.js" */

const CHOICES = { entries: ["rounds", "free"], counts: ["up", "down"], wins: ["most", "least"], starter: ["moves", "stays"] };
const MOST = { start: 99999, target: 99999, rounds: 99, dice: 12 };

/** @type {Sheet} */
const made = JSON.parse(form.dataset.made ?? "");

/** @param {keyof typeof CHOICES} key */
const choice = (key) => el("select", {}, ...CHOICES[key].map((value) => el("option", { value, selected: value === made[key], text: say(`own-sheet.${key}-${value}`) })));
/** @param {keyof typeof MOST} key @param {number} [least] */
const number = (key, least = -MOST[key]) => el("input", { type: "number", value: made[key] ?? "", min: least, max: MOST[key], required: key !== "target" });

const parts = {
  entries: choice("entries"), rounds: number("rounds", 0), rows: el("textarea", { rows: 4 }, made.rows.join("\n")), counts: choice("counts"), start: number("start"),
  wins: choice("wins"), target: number("target"), starter: choice("starter"), dice: number("dice", 0),
};
byId("editor").append(...Object.entries(parts).map(([key, input]) => el("label", { class: "field" }, el("span", { text: say(`own-sheet.${key}`) }), input)));

/** A text as TOML takes it: JSON's way of writing one, without signs that cannot be shown. @param {string} value */
const quoted = (value) => JSON.stringify(value.trim().replace(/\p{Cc}/gu, ""));

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const rows = parts.rows.value.split("\n").filter((row) => row.trim()).map(quoted);
  const values = Object.entries(parts).filter(([key, input]) => key !== "rows" && input.value !== "").map(([key, input]) => `${key} = ${input instanceof HTMLSelectElement ? quoted(input.value) : input.value}`);
  keep({ text: `${[`name = ${quoted(byId("own-name", HTMLInputElement).value)}`, ...values, `rows = [${rows.join(", ")}]`].join("\n")}\n` });
});
