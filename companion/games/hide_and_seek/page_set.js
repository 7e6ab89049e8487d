/** The set of cards: which one is played, and one used before taken again. */

import { byId, el, query, redraw, set } from "/static/dom.js";
import { switchMatch } from "/static/switch.js";
import { say } from "/static/messages.js";

/** @import { KeptMatches } from "/static/types.js" */
/** @import { Now } from "./page_types.js" */

/** @typedef {Now["match"]} Match */
const SLUG = "hide-and-seek";
const PAGES = 5; // pages of kept matches looked through for sets used before

let looked = 0;

/** @param {Match} match */
export function setUp(match) {
  const { board } = match;
  const fresh = match.moves === 0;
  byId("set-up").hidden = board.phase !== "animals";
  byId("example").hidden = fresh || !board.set.example;
  set(byId("set-name"), { text: board.set.example ? say("hide.example-set") : say("hide.own-set", { name: board.set.name }) });
  set(byId("set-said"), { text: board.set.example ? say("hide.example-said") : "" });
  if (board.phase !== "animals") return;
  if (looked !== match.id) usedBefore(match);
}

/** Begin this match again with a set; what was set up so far is kept. @param {Match} match @param {string} cards */
const begin = ({ options, players, seats }, cards) => switchMatch("/api/matches", { game: SLUG, options: { ...options, cards }, seats: seats.length, players });

/** Sets of one's own in the matches kept here, the newest first, each once. @param {Match} match */
async function usedBefore(match) {
  looked = match.id;
  /** @type {Set<string>} */
  const texts = new Set();
  let path = "/api/matches";
  for (let page = 0; page < PAGES && path; page += 1) {
    const answer = await fetch(path).catch(() => null);
    if (!answer?.ok) break;
    /** @type {KeptMatches} */
    const kept = await answer.json();
    for (const { game, options } of kept.matches) {
      if (game === SLUG && typeof options.cards === "string" && options.cards.includes("\n")) texts.add(options.cards);
    }
    path = kept.before ? `/api/matches/before/${kept.before}` : "";
  }
  texts.delete(match.options.cards);
  byId("used-before").hidden = !texts.size;
  redraw(query(byId("used-before"), "div"), ...[...texts].map((text) => el("button", { type: "button", onclick: () => begin(match, text) }, setName(text))));
}

/** @param {string} text of a set @returns {string} */
function setName(text) {
  const quotedName = /^\s*name\s*=\s*("(?:[^"\\]|\\.)*")/m.exec(text)?.[1];
  try {
    return quotedName ? JSON.parse(quotedName) : say("hide.nameless");
  } catch {
    return say("hide.nameless");
  }
}
