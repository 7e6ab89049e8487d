/** What is asked now, under the thumb: cards to turn up, who is caught, what a candy removes. */

import { play } from "/static/act.js";
import { byId, el, redraw, set } from "/static/dom.js";
import { nameOf, seatName } from "/static/names.js";
import { signed } from "/static/numbers.js";
import { capital, say } from "/static/messages.js";
import { cardButton, COLOURS, icon, pill } from "./page_cards.js";
import { kindsShown, waitsSaid } from "./page_dealt.js";

/** @import { HideView, Now } from "./page_types.js" */

/** What stands in the tray, row by row. @typedef {{ways: Node[], cards: Node[], choices: Node[]}} Rows */
/** `again` draws the page again, `askEnemy` asks who plays an enemy. @typedef {{again: () => void, askEnemy: (card: string) => void}} Tools */

/** Whose card is turned up, of which sort, which, and what was said with it (a rainbow's colour, a rocket's way). */
export const ui = {
  round: 0,
  seat: "",
  sort: "",
  card: "",
  colour: "",
  /** @type {boolean | null} */ faster: null,
  clear(sort = "") {
    this.sort = sort;
    this.card = "";
    this.colour = "";
    this.faster = null;
  },
};

const MOST = 3;

/** @param {Now} now @param {Tools} tools */
export function tray(now, tools) {
  const { phase } = now.match.board;
  const waits = waitsSaid(now);
  if (phase !== "cards" || waits) ui.clear();
  /** @type {Rows} */
  const parts = { ways: [], cards: [], choices: [] };
  if (waits) parts.choices = enemyChoices(now, tools);
  const said = waits || (asks[phase]?.(now, parts, tools) ?? "");
  // Whoever has nothing to do now sees the cards, greyed.
  if (said && !parts.cards.length && (now.dealt || !parts.choices.length)) parts.cards = kindButtons(now, null);
  byId("tray").hidden = !said;
  const { outcome } = now.match;
  const over = outcome?.reason === "stopped" ? say("outcome.stopped") : outcome ? say("hide.wins", { winners: new Intl.ListFormat(document.documentElement.lang).format(outcome.winners.map(seatName)) }) : "";
  if (phase !== "animals") set(byId("tray-said"), { text: over || said });
  for (const [name, nodes] of Object.entries(parts)) {
    // What is asked next has buttons of its own: those of the last question do not move to other places.
    if (name === "choices") for (const node of parts.choices) set(/** @type {Element} */ (node), { "data-n": now.match.n });
    redraw(byId(`tray-${name}`), ...nodes);
    byId(`tray-${name}`).hidden = !nodes.length;
  }
}

/**
 * What is asked in each phase: fills the tray's rows, gives the sentence above them.
 * @type {Partial<Record<HideView["phase"], (now: Now, parts: Rows, tools: Tools) => string>>}
 */
const asks = {
  open(now, parts, tools) {
    const { board } = now.match;
    parts.choices = enemyChoices(now, tools);
    return board.seeker ? say("hide.tap-seeker", { seat: seatName(board.seeker) }) : say("hide.tap-first-seeker");
  },
  cards(now, parts, { again }) {
    const { board } = now.match;
    if (now.dealt) ui.seat = now.seat ?? "";
    else {
      sticky(board);
      parts.ways = others(board, again);
    }
    if (ui.card) parts.ways = ways(board, again) || parts.ways;
    if (ui.seat) parts.cards = kindButtons(now, again);
    if (!ui.card && now.dealt) return say("hide.lay-card", { laid: board.seats.find(({ seat }) => seat === ui.seat)?.laid ?? 0 });
    if (!ui.card) return say(ui.seat ? (board.brawl ? "hide.tap-card-brawl" : "hide.tap-card") : "hide.all-laid", { seat: seatName(ui.seat) });
    return say("hide.tap-target", { card: `${nameOf(ui.card)} ${signed(board.set.cards[ui.card].speed)}` });
  },
  candy({ match: { board } }, parts) {
    const [first] = board.candies;
    parts.choices = first.choices.map((food) => choice(nameOf(food), () => play({ move: "candy", on: first.on, food })));
    if (first.may_keep) parts.choices.push(choice(say("hide.keep-candy"), () => play({ move: "candy", on: first.on, food: null })));
    return say("hide.candy", { seat: seatName(first.owner), animal: first.on });
  },
  catch({ match: { board } }, parts) {
    if (board.brawl) return brawl(board, parts);
    for (const { colour, animals } of board.catch) parts.choices.push(...catchButtons(board, colour, animals));
    if (board.catch.length) return say(board.caught_now.length ? "hide.catch-more" : "hide.catch-now");
    return say(board.caught_now.length ? "hide.caught-done" : "hide.catch-nobody");
  },
  gear({ match: { board } }, parts) {
    const [first] = board.gears;
    parts.choices = first.choices.map((card) => choice(nameOf(card), () => play({ move: "drop-gear", on: first.on, card })));
    return say("hide.gear-goes", { seat: seatName(first.owner), animal: first.on, gear: nameOf(first.gear) });
  },
};

/** The enemies that may be played now; where the table deals, those of one's own hand. @param {Now} now @param {Tools} tools */
function enemyChoices(now, { askEnemy }) {
  const { dealt, seat, match: { board } } = now;
  if (!board.may_play_enemy) return [];
  const enemies = kindsShown(now).filter((kind) => board.set.cards[kind.card].does === "enemy" && kind.unseen);
  return enemies.map(({ card }) => choice(say("hide.play-enemy", { card: nameOf(card) }), () => (dealt ? play({ move: "enemy", by: seat ?? "", card }) : askEnemy(card))));
}

