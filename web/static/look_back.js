/** Looking back at a kept match: a slider through its moves, and the course of the points as a small chart. */

import { send } from "./act.js";
import { byId, el, query, set, svg } from "./dom.js";
import { shown, take } from "./live.js";
import { seatLabel } from "./names.js";
import { say } from "./messages.js";

/** @import { Course } from "./types.js" */

const WHOLE = { width: 300, height: 60 };
const MOST_LINES = 5; // kinds of line that can be told apart without colour

const box = document.getElementById("look-back");
/** @type {Course | null} */
let course = null;
let wanted = 0;
let asking = false;

/** @param {HTMLElement} at */
async function begin(at) {
  const slider = query(at, "input", HTMLInputElement);
  slider.oninput = () => look(Number(slider.value));
  byId("look-before").onclick = () => look(Number(slider.value) - 1);
  byId("look-after").onclick = () => look(Number(slider.value) + 1);
  wanted = Number(slider.value);
  const answer = await fetch(`${address()}/course`).catch(() => null);
  if (!answer?.ok) return;
  course = await answer.json();
  chart();
  said();
}

const address = () => `/api/matches/${shown().match.id}`;

/** Show the match after so many moves; of several asked for while one comes, the last. @param {number} moves */
async function look(moves) {
  const slider = query(byId("look-back"), "input", HTMLInputElement);
  wanted = Math.max(0, Math.min(Number(slider.max), moves));
  slider.value = String(wanted);
  said();
  if (asking) return;
  asking = true;
  try {
    for (let asked = -1; asked !== wanted; ) {
      asked = wanted;
      const answer = await fetch(`${address()}/at/${asked}`);
      if (answer.ok) take(await answer.json());
    }
  } catch {
    // The page keeps what it showed; the next touch of the slider asks again.
  } finally {
    asking = false;
  }
}

/** Which move is shown, in the notation, and where it stands in the chart. */
function said() {
  const slider = query(byId("look-back"), "input", HTMLInputElement);
  const move = course?.moves[wanted - 1] ?? "";
  const text = wanted ? say("look.move", { number: wanted, moves: slider.max, move }) : say("look.start");
  set(byId("look-said"), { text });
  set(slider, { "aria-valuetext": text });
  const x = course?.moves.length ? (WHOLE.width * wanted) / course.moves.length : 0;
  for (const line of byId("look-chart").querySelectorAll(".now-at")) set(line, { d: `M${x} 0V${WHOLE.height}` });
}

/** The course as one line a seat; the same in words for who cannot see it. */
function chart() {
  const figure = byId("look-chart");
  if (!course?.standing.length) return;
  const { seats, standing } = course;
  const most = Math.max(1, ...standing.flatMap((each) => Object.values(each)));
  const least = Math.min(0, ...standing.flatMap((each) => Object.values(each)));
  const last = Math.max(1, standing.length - 1);
  const y = (/** @type {number} */ value) => (WHOLE.height - 3 - ((WHOLE.height - 6) * (value - least)) / (most - least)).toFixed(1);
  const line = (/** @type {string} */ seat, /** @type {number} */ n) => svg("path", { class: `course line-${n % MOST_LINES}`,
    d: standing.map((each, i) => `${i ? "L" : "M"}${((WHOLE.width * i) / last).toFixed(1)} ${y(each[seat] ?? 0)}`).join("") });
  const words = seats.map((seat) => `${seatLabel(seat)} ${standing[standing.length - 1][seat] ?? 0}`).join(", ");
  const picture = svg("svg", { viewBox: `0 0 ${WHOLE.width} ${WHOLE.height}`, preserveAspectRatio: "none", role: "img", "aria-label": `${say("look.course")}: ${words}` },
    ...seats.map(line), svg("path", { class: "now-at" }));
  const names = seats.map((seat, n) => el("span", {}, svg("svg", { viewBox: "0 0 24 8", "aria-hidden": "true" }, svg("path", { class: `course line-${n % MOST_LINES}`, d: "M1 4H23" })), seatLabel(seat)));
  figure.replaceChildren(picture, el("figcaption", { class: "quiet" }, ...names));
}

if (box) begin(box);

const remover = document.querySelector("#kept-photos [data-remove]");
remover?.addEventListener("click", async () => {
  if (await send(remover.getAttribute("data-remove") ?? "")) byId("kept-photos").remove();
});
