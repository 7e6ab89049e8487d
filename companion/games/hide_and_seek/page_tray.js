/** What is asked now, under the thumb: cards to turn up, who is caught, what a candy removes. */

import { play } from "/static/act.js";
import { byId, el, set } from "/static/dom.js";
import { say } from "/static/messages.js";
import { cardButton, cardName, COLOURS, colourName, pill, signed } from "./page_cards.js";

/** Whose card is turned up, which, and what was said with it (a rainbow's colour, a rocket's way). */
export const ui = {
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

/**
 * @param {any} match @param {(seat: string) => string} nameOf
 * @param {() => void} again draw the page anew @param {(card: string) => void} askEnemy
 */
export function tray({ board }, nameOf, again, askEnemy) {
  if (board.phase !== "cards") ui.clear();
  const parts = { seats: [], ways: [], cards: [], choices: [] };
  const said = asks[board.phase]?.(board, parts, { nameOf, again, askEnemy }) ?? "";
  byId("tray").hidden = !said;
  set(byId("tray-said"), { text: said });
  for (const [name, nodes] of Object.entries(parts)) {
    byId(`tray-${name}`).replaceChildren(...nodes);
    byId(`tray-${name}`).hidden = !nodes.length;
  }
}

const asks = {
  open(board, parts, { nameOf, askEnemy }) {
    const enemies = board.deck.kinds.filter((kind) => board.set.cards[kind.card].does === "enemy" && kind.unseen);
    if (board.may_play_enemy) parts.choices = enemies.map(({ card }) => choice(say("hide.play-enemy", { card: cardName(card) }), () => askEnemy(card)));
    return board.seeker ? say("hide.tap-seeker", { seat: nameOf(board.seeker) }) : say("hide.tap-first-seeker");
  },
  cards(board, parts, { nameOf, again }) {
    sticky(board);
    parts.seats = seatButtons(board, nameOf, again);
    parts.ways = ways(board, again);
    if (ui.seat) parts.cards = kindButtons(board, again);
    if (!ui.card) return say(ui.seat ? (board.brawl ? "hide.tap-card-brawl" : "hide.tap-card") : "hide.all-laid", { seat: nameOf(ui.seat) });
    return say("hide.tap-target", { card: `${cardName(ui.card)} ${signed(board.set.cards[ui.card].speed)}` });
  },
  candy(board, parts, { nameOf }) {
    const [first] = board.candies;
    parts.choices = first.choices.map((food) => choice(cardName(food), () => play({ move: "candy", on: first.on, food })));
    if (first.may_keep) parts.choices.push(choice(say("hide.keep-candy"), () => play({ move: "candy", on: first.on, food: null })));
    return say("hide.candy", { seat: nameOf(first.owner), animal: first.on });
  },
  catch(board, parts) {
    if (board.brawl) return brawl(board, parts);
    for (const { colour, animals } of board.catch) parts.choices.push(...catchButtons(board, colour, animals));
    if (board.catch.length) return say(board.caught_now.length ? "hide.catch-more" : "hide.catch-now");
    return say(board.caught_now.length ? "hide.caught-done" : "hide.catch-nobody");
  },
  gear(board, parts, { nameOf }) {
    const [first] = board.gears;
    parts.choices = first.choices.map((card) => choice(cardName(card), () => play({ move: "drop-gear", on: first.on, card })));
    return say("hide.gear-goes", { seat: nameOf(first.owner), animal: first.on, gear: cardName(first.gear) });
  },
};

function brawl(board, parts) {
  const { ends } = board;
  if (!ends) return say("hide.brawl-done");
  parts.choices = ends.may_catch.map((animal) => choice(say("hide.catch-enemy", { animal }), () => play({ move: "catch-enemy", animal })));
  parts.choices.push(...ends.takes.map((animal) => choice(say("hide.enemy-takes", { animal }), () => play({ move: "taken", animal }))));
  return say(`brawl.${ends.why}`, { speed: ends.speed, against: ends.against });
}

function choice(text, onclick, ...before) {
  return el("button", { type: "button", onclick }, ...before, el("span", { text }));
}

function catchButtons(board, colour, animals) {
  const one = (animal) => choice(say("hide.catch-one", { animal }), () => play({ move: "catch", colour, animal }), pill(colour));
  const all = choice(say("hide.catch-all", { count: animals.length }), () => play({ move: "catch", colour }), pill(colour));
  if (board.one_victim === "all") return [all];
  return [...animals.map(one), ...(board.one_victim === "ask" && animals.length > 1 ? [all] : [])];
}

/** The player whose cards come next: the one chosen, until three are up or the hand is empty. */
function sticky(board) {
  const may = (name) => {
    const seat = board.seats.find((each) => each.seat === name);
    return seat && seat.laid < MOST && seat.hand > 0;
  };
  if (may(ui.seat)) return;
  const at = Math.max(0, board.order.indexOf(ui.seat));
  ui.seat = [...board.order.slice(at), ...board.order.slice(0, at)].find(may) ?? "";
  if (!ui.seat) ui.clear();
}

function seatButtons(board, nameOf, again) {
  return board.order.map((name) => {
    const seat = board.seats.find((each) => each.seat === name);
    const full = seat.laid >= MOST || !seat.hand;
    return el("button", { type: "button", "aria-pressed": String(ui.seat === name), disabled: full, onclick: () => { ui.seat = name; again(); } }, `${nameOf(name)} ${seat.laid}/${MOST}`);
  });
}

function kindButtons(board, again) {
  return board.deck.kinds.filter(({ card }) => board.set.cards[card].does !== "enemy").map(({ card, unseen }) =>
    cardButton(card, board.set.cards[card], {
      "aria-pressed": String(ui.card === card),
      disabled: !unseen,
      onclick: () => {
        const same = ui.card === card;
        ui.clear();
        if (!same) ui.card = card;
        again();
      },
    }));
}

/** What else may be said with a card: the colour of a rainbow, the way of a rocket. */
function ways(board, again) {
  const kind = board.set.cards[ui.card];
  const way = (text, on, pick) => el("button", { type: "button", "aria-pressed": String(on), onclick: () => { pick(); again(); } }, text);
  if (kind?.colour === "rainbow") {
    const named = COLOURS.map((colour) => way(colourName(colour), ui.colour === colour, () => { ui.colour = colour; }));
    return [way(say("hide.any-colour"), !ui.colour, () => { ui.colour = ""; }), ...named];
  }
  if (kind?.does !== "rocket") return [];
  return [
    way(say("hide.as-usual"), ui.faster === null, () => { ui.faster = null; }),
    way(say("note.faster"), ui.faster === true, () => { ui.faster = true; }),
    way(say("note.slower"), ui.faster === false, () => { ui.faster = false; }),
  ];
}
