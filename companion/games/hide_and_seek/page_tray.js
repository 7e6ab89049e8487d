/** What is asked now, under the thumb: cards to turn up, who is caught, what a candy removes. */

import { play } from "/static/act.js";
import { byId, el, redraw, set } from "/static/dom.js";
import { nameOf, seatName } from "/static/names.js";
import { signed } from "/static/numbers.js";
import { capital, say } from "/static/messages.js";
import { cardButton, COLOURS, pill } from "./page_cards.js";
import { kindsShown, waitsSaid } from "./page_dealt.js";

/** @import { HideView, Now } from "./page_types.js" */

/** What stands in the tray, row by row. @typedef {{seats: Node[], ways: Node[], cards: Node[], choices: Node[]}} Rows */
/** `again` draws the page again, `askEnemy` asks who plays an enemy. @typedef {{again: () => void, askEnemy: (card: string) => void}} Tools */

/** Whose card is turned up, which, and what was said with it (a rainbow's colour, a rocket's way). */
export const ui = {
  round: 0,
  seat: "",
  card: "",
  colour: "",
  /** @type {boolean | null} */ faster: null,
  clear() {
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
  const parts = { seats: [], ways: [], cards: [], choices: [] };
  if (waits) parts.choices = enemyChoices(now, tools);
  const said = waits || (asks[phase]?.(now, parts, tools) ?? "");
  // Whoever has nothing to do now sees the cards, greyed.
  if (said && !parts.cards.length && (now.dealt || !parts.choices.length)) parts.cards = kindButtons(now, null);
  byId("tray").hidden = !said;
  set(byId("tray"), { "data-dealt": Boolean(now.dealt) });
  set(byId("tray-said"), { text: said });
  for (const [name, nodes] of Object.entries(parts)) {
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
      parts.seats = seatButtons(board, again);
    }
    parts.ways = ways(board, again);
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

/** @param {HideView} board @param {() => void} again */
function seatButtons(board, again) {
  return board.order.map((name) => {
    const laid = board.seats.find((each) => each.seat === name)?.laid ?? 0;
    return el("button", { type: "button", "aria-pressed": String(ui.seat === name), disabled: !mayLay(board, name), onclick: () => { ui.seat = name; again(); } }, `${seatName(name)} ${laid}/${MOST}`);
  });
}

/** @param {Now} now @param {(() => void) | null} again null where none can be laid now */
function kindButtons(now, again) {
  const { board } = now.match;
  const isEnemy = (/** @type {string} */ card) => board.set.cards[card].does === "enemy";
  return kindsShown(now).filter(({ card }) => now.dealt || !isEnemy(card)).map(({ card, unseen }) =>
    cardButton(card, board.set.cards[card], {
      "aria-pressed": String(ui.card === card),
      disabled: !again || isEnemy(card) || !(unseen || now.dealt),
      onclick: () => {
        const same = ui.card === card;
        ui.clear();
        if (!same) ui.card = card;
        again?.();
      },
    }));
}

/** What else may be said with a card: the colour of a rainbow, the way of a rocket. @param {HideView} board @param {() => void} again */
function ways(board, again) {
  const kind = board.set.cards[ui.card];
  const way = (/** @type {string} */ text, /** @type {boolean} */ on, /** @type {() => void} */ pick) => el("button", { type: "button", "aria-pressed": String(on), onclick: () => { pick(); again(); } }, text);
  if (kind?.colour === "rainbow") {
    const named = COLOURS.map((colour) => way(nameOf(colour), ui.colour === colour, () => { ui.colour = colour; }));
    return [way(say("hide.any-colour"), !ui.colour, () => { ui.colour = ""; }), ...named];
  }
  if (kind?.does !== "rocket") return [];
  return [
    way(say("hide.as-usual"), ui.faster === null, () => { ui.faster = null; }),
    way(say("note.faster"), ui.faster === true, () => { ui.faster = true; }),
    way(say("note.slower"), ui.faster === false, () => { ui.faster = false; }),
  ];
}
