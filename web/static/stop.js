/** Stops the match on the table early, with the score so far. */

import { set } from "./dom.js";
import { sure } from "./sure.js";

/** @import { Page } from "./later.js" */

const STOP = { title: "web.stop-sure", how: "web.stop-how", yes: "web.stop-match" };

/** @param {Page["onNews"]} onNews @param {Pick<Page, "say" | "send">} page */
export function stops(onNews, { say, send }) {
  const button = document.getElementById("stop");
  if (!button) return;
  const stop = async (/** @type {number} */ moves) => (await sure(STOP, moves, say)) && send("/api/moves", { move: { move: "stop" } });
  onNews(({ match: { moves, outcome } }) => set(button, { hidden: !moves || Boolean(outcome), onclick: () => stop(moves) }));
}
