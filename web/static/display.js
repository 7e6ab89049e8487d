/** The big screen: the board as each game draws it, beside it the scores, whose turn it is, the clocks. */

import { awake } from "./awake.js";
import { byId, el, keyed, query, set } from "./dom.js";
import { isKept, onConnection, onNews, start } from "./live.js";
import { seatLabel, showName } from "./names.js";
import { noticeSaid } from "./notices.js";
import { capital, say } from "./messages.js";
import { hearAsked, voice } from "./sounds.js";
import { askPanel, heardAt, leftOf, leftSaid, TICK_MS } from "./turn_clock.js";

/** @import { AnyGame, PanelNow, TableNow } from "./types.js" */

/** The notices that the big screen shows, too: who may do what, and what somebody outside says to the table. */
const SHOWN = ["open", "hand-seen", "called", "referee-called", "referee-comes", "message"];

/**
 * What a game says of itself on the big screen: it draws its board, and gives a seat's score and the newest
 * move in words. `asks`: what a person is to do for the seat that the table plays. `more`: what stands under a score; `turn`: whose turn it is, where that is more than a name.
 * @template {AnyGame} G
 * @typedef {{draw: (now: TableNow<G>) => void, score: (now: TableNow<G>, seat: string) => string | number,
 *   newest: (now: TableNow<G>) => string, turn?: (now: TableNow<G>) => string, asks?: (now: TableNow<G>) => string, more?: (now: TableNow<G>, seat: string) => string}} Shown
 */

/** @type {PanelNow | null} */
let panel = null;
let heardMs = 0; // when `panel` was so

/**
 * Show a game from now on.
 * @template {AnyGame} G
 * @param {Shown<G>} game
 */
export function display(game) {
  onNews((/** @type {TableNow<G>} */ now) => {
    if (isStale(now)) return location.reload();
    game.draw(now);
    set(byId("turn"), { text: capital(turnSaid(now, game)), "data-over": Boolean(now.match.outcome) });
    set(byId("newest"), { text: capital(game.newest(now)) });
    const said = now.notices.filter(({ key }) => SHOWN.includes(key)).map((notice) => noticeSaid(notice, { say, seatLabel }));
    set(byId("outside"), { text: said.join(" ") });
    standing(now, game);
    if (document.documentElement.dataset.panel !== undefined) hearPanel();
    return undefined;
  });
  onConnection((connected) => {
    byId("lost").hidden = connected;
    document.documentElement.classList.toggle("lost", !connected);
  });
  if (!isKept()) awake(onNews);
  hearAsked(onNews, (text) => {
    set(byId("outside"), { text });
    voice(text);
  });
  start(JSON.parse(byId("now").textContent || "null"));
  setInterval(clocks, TICK_MS);
  set(document.documentElement, { "data-drawn": true });
}

/**
 * Whether the page came with other news of the house than belong to the table now: between matches it shows who
 * played last and the records, which the server alone knows.
 * @param {TableNow} now
 */
function isStale({ match }) {
  const idle = match.outcome || !match.moves ? String(match.id) : "";
  return idle !== document.documentElement.dataset.idle;
}

/**
 * @template {AnyGame} G
 * @param {TableNow<G>} now @param {Shown<G>} game
 */
function turnSaid(now, game) {
  const { outcome, turn } = now.match;
  if (outcome) return outcome.reason === "stopped" ? say("outcome.stopped") : wonSaid(outcome.winners);
  const asks = now.opponent?.move && game.asks ? game.asks(now) : "";
  if (asks) return asks;
  if (game.turn) return game.turn(now);
  return turn ? say("web.turn", { seat: seatLabel(turn) }) : say("web.nobodys-turn");
}

/** @param {string[]} winners */
function wonSaid(winners) {
  if (!winners.length) return say("display.nobody-won");
  const names = new Intl.ListFormat(document.documentElement.lang).format(winners.map(seatLabel));
  return say("display.won", { names, winners: winners.length });
}

/**
 * @template {AnyGame} G
 * @param {TableNow<G>} now @param {Shown<G>} game
 */
function standing(now, game) {
  const { match, colours } = now;
  const row = () => el("li", {}, el("span", { class: "name" }), el("b", { class: "score" }), el("span", { class: "under" }), el("span", { class: "clock", hidden: true }));
  keyed(byId("standing"), match.seats, String, row, (node, seat) => {
    const first = match.outcome ? match.outcome.winners.includes(seat) : match.turn === seat;
    set(node, { class: first ? "first" : "", "data-colour": colours[seat] ?? null });
    showName(query(node, ".name"), seat, seatLabel(seat));
    set(query(node, ".score"), { text: game.score(now, seat) });
    set(query(node, ".under"), { text: game.more?.(now, seat) ?? "" });
  });
  clocks();
}

/** Ask for the clocks: they run on by themselves until the next news. */
async function hearPanel() {
  const now = await askPanel();
  if (!now) return;
  [panel, heardMs] = [now, heardAt(now)];
  clocks();
}

/** The time that each seat has left, where a clock counts down. */
function clocks() {
  const rows = /** @type {HTMLElement[]} */ ([...byId("standing").children]);
  for (const row of rows) {
    const seat = panel?.seats.find((each) => each.seat === row.dataset.key);
    const left = seat ? leftOf(seat, (performance.now() - heardMs) / 1000) : null;
    set(query(row, ".clock"), { hidden: left === null, ...(left === null ? {} : { text: leftSaid(left), "data-out": left <= 0 }) });
  }
}
