/** A kept match is changed: its title, taking it off the list, a move put right. */

import { giveMoves, post, send } from "./act.js";
import { byId, el, query, set } from "./dom.js";
import { shown } from "./live.js";
import { seatLabel } from "./names.js";
import { toast } from "./toast.js";
import { say } from "./messages.js";

/** @import { Corrected, StandingOf } from "./types.js" */

const address = () => `/api/matches/${shown().match.id}`;
/** How many entries the match has, as the page came: what changed since is not corrected unseen. */
let entries = -1;

/**
 * Make the buttons work that change a kept match.
 * @param {() => number} at which move is shown now
 * @param {(moves: number) => void} look show the match after so many moves
 */
export function changing(at, look) {
  if (!document.getElementById("correct")) return;
  entries = shown().match.n;
  document.getElementById("title-form")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await send(`${address()}/title`, { title: byId("title-of", HTMLInputElement).value })) location.reload();
  });
  const remove = document.getElementById("remove");
  if (remove) remove.onclick = async () => (await send(`${address()}/remove`)) && location.assign("/history?removed=1");
  byId("correct").onclick = () => begin(at(), look);
}

/** @param {number} number the open move to put right @param {(moves: number) => void} look */
function begin(number, look) {
  if (!number) return toast(say("look.no-move"), "refusal");
  const box = byId("correcting");
  box.hidden = false;
  set(document.documentElement, { "data-correcting": true });
  look(number - 1);
  set(query(box, "p"), { text: say("look.correct-how", { number }) });
  const end = () => {
    giveMoves(null);
    box.hidden = true;
    set(document.documentElement, { "data-correcting": null });
    look(number);
  };
  const propose = async (/** @type {object | null} */ move) => {
    await ask({ number, move, n: entries });
    return null;
  };
  giveMoves(propose);
  byId("never").onclick = () => propose(null);
  byId("no-correction").onclick = end;
  box.scrollIntoView({ block: "nearest" });
  return undefined;
}

/** Say what a correction changes; then it is kept, or not. @param {{number: number, move: object | null, n: number}} wanted */
async function ask(wanted) {
  /** @type {Corrected | null} */
  const what = await post(`${address()}/correct`, wanted);
  if (!what) return;
  const dialog = el("dialog", { class: "sheet", "aria-labelledby": "correct-title" });
  const choice = (/** @type {string} */ word, /** @type {string} */ kind, /** @type {string} */ value) =>
    el("button", { type: "button", class: kind, onclick: () => dialog.close(value), text: say(word) });
  dialog.append(el("header", {}, el("h2", { id: "correct-title", text: say("look.correct-title", { number: wanted.number }) })),
    el("div", { class: "sheet-body stack" },
      el("p", { text: say("look.standing-before", { standing: standing(what.before) }) }),
      el("p", { text: say("look.standing-after", { standing: standing(what.after) }) }),
      el("p", { text: what.lost.length ? say("look.lost", { moves: what.lost.length }) : say("look.none-lost") }),
      el("ul", { class: "list" }, ...what.lost.map(({ number, move, says }) => el("li", { text: `${number}. ${move}: ${says}` }))),
      el("div", { class: "row" }, choice("web.cancel", "", ""), choice("look.correct-it", "main", "yes"))));
  dialog.onclose = async () => {
    dialog.remove();
    if (dialog.returnValue === "yes" && (await send(`${address()}/correct`, { ...wanted, keep: true }))) location.reload();
  };
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {StandingOf} how */
function standing({ moves, standing: has, outcome }) {
  const points = Object.entries(outcome && Object.keys(outcome.points).length ? outcome.points : has).map(([seat, is]) => `${seatLabel(seat)} ${is}`);
  const won = outcome?.winners.length ? say("look.won", { names: new Intl.ListFormat(document.documentElement.lang).format(outcome.winners.map(seatLabel)) }) : "";
  return [points.join(" : "), won, say("web.moves", { moves })].filter(Boolean).join(" · ");
}
