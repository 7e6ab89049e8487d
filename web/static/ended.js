/** The end of a match: who won, what decided it, and the course of the points. It comes once a match is over. */

import { courseChart } from "./course_chart.js";
import { el } from "./dom.js";

const LOOKS = "looks-of-charts";

/** @import { Course, Ending } from "./types.js" */

/**
 * Fill a box with how a match ended; nothing where nobody answers.
 * @param {HTMLElement} box
 * @param {number} match
 * @param {(seat: string) => string} label what a seat is called
 */
export async function ended(box, match, label) {
  const [ending, course] = await Promise.all(["ending", "course"].map((what) => asked(`/api/matches/${match}/${what}`)));
  if (!ending || !course) return;
  const { won, why } = /** @type {Ending} */ (ending);
  if (!document.getElementById(LOOKS)) document.head.append(el("link", { id: LOOKS, rel: "stylesheet", href: "/static/course_chart.css" }));
  // A live match has drawn its course on the page already.
  const isDrawn = document.getElementById("trend")?.checkVisibility();
  const chart = isDrawn ? [] : courseChart(/** @type {Course} */ (course), document.title, label);
  box.replaceChildren(el("h2", { text: won }), ...why.map((text) => el("p", { text })),
    ...(chart.length ? [el("figure", { class: "course-chart" }, ...chart)] : []));
}

/** @param {string} path */
async function asked(path) {
  const answer = await fetch(path).catch(() => null);
  return answer?.ok ? answer.json() : null;
}
