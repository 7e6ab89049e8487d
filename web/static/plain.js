/** The page of a game without a page of its own. */

import { play } from "./act.js";
import { byId, set } from "./dom.js";
import { onNews } from "./live.js";
import { toast } from "./toast.js";
import { capital, known, say } from "./messages.js";

onNews(({ match }) => {
  const seat = match.turn && (match.players[match.turn] || (known(`name.${match.turn}`) ? say(`name.${match.turn}`) : match.turn));
  const said = match.outcome ? say("web.over") : seat ? say("web.turn", { seat }) : "";
  set(byId("turn"), { text: capital(said) });
  set(byId("view"), { text: JSON.stringify(match.board, null, 1) });
});

byId("move").addEventListener("submit", async (event) => {
  event.preventDefault();
  const input = byId("move-text");
  try {
    if (await play(JSON.parse(input.value))) input.value = "";
  } catch {
    toast(say("web.not-a-value", { field: input.value }), "refusal");
  }
});
