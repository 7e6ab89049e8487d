/** Whatever a person does is one request; what it is refused for is said. */

import { current, isKept, take } from "./live.js";
import { say } from "./messages.js";
import { toast } from "./toast.js";

/** @import { Refusal, TableNow } from "./types.js" */

/** The request under way, as text, and the move that the page showed when it was sent. @type {{n?: number, asks: string, answer: Promise<unknown>} | null} */
let underWay = null;

/**
 * Send `body` as JSON. Says why, and gives null, when it was refused or could not be sent.
 * @template T the answer, as the server's route gives it
 * @param {string} path
 * @param {object} body
 * @param {RequestInit} [options]
 * @returns {Promise<T | null>}
 */
export async function post(path, body, options = {}) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      ...options,
    });
    const answer = await response.json();
    if (response.ok) return answer;
    const { says } = /** @type {Partial<Refusal>} */ (answer);
    toast(says || say("web.not-sent"), "refusal");
  } catch {
    toast(say("web.not-sent"), "refusal");
  }
  return null;
}

/**
 * The same for what a person does, one after the other. The same tap once more while it is under way is dropped
 * (null), but not if the page shows a new move by then.
 * @template T the answer, as the server's route gives it
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<T | null>}
 */
export async function send(path, body = {}) {
  const n = current()?.match.n;
  const asks = JSON.stringify([path, body]);
  if (underWay && underWay.n === n && underWay.asks === asks) return null;
  const before = underWay?.answer;
  const sent = { n, asks, answer: Promise.resolve(before).then(() => post(path, body)) };
  underWay = sent;
  const answer = await sent.answer;
  if (underWay === sent) underWay = null;
  return answer;
}

/** @type {((move: object) => Promise<null>) | null} */
let instead = null;

/**
 * Give moves that are made on the page of a kept match to another: it puts one right. None: nothing can be played there.
 * @param {((move: object) => Promise<null>) | null} takes
 */
export function giveMoves(takes) {
  instead = takes;
}

/**
 * Send something whose answer is the table as it is then.
 * @param {string} path
 * @param {object} body
 */
async function sendAndTake(path, body) {
  if (isKept()) {
    const { move } = /** @type {{move?: object}} */ (body);
    if (instead && move) return instead(move);
    toast(say("web.kept-only"), "refusal");
    return null;
  }
  /** @type {TableNow | null} */
  const now = await send(path, body);
  if (now) take(now);
  return now;
}

/**
 * Send something that changes the table, only if the table is still what this page shows.
 * @param {string} path
 * @param {object} [body]
 */
export const change = (path, body = {}) => sendAndTake(path, { ...body, n: current()?.match.n });

/** @param {object} move one move of the game */
export const play = (move) => change("/api/moves", { move });

/** @param {number} id of the sighting @param {number} guess which of its guesses */
export const answer = (id, guess) => sendAndTake("/api/sighting", { id, guess });
