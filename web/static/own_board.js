/** A board of one's own: squares are drawn with a tool, by finger, mouse or keys. */

import { byId, el, query, set } from "./dom.js";
import { squareName } from "./names.js";
import { form, keep } from "./own.js";

/** @typedef {[number, number]} Square row and column, from 0 */

const MOST_SIDE = 100;
/** @type {Record<string, Square>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

const grid = byId("grid");

/** What becomes of a sign over which another is drawn. @type {Record<string, string>} */
const blends = JSON.parse(form.dataset.blends ?? "{}");

/** What a square with each sign is: how it is drawn, and its name. @type {Map<string, {is: string, name: string}>} */
const kinds = new Map();
/** @type {NodeListOf<HTMLInputElement>} */
const tools = document.querySelectorAll("input[name=tool]");
for (const tool of tools) {
  const label = tool.closest("label");
  if (label) kinds.set(tool.value, { is: query(label, ".square").dataset.is ?? "", name: query(label, ".is").textContent ?? "" });
}
const plain = tools[0].value;

/** The drawing, row by row. @type {string[][]} */
const drawn = [...grid.children].map((row) => [...row.children].map((node) => node.getAttribute("data-was") ?? plain));
/** @type {Square} */
let cursor = [0, 0];
let drawing = false;

/** What a square with a sign is: both, where one sign stands for two (a toy in the zone). @param {string} sign */
function kindsOf(sign) {
  const two = Object.keys(blends).find((pair) => blends[pair] === sign && kinds.has(pair[0]) && kinds.has(pair[1]));
  return [...(two ?? sign)].map((each) => kinds.get(each) ?? { is: "pillow", name: each });
}

/** What stands on a square: its number, where squares have one, else the number of a pillow. @param {string} sign @param {number} number */
const textOn = (sign, number) => (form.dataset.numbered === undefined ? sign.replace(/\D/, "") : String(number));

function render() {
  grid.style.setProperty("--cols", String(drawn[0].length));
  grid.replaceChildren(...drawn.map((row, r) => el("div", {}, ...row.map((sign, c) =>
    el("span", { class: "square", "data-is": kindsOf(sign).map(({ is }) => is).join(" "), "data-at": r === cursor[0] && c === cursor[1], text: textOn(sign, r * row.length + c + 1) })))));
}

/** @param {Square} square */
function draw([r, c]) {
  const sign = [...tools].find((tool) => tool.checked)?.value ?? plain;
  cursor = [r, c];
  drawn[r][c] = blends[drawn[r][c] + sign] ?? sign;
  render();
}

/** The square under a pointer. @param {PointerEvent} event @returns {Square | null} */
function under(event) {
  const box = grid.getBoundingClientRect();
  const r = Math.floor(((event.clientY - box.top) / box.height) * drawn.length);
  const c = Math.floor(((event.clientX - box.left) / box.width) * drawn[0].length);
  return r >= 0 && c >= 0 && r < drawn.length && c < drawn[0].length ? [r, c] : null;
}

grid.addEventListener("pointerdown", (event) => {
  const square = under(event);
  if (!square || event.button) return;
  drawing = true;
  grid.setPointerCapture(event.pointerId);
  draw(square);
});
grid.addEventListener("pointermove", (event) => {
  const square = drawing ? under(event) : null;
  if (square && (square[0] !== cursor[0] || square[1] !== cursor[1])) draw(square);
});
const ends = () => {
  drawing = false;
};
grid.addEventListener("pointerup", ends);
grid.addEventListener("pointercancel", ends);

grid.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (step) {
    const within = (/** @type {number} */ value, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, value));
    cursor = [within(cursor[0] + step[0], drawn.length), within(cursor[1] + step[1], drawn[0].length)];
    render();
  } else if (event.key === "Enter" || event.key === " ") draw(cursor);
  else return;
  event.preventDefault();
  const sign = drawn[cursor[0]][cursor[1]];
  const where = form.dataset.numbered === undefined ? squareName(cursor) : textOn(sign, cursor[0] * drawn[0].length + cursor[1] + 1);
  set(byId("grid-said"), { text: `${where}: ${kindsOf(sign).map(({ name }) => name).join(", ")}` });
});

/** The number in a field; what it was `before` where that is none. @param {HTMLInputElement} field @param {number} before */
function size(field, before) {
  const count = Number.isInteger(field.valueAsNumber) ? Math.max(1, Math.min(MOST_SIDE, field.valueAsNumber)) : before;
  field.valueAsNumber = count;
  return count;
}

function resize() {
  const rows = size(byId("own-rows", HTMLInputElement), drawn.length);
  const cols = size(byId("own-cols", HTMLInputElement), drawn[0].length);
  while (drawn.length < rows) drawn.push([]);
  drawn.length = rows;
  for (const row of drawn) {
    while (row.length < cols) row.push(plain);
    row.length = cols;
  }
  cursor = [0, 0];
  render();
}

for (const id of ["own-rows", "own-cols"]) byId(id).addEventListener("change", resize);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  keep({ rows: drawn.map((row) => row.join("")), like: form.dataset.like });
});
render();
