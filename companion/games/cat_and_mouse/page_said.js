/** What happened in the race, in sentences: for the page and for the big screen. */

import { nameOf, seatName } from "/static/names.js";
import { say } from "/static/messages.js";

/** @import { Payment, StartView, ThrowView } from "./page_types.js" */

/** @param {number} square */
export const squareSaid = (square) => (square ? say("race.square", { square }) : say("race.corner"));

/** @param {Payment} line */
export const because = ({ reason, square }) => say(`because.${reason}`, { square });

/** Why, for the ledger: whose throw it was, and by which double somebody landed. @param {Payment} line */
export function fullyBecause(line) {
  const { reason, payer, payee, dice: [one, two] } = line;
  if (reason === "stake" || reason === "pots") return because(line);
  const landed = reason !== "jump" && reason !== "stay" && one === two;
  const said = landed ? say("because.double", { landed: because(line), die: one }) : because(line);
  return say("because.of", { seat: seatName(reason === "earns" ? payee : payer), because: said });
}

/** @param {ThrowView} last */
export function moved(last) {
  const facts = { seat: seatName(last.seat), from: squareSaid(last.start), to: squareSaid(last.to) };
  return say(last.how === "stay" ? "race.stay" : "race.move-counter", facts);
}

/** @param {StartView} start */
export function started({ cat, throws }) {
  const last = throws.at(-1);
  if (!last) return say("race.no-throw");
  if (cat) return say("race.is-cat", { who: nameOf(cat) });
  const [one, two] = last.dice;
  return `${nameOf(last.by)}: ${one} + ${two} = ${one + two}`;
}

/** @param {ThrowView} last */
export function followed(last) {
  const facts = { seat: seatName(last.seat) };
  const said = [];
  if (last.how === "leap" || last.how === "turn-back") said.push(say(`race.how-${last.how}`));
  if (last.then !== "next") said.push(say(`race.then-${last.then}`, facts));
  for (const seat of last.served) said.push(say("race.served", { seat: seatName(seat) }));
  return said.join(" ");
}
