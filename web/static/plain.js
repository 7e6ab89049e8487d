/** The page of a game without a page of its own. */

import { play } from "./act.js";
import { byId, set } from "./dom.js";
import { onNews } from "./live.js";
import { seatName } from "./names.js";
import { toast } from "./toast.js";
import { capital, say } from "./messages.js";

onNews(({ match }) => {
  const said = match.outcome ? say("web.over") : match.turn ? say("web.turn", { seat: seatName(match.turn) }) : "";
  set(byId("turn"), { text: capital(said) });
  set(byId("view"), { text: JSON.stringify(match.board, null, 1) });
});

byId("move").addEventListener("submit", async (event) => {
  event.preventDefault();
  const input = byId("move-text", HTMLInputElement);
  try {
    if (await play(JSON.parse(input.value))) input.value = "";
  } catch {
    toast(say("web.not-a-value", { field: input.value }), "refusal");
  }
});
