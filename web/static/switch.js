/** Another match on the table: begun, or gone on with. While one is being played, that is asked first. */

import { send } from "./act.js";
import { el } from "./dom.js";
import { say } from "./messages.js";

/** @import { MatchView, TableNow } from "./types.js" */

/**
 * Put the match on the table aside for another; then the table is shown.
 * @param {string} path
 * @param {object} [body]
 */
export async function switchMatch(path, body = {}) {
  const match = await matchNow();
  if (match && isPlayed(match) && !(await sure(match))) return;
  if (await send(path, { ...body, instead_of: match?.id })) location.assign("/");
}

/**
 * Go back to the match that was put aside for the one on the table.
 * @param {number} aside
 * @param {number} instead the match on the table
 */
export async function takeBack(aside, instead) {
  if (await send(`/api/matches/${aside}/resume`, { instead_of: instead })) location.assign("/");
}

/**
 * Begin the match on the table again: the same game, options, seats and players.
 * @param {number} match
 */
export async function again(match) {
  if (await send(`/api/matches/${match}/again`, { instead_of: match })) location.assign("/");
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

/** @param {MatchView} match @returns {Promise<boolean>} whether it is to be put aside */
function sure({ moves }) {
  return new Promise((resolve) => {
    const dialog = el("dialog", { class: "sheet", "aria-labelledby": "sure-title", "aria-describedby": "sure-how" });
    const choice = (/** @type {string} */ word, /** @type {string} */ kind, /** @type {string} */ value) =>
      el("button", { type: "button", class: kind, onclick: () => dialog.close(value), text: say(word) });
    dialog.append(el("header", {}, el("h2", { id: "sure-title", text: say("web.put-aside-sure") })),
      el("div", { class: "sheet-body stack" }, el("p", { id: "sure-how", text: say("web.put-aside-how", { moves }) }),
        el("div", { class: "row" }, choice("web.cancel", "", ""), choice("web.put-aside", "main", "yes"))));
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    };
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** @type {NodeListOf<HTMLElement>} */
const resuming = document.querySelectorAll("[data-resume]");
for (const button of resuming) button.onclick = () => switchMatch(`/api/matches/${button.dataset.resume}/resume`);
