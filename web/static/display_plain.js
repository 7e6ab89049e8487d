/** The big screen of a game that draws nothing for it: who plays, and the newest moves as they are noted. */

import { display } from "./display.js";
import { byId, el } from "./dom.js";
import { moveSaid } from "./last_moves.js";
import { seatName } from "./names.js";

display({
  draw: ({ match }) => {
    const moves = [...match.last].reverse().map((move) => el("li", { text: moveSaid(move, match.seats, seatName) }));
    byId("board").replaceChildren(el("ol", { class: "plain-moves" }, ...moves));
  },
  score: ({ match }, seat) => match.outcome?.points[seat] ?? "",
  newest: ({ match }) => moveSaid(match.last.at(-1) ?? "", match.seats, seatName),
});
