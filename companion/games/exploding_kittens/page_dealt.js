/** Where the table deals its own cards, a phone plays its own seat, with the cards of its hand. */

/** @import { Now } from "./page_types.js" */

/** How many cards of a kind this phone's seat holds. @param {Now} now @param {string} card */
export const holds = ({ match }, card) => match.board.mine?.hand.find((each) => each.card === card)?.count ?? 0;

/** The place of the kitten that this phone's seat has to choose now. @param {Now} now */
export const mustHide = ({ match, dealt }) => (dealt ? match.board.mine?.asks.find(({ what }) => what === "hid") : undefined);

/** Whether this phone may play a card or draw now. @param {Now} now */
export function mayAct(now) {
  const { match, dealt, seat } = now;
  return !dealt || (match.turn === seat && !dealt.waits && !dealt.in_secret);
}

/** Who may have played a nope on the last card, as this phone may say. @param {Now} now */
export function nopers(now) {
  const { last, mine } = now.match.board;
  if (!last) return [];
  const { deed } = last;
  const seat = mine?.seat;
  if (now.dealt) return now.dealt.waits && (deed.nopes?.at(-1) ?? deed.seat) !== seat && holds(now, "nope") ? last.nopers.filter((each) => each === seat) : [];
  const without = mine && !mine.unknown && !holds(now, "nope");
  return last.nopers.filter((each) => each !== seat || !without);
}
