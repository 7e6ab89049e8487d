/** The list of matches: going on with one, and the players' names. */

import { send } from "./act.js";
import { byId } from "./dom.js";
import "./switch.js";
import { toast } from "./toast.js";
import { say } from "./messages.js";

/** @type {NodeListOf<HTMLElement>} */
const removed = document.querySelectorAll("[data-bring-back]");
for (const button of removed) {
  button.onclick = async () => {
    if (await send(`/api/matches/${button.dataset.bringBack}/bring-back`)) location.assign("/history");
  };
}

document.getElementById("names")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = byId("names").querySelectorAll("[data-seat]");
  const players = Object.fromEntries([...inputs].map((input) => [input.dataset.seat, input.value]));
  if (await send("/api/players", { players })) toast(say("web.done"));
});
