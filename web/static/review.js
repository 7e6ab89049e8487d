/** What the table's player thinks of a kept match: how it expected the match to end, and remarks on moves. */

import { courseChart } from "./course_chart.js";
import { byId, el, redraw } from "./dom.js";
import { shown } from "./live.js";
import { look } from "./look_back.js";
import { seatLabel } from "./names.js";
import { percent } from "./numbers.js";

/** @import { ReviewNow } from "./types.js" */

const AGAIN_MS = 2000;
const MOST_ASKED = 60; // two minutes: a board that is still not ready then has given up

/** Ask until the review is made. @param {number} asked how often it was asked before */
async function ask(asked = 0) {
  const answer = await fetch(`/api/matches/${shown().match.id}/review`).catch(() => null);
  /** @type {ReviewNow | null} */
  const review = answer?.ok ? await answer.json() : null;
  if (review?.ready) show(review);
  else if (review && asked < MOST_ASKED) setTimeout(() => ask(asked + 1), AGAIN_MS);
  else byId("review").remove();
}

/** @param {ReviewNow} review */
function show({ course, remarks }) {
  byId("review-waits").remove();
  const chart = byId("review-chart");
  chart.hidden = false;
  const { trend } = course;
  const title = chart.dataset.title ?? "";
  redraw(chart, ...(trend?.length ? courseChart({ ...course, standing: trend }, title, seatLabel, percent) : courseChart(course, title, seatLabel)));
  redraw(byId("review-remarks"), ...remarks.map(({ number, says }) => {
    if (!number) return el("li", {}, says);
    const button = el("button", { type: "button" }, says);
    button.onclick = () => look(number);
    return el("li", {}, button);
  }));
}

ask();
