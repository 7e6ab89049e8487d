/** A board as a small picture: the page around it says when something has changed, by the event `look`. */

import { take } from "./live.js";

const { table } = document.documentElement.dataset;

addEventListener("look", async () => {
  try {
    const answer = await fetch(table ?? "");
    if (answer.ok) take(await answer.json());
  } catch {
    // The page around it says that there is no connection.
  }
});
