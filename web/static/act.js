/** Whatever a person does is one request; what it is refused for is said. */

import { current, take } from "./live.js";
import { say } from "./messages.js";
import { toast } from "./toast.js";

let underWay = false;

/**
 * Send `body` to `path`. A second tap while one is under way is dropped. Gives the answer, or null
 * when it was refused or could not be sent: then that has been said.
 * @param {string} path
 * @param {Record<string, unknown>} [body]
 * @returns {Promise<any>}
 */
export async function send(path, body = {}) {
  if (underWay) return null;
  underWay = true;
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const told = await answer.json();
    if (answer.ok) return told;
    toast(told.says || say("web.not-sent"), "refusal");
  } catch {
    toast(say("web.not-sent"), "refusal");
  } finally {
    underWay = false;
  }
  return null;
}

/**
 * Send something that changes the table, only if the table is still what this page shows.
 * @param {string} path
 * @param {Record<string, unknown>} [body]
 */
export async function change(path, body = {}) {
  const told = await send(path, { ...body, n: current()?.match.n });
  if (told) take(told);
  return told;
}

/** @param {Record<string, unknown>} move one move of the game */
export const play = (move) => change("/api/moves", { move });

/** @param {number} id of the sighting @param {number} guess which of its guesses */
export async function answer(id, guess) {
  const told = await send("/api/sighting", { id, guess });
  if (told) take(told);
  return told;
}
