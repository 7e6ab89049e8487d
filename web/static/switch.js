/** Another match on the table: begun, or gone on with. While one is being played, that is asked first. */

import { send } from "./act.js";
import { say } from "./messages.js";

/** @import { MatchView, TableNow } from "./types.js" */

/**
 * Put the match on the table aside for another; then the table is shown.
 * @param {string} path
 * @param {object} [body]
 */
export async function switchMatch(path, body = {}) {
  const instead = await agreed();
  if (instead !== null && (await send(path, { ...body, instead_of: instead }))) location.assign("/");
}

/** The match on the table that another may take the place of; undefined where nobody answers, null where it is still played and shall stay. */
export async function agreed() {
  const match = await matchNow();
  return match && isPlayed(match) && !(await sure(match)) ? null : match?.id;
}

/**
 * Go back to the match that was put aside for the one on the table.
 * @param {number} aside
 * @param {number} instead the match on the table
 */
export async function takeBack(aside, instead) {
  if (await send(`/api/matches/${aside}/resume`, { instead_of: instead })) location.assign("/");
}

/** The match on the table now, whatever this page shows; null where nobody answers. @returns {Promise<MatchView | null>} */
async function matchNow() {
  const answer = await fetch("/api/table").catch(() => null);
  if (!answer?.ok) return null;
  /** @type {TableNow} */
  const { match } = await answer.json();
  return match;
}

/** @param {MatchView} match whether somebody would miss it */
const isPlayed = ({ moves, outcome }) => moves > 0 && !outcome;

const ASIDE = { title: "web.put-aside-sure", how: "web.put-aside-how", yes: "web.put-aside" };

/** Ask first; the question comes when it is needed. @param {MatchView} match */
const sure = async ({ moves }) => (await import("/static/sure.js")).sure(ASIDE, moves, say);

/** @type {NodeListOf<HTMLElement>} */
const resuming = document.querySelectorAll("[data-resume]");
for (const button of resuming) button.onclick = () => switchMatch(`/api/matches/${button.dataset.resume}/resume`);
