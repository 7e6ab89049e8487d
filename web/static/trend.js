/** How points or chances have gone so far, as a small chart on the page of a live match. It comes after the first view. */

import { courseChart } from "./course_chart.js";
import { el } from "./dom.js";
import { percent } from "./numbers.js";

/** @import { Course, TableNow } from "./types.js" */

/** What each line showed after a number of moves; null where this phone was not there. @typedef {(Record<string, number> | null)[]} Trend */

const LOOKS = "looks-of-charts";

/**
 * Draw the chart in a box, now and at every news.
 * @param {HTMLElement} box its `data-trend` names each line by a key of the words, with the place of its value in the
 *   board's view; empty: what the match itself counts up for each seat
 * @param {(tell: (now: TableNow) => void) => void} onNews
 * @param {{label: (seat: string) => string, say: (key: string) => string}} words
 */
export function trend(box, onNews, { label, say }) {
  /** @type {Record<string, string>} */
  const places = JSON.parse(box.dataset.trend || "{}");
  const isOfSeats = !Object.keys(places).length;
  document.head.append(el("link", { id: LOOKS, rel: "stylesheet", href: "/static/course_chart.css" }));
  let match = -1;
  /** @type {Trend} */
  let so = [];
  onNews(async ({ match: { id, moves, standing, board } }) => {
    if (id !== match) {
      match = id;
      so = JSON.parse(sessionStorage.getItem(`trend-${id}`) ?? "[]");
      if (isOfSeats) so = await before(id);
    }
    so.length = moves + 1; // what was undone is no part of it
    so[moves] = isOfSeats ? standing : Object.fromEntries(Object.entries(places).map(([key, place]) => [key, valueAt(board, place)]));
    sessionStorage.setItem(`trend-${id}`, JSON.stringify(so));
    if (isOfSeats) draw(box, so, label);
    else draw(box, so, say, percent);
  });
}

/** What was counted up before this page came. @param {number} id @returns {Promise<Trend>} */
async function before(id) {
  const answer = await fetch(`/api/matches/${id}/course`).catch(() => null);
  /** @type {Course} */
  const { standing } = answer?.ok ? await answer.json() : { standing: [] };
  return standing;
}

/** A number, or a fraction that is a text, in a view. @param {unknown} view @param {string} place names and numbers with dots between */
function valueAt(view, place) {
  const value = place.split(".").reduce((part, name) => (part === null || part === undefined ? part : Reflect.get(Object(part), name)), view);
  const [above, below = "1"] = String(value ?? 0).split("/");
  return Number(above) / Number(below);
}

/** @param {HTMLElement} box @param {Trend} so @param {(line: string) => string} label @param {(value: number) => string} [written] */
function draw(box, so, label, written) {
  const known = so.filter((each) => each !== null && each !== undefined);
  if (known.length < 2) return box.replaceChildren();
  const standing = /** @type {Course["standing"]} */ (known);
  const seats = Object.keys(standing[0]);
  return box.replaceChildren(...courseChart({ seats, standing }, document.title, label, written));
}
