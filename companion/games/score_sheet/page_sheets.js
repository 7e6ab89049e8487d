/** The sheets that open over a score sheet: the throws with their odds; the note and pictures of a round. */

import { el } from "/static/dom.js";
import { say } from "/static/messages.js";
import { percentNumber } from "/static/numbers.js";

/** @import { MovesPictured } from "/static/types.js" */
/** @import { Chance, Now, SheetView, ThrowView } from "./page_types.js" */

/** @typedef {(thrown: ThrowView) => string} ThrownSaid */

/** @param {Chance} chance */
const exact = ({ part, of, chance }) => `${part}/${of} (${percentNumber(chance)} %)`;

/**
 * The throws, the newest first, with their exact chances.
 * @param {SheetView} board @param {{seatName: (seat: string) => string, thrownSaid: ThrownSaid}} page what the page's own modules give
 */
export function odds({ throws }, { seatName, thrownSaid }) {
  const heads = ["throw", "as-sum", "at-least", "just-these"].map((key) => el("th", { scope: "col", text: say(`points.${key}`) }));
  return el("div", { class: "odds" }, el("p", { text: thrownSaid(throws[0]) }), el("p", { class: "quiet", text: say("points.exact") }),
    el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...throws.map((each) => el("tr", {},
      el("td", {}, `${seatName(each.seat)}: ${each.dice.join(" ")} = `, el("b", { text: each.sum })),
      ...[each.as_sum, each.at_least, each.just_these].map((chance) => el("td", { text: exact(chance) })))))));
}

/** The pictures of a round that the camera kept. @param {Now["match"]} match @param {number} round */
async function picturesOf({ id, board }, round) {
  const address = `/api/matches/${id}/pictures`;
  const answer = await fetch(address).catch(() => null);
  /** @type {MovesPictured | null} */
  const kept = answer?.ok ? await answer.json() : null;
  const numbers = kept?.pictures.slice(board.began[round - 1], board.began[round]).filter(Boolean) ?? [];
  return numbers.map((picture) => el("img", { class: "picture", src: `${address}/${picture}`, alt: say("points.picture", { round }) }));
}

/**
 * @param {Now["match"]} match @param {number} round
 * @param {{thrownSaid: ThrownSaid, go: (round: number) => void, note: (text: string) => unknown}} does
 * @returns {Promise<Node[]>}
 */
export async function roundSheet(match, round, { thrownSaid, go, note }) {
  const { board } = match;
  const input = el("input", { value: board.notes[round] ?? "", maxlength: 200, autocomplete: "off", "aria-label": say("points.words") });
  const write = el("form", { class: "row note" }, input, el("button", { type: "submit", class: "main", text: say("web.save") }));
  write.onsubmit = (event) => {
    event.preventDefault();
    note(input.value.trim());
  };
  const step = (/** @type {number} */ to, /** @type {string} */ text) => el("button", { type: "button", class: "icon", "aria-label": say("points.round", { round: to }), disabled: to < 1 || to > board.began.length, text, onclick: () => go(to) });
  const throws = board.throws.filter(({ line }) => line === round).reverse();
  const pictures = await picturesOf(match, round);
  return [el("div", { class: "stack" }, el("div", { class: "row" }, step(round - 1, "◀"), step(round + 1, "▶")),
    board.outcome ? el("p", { text: input.value }) : write,
    ...(throws.length ? [el("ul", {}, ...throws.map((each) => el("li", { text: thrownSaid(each) })))] : []),
    ...(pictures.length ? pictures : [el("p", { class: "quiet", text: say("points.no-picture") })]))];
}
