/** Where the table deals its own cards, a phone plays its own seat, with the cards of its hand. */

import { say } from "/static/messages.js";
import { seatName } from "/static/names.js";

/** @import { Now } from "./page_types.js" */

/** What the match waits for, where this phone has nothing to choose now; empty where it has. @param {Now} now */
export function waitsSaid({ dealt, match, seat }) {
  if (!dealt || match.outcome) return "";
  if (dealt.waits) return say("hide.enemy-may-come");
  if (match.board.phase === "cards") {
    if (dealt.in_secret === seat) return "";
    return dealt.in_secret ? say("hide.lays-down", { seat: seatName(dealt.in_secret) }) : say("hide.all-laid");
  }
  return match.turn && match.turn !== seat ? say("hide.waits-for", { seat: seatName(match.turn) }) : "";
}

/** The cards that can be tapped: those of one's own hand where the table deals, else one of each kind. @param {Now} now */
export function kindsShown({ dealt, match: { board: { deck: { kinds }, hand } } }) {
  return dealt ? kinds.flatMap((kind) => (hand?.cards ?? []).filter((card) => card === kind.card).map(() => kind)) : kinds;
}

/** Whether the players can end the match now. @param {Now} now */
export function mayEnd(now) {
  const { phase, rounds } = now.match.board;
  return phase === "open" && (!now.dealt || (!rounds && !waitsSaid(now)));
}