/** @param {HideView} board @param {Rows} parts */
function brawl(board, parts) {
  const { ends } = board;
  if (!ends) return say("hide.brawl-done");
  parts.choices = ends.may_catch.map((animal) => choice(say("hide.catch-enemy", { animal }), () => play({ move: "catch-enemy", animal })));
  parts.choices.push(...ends.takes.map((animal) => choice(say("hide.enemy-takes", { animal }), () => play({ move: "taken", animal }))));
  return capital(say("hide.brawl"));
}

/** @param {string} text @param {() => unknown} onclick @param {Node[]} before */
function choice(text, onclick, ...before) {
  return el("button", { type: "button", onclick }, ...before, el("span", { text }));
}

/** @param {HideView} board @param {string} colour @param {string[]} animals */
function catchButtons(board, colour, animals) {
  const one = (/** @type {string} */ animal) => choice(say("hide.catch-one", { animal }), () => play({ move: "catch", colour, animal }), pill(colour));
  const all = choice(say("hide.catch-all", { count: animals.length }), () => play({ move: "catch", colour }), pill(colour));
  if (board.one_victim === "all") return [all];
  return [...animals.map(one), ...(board.one_victim === "ask" && animals.length > 1 ? [all] : [])];
}

/** Whether a player can still lay a card in this step. @param {HideView} board @param {string} name */
function mayLay({ seats }, name) {
  const seat = seats.find((each) => each.seat === name);
  return seat !== undefined && seat.laid < MOST && seat.hand > 0;
}

/**
 * The player whose cards come next: the one chosen, until three are up or the hand is empty. A round begins with the
 * first in its order.
 * @param {HideView} board
 */
function sticky(board) {
  if (ui.round !== board.round) Object.assign(ui, { round: board.round, seat: "" });
  const may = (/** @type {string} */ name) => mayLay(board, name);
  if (may(ui.seat)) return;
  const at = Math.max(0, board.order.indexOf(ui.seat));
  ui.seat = [...board.order.slice(at), ...board.order.slice(0, at)].find(may) ?? "";
  if (!ui.seat) ui.clear();
}

/** The way back to all sorts of cards, and to the next player who can lay one. @param {HideView} board @param {() => void} again */
function others(board, again) {
  const at = board.order.indexOf(ui.seat);
  const next = [...board.order.slice(at + 1), ...board.order.slice(0, Math.max(at, 0))].find((name) => mayLay(board, name));
  return [...(ui.sort ? [choice(say("hide.other-cards"), () => { ui.clear(); again(); })] : []), ...(next ? [choice(say("hide.on-to", { seat: seatName(next) }), () => { ui.clear(); ui.seat = next; again(); })] : [])];
}

/**
 * One's own hand where the table deals; else the sorts of cards, and the kinds of the one that is chosen.
 * @param {Now} now @param {(() => void) | null} again null where none can be laid now
 */
function kindButtons(now, again) {
  const { board } = now.match;
  const sortOf = (/** @type {string} */ card) => board.set.cards[card].does;
  const kinds = kindsShown(now).filter(({ card }) => now.dealt || sortOf(card) !== "enemy");
  const button = (/** @type {typeof kinds[number]} */ { card, unseen }) => cardButton(card, board.set.cards[card], {
    "aria-pressed": String(ui.card === card),
    disabled: !again || sortOf(card) === "enemy" || !(unseen || now.dealt),
    onclick: () => {
      const same = ui.card === card;
      ui.clear(ui.sort);
      if (!same) ui.card = card;
      again?.();
    },
  });
  if (now.dealt) return kinds.map(button);
  if (ui.sort) return kinds.filter(({ card }) => sortOf(card) === ui.sort).map(button);
  return [...new Set(kinds.map(({ card }) => sortOf(card)))].map((sort) => {
    const of = kinds.filter(({ card }) => sortOf(card) === sort);
    if (of.length === 1) return button(of[0]);
    return el("button", { type: "button", class: "kind", disabled: !again || of.every(({ unseen }) => !unseen), onclick: () => { ui.clear(sort); again?.(); } }, icon(board.set.cards[of[0].card]), el("span", { text: say(`does.${sort}`).replace("/", "/\u200b") }));
  });
}

/** What else may be said with a card: the colour of a rainbow, the way of a rocket. @param {HideView} board @param {() => void} again */
function ways(board, again) {
  const kind = board.set.cards[ui.card];
  const way = (/** @type {string} */ text, /** @type {boolean} */ on, /** @type {() => void} */ pick) => el("button", { type: "button", "aria-pressed": String(on), onclick: () => { pick(); again(); } }, text);
  if (kind?.colour === "rainbow") {
    const named = COLOURS.map((colour) => way(nameOf(colour), ui.colour === colour, () => { ui.colour = colour; }));
    return [way(say("hide.any-colour"), !ui.colour, () => { ui.colour = ""; }), ...named];
  }
  if (kind?.does !== "rocket") return null;
  return [
    way(say("hide.as-usual"), ui.faster === null, () => { ui.faster = null; }),
    way(say("note.faster"), ui.faster === true, () => { ui.faster = true; }),
    way(say("note.slower"), ui.faster === false, () => { ui.faster = false; }),
  ];
}
