/** What happened in the race, in sentences: for the page and for the big screen. */

import { nameOf, seatName } from "/static/names.js";
import { say } from "/static/messages.js";

/** @import { RaceView } from "./page_types.js" */

/** @param {number} square */
const squareSaid = (square) => (square ? String(square) : say("race.corner"));

/** The newest throw and what followed; before the race, who has thrown for the cat. @param {RaceView} board */
export function lastSaid({ last, start, hand_over: paid, outcome }) {
  if (!last) {
    const { cat, throws } = start;
    const { by, dice: [one, two] } = throws.at(-1) ?? { by: "", dice: [0, 0] };
    return cat ? say("race.is-cat", { who: nameOf(cat) }) : by ? `${nameOf(by)}: ${one} + ${two} = ${one + two}` : "";
  }
  const facts = { seat: seatName(last.seat), from: squareSaid(last.start), to: squareSaid(last.to) };
  const said = [say(last.how === "stay" ? "race.stay" : "race.went", facts)];
  if (last.how === "turn-back") said.push(say("race.why-turn-back"));
  if (last.then === "lost-turn") said.push(say("race.why-lost-turn"));
  for (const seat of last.served) said.push(say("race.served", { seat: seatName(seat) }));
  if (!outcome) {
    for (const payer of new Set(paid.map((line) => line.payer))) {
      const lines = paid.filter((line) => line.payer === payer);
      said.push(say("race.pays", { payer: seatName(payer), payee: seatName(lines[0].payee), chips: lines.reduce((sum, line) => sum + line.chips, 0) }));
    }
  }
  return said.join(" · ");
}
