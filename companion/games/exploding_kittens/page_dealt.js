/** Where the table deals its own cards, a phone plays its own seat, with the cards of its hand. */

import { play } from "/static/act.js";
import { say } from "/static/messages.js";
import { seatName } from "/static/names.js";
import { button } from "./page_sheets.js";

/** @import { Now } from "./page_types.js" */

/** How many cards of a kind this phone's seat holds. @param {Now} now @param {string} card */
const holds = ({ match }, card) => match.board.mine?.hand.find((each) => each.card === card)?.count ?? 0;

/** The place of the kitten that this phone's seat has to choose now. @param {Now} now */
export const mustHide = ({ match }) => match.board.mine?.asks.find(({ what }) => what === "hid");

/** Whether this phone may play a card or draw now. @param {Now} now */
export function mayAct(now) {
  const { match, dealt, seat } = now;
  return !dealt || (match.turn === seat && !dealt.waits && !dealt.in_secret);
}

/** Whether this phone may stop the last card, which another player laid. @param {Now} now */
export function mayNope(now) {
  const deed = now.match.board.last?.deed;
  return Boolean(now.dealt?.waits && deed && (deed.nopes?.at(-1) ?? deed.seat) !== now.seat && holds(now, "nope"));
}

/** What the match waits for before the next turn goes on; empty for nothing. @param {Now} now */
export function dealtSaid({ dealt, seat }) {
  if (dealt?.waits) return say("boom.waits");
  if (!dealt?.in_secret) return "";
  return dealt.in_secret === seat ? say("boom.hide-it") : say("boom.hides", { seat: seatName(dealt.in_secret) });
}

/** The one or two things that end a turn. @param {Now} now */
export function dealtDraws(now) {
  if (!mayAct(now)) return [];
  if (now.match.board.phase !== "kitten") return [button("boom.draw-card", () => play({ move: "draw" }), "", { class: "main wide" })];
  return holds(now, "defuse")
    ? [button("boom.play-defuse", () => play({ move: "defuse" }), "defuse", { class: "main wide" })]
    : [button("boom.explode", () => play({ move: "explode" }), "kitten", { class: "danger wide" })];
}
