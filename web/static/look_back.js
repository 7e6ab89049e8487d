/** Looking back at a kept match: a slider through its moves, the course of the points as a small chart, and a picture to share. */

import { send } from "./act.js";
import { courseChart, markAt } from "./course_chart.js";
import { changing } from "./correct.js";
import { byId, query, set } from "./dom.js";
import { lastMoves } from "./last_moves.js";
import { onNews, shown, take } from "./live.js";
import { movePictures } from "./move_pictures.js";
import { seatLabel, seatName } from "./names.js";
import { say } from "./messages.js";
import { percent } from "./numbers.js";

/** @import { Course } from "./types.js" */

const box = document.getElementById("look-back");
/** @type {Course | null} */
let course = null;
let wanted = 0;
let asking = false;
/** Shows the picture of a move, on a page whose match has pictures. @type {((move: number) => void) | null} */
let pictureOf = null;

/** @param {HTMLElement} at */
async function begin(at) {
  const slider = query(at, "input", HTMLInputElement);
  slider.oninput = () => look(Number(slider.value));
  byId("look-before").onclick = () => look(Number(slider.value) - 1);
  byId("look-after").onclick = () => look(Number(slider.value) + 1);
  for (const button of document.querySelectorAll("[data-look]")) {
    button.addEventListener("click", () => look(Number(button.getAttribute("data-look"))));
  }
  wanted = Number(slider.value);
  changing(() => wanted, look);
  pictureOf = movePictures();
  const answer = await fetch(`${address()}/course`).catch(() => null);
  if (!answer?.ok) return;
  course = await answer.json();
  byId("look-chart").replaceChildren(...(course ? chart(course) : []));
  said();
}

/** What each seat has had; in a game that counts nothing up, its chances. @param {Course} of */
function chart({ seats, standing, trend }) {
  if (standing.length || !trend?.length) return courseChart({ seats, standing }, say("look.course"), seatLabel);
  return courseChart({ seats: Object.keys(trend[0]), standing: trend }, say("look.course"), say, percent);
}

const address = () => `/api/matches/${shown().match.id}`;

/** Show the match after so many moves; of several asked for while one comes, the last. @param {number} moves */
export async function look(moves) {
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

/** Which move is shown, and where it stands in the chart. */
function said() {
  const slider = query(byId("look-back"), "input", HTMLInputElement);
  const text = wanted ? say("look.move", { number: wanted, moves: slider.max }) : say("look.start");
  set(byId("look-said"), { text });
  set(slider, { "aria-valuetext": text });
  pictureOf?.(wanted);
  for (const line of byId("look-chart").querySelectorAll(".now-at")) set(line, { d: markAt(wanted, course?.moves.length ?? 0) });
}

lastMoves(onNews, seatName);
document.getElementById("share")?.addEventListener("click", async () => (await import("/static/share.js")).share(shown().match, seatLabel));
if (box) begin(box);

for (const remover of document.querySelectorAll("[data-remove]")) {
  remover.addEventListener("click", async () => {
    if (await send(remover.getAttribute("data-remove") ?? "")) remover.closest("details")?.remove();
  });
}
