/** The page of Exploding Kittens: what is shown, and what taps on it do. */

import { play } from "/static/act.js";
import { askedName, sightingSheet } from "/static/asks.js";
import { byId, el, keyed, query, redraw, set } from "/static/dom.js";
import { onNews, shown } from "/static/live.js";
import { nameOf, seatName, showName, withWhom } from "/static/names.js";
import { closeSheet, sheetName } from "/static/sheet.js";
import { capital, known, nameFor, say } from "/static/messages.js";
import { dealtDraws, dealtSaid, mayAct, mayNope, mustHide } from "./page_dealt.js";
import { chanceOf, chanceSaid, figure, lastSaid, mark, percentOf, step } from "./page_figures.js";
import { ask, button, combo, handSheet, handSize, why, whyHand, whyKind, whyRisk } from "./page_sheets.js";

/** @import { Effect, Game, KindOdds, KittensView, Noted, Now, SeatView } from "./page_types.js" */

const ACTIONS = ["attack", "skip", "shuffle", "future"];

/** The match, the entry and the seat that the page shows, as one text. */
let drawn = "";

onNews((/** @type {Now} */ now) => {
  const { match } = now;
  const { board } = match;
  question(now);
  // News of the camera alone must not take a button from under the thumb.
  const what = JSON.stringify([match.id, match.n, match.players, board.mine?.seat, now.dealt]);
  if (what === drawn) return;
  drawn = what;
  status(now);
  next(board);
  mine(now);
  players(now);
  kinds(board);
  tray(now);
  // A sheet tells of the table as it was, and is asked for again; a hand half entered is still that hand.
  if (sheetName() && sheetName() !== `hand-${handSize(board)}` && sheetName() !== askedName(now.sighting)) closeSheet();
});

/* What the camera saw and cannot say alone */

/** @param {Now} now */
function question(now) {
  const { sighting } = now;
  if (!askedName(sighting)) return sheetName().startsWith("seen-") ? closeSheet() : undefined;
  // A hand half entered is not taken away by a question.
  if (sheetName().startsWith("hand-")) return undefined;
  return sightingSheet(now, { unclear: "why.card-unclear", breaks: "boom.card-breaks", facts: named(sighting?.facts ?? {}), guess: ({ moves }) => guessSaid(moves[0]) });
}

/** Facts with the names of players in place of their seats. @param {Record<string, string | number>} facts */
function named(facts) {
  return Object.fromEntries(Object.entries(facts).map(([fact, is]) => [fact, known(`name.${is}`) ? seatName(String(is)) : is]));
}

/** @param {Game["move"]} move */
function guessSaid(move) {
  const card = "card" in move ? move.card : move.move;
  const target = "target" in move ? move.target : "";
  const whose = "seat" in move ? move.seat : target;
  const said = whose ? say(target ? "boom.guess-pair" : "boom.guess-by", { card: nameOf(card), seat: seatName(whose) }) : nameOf(card);
  return { inside: [mark(card), el("span", { text: said })] };
}

/* What is shown */

/** @param {Now} now */
function status(now) {
  const { board } = now.match;
  const seat = board.mine?.seat;
  const line = byId("status");
  const facts = { seat: seatName(board.turn ?? ""), turns: board.owed };
  let said = board.turn === seat ? yourTurn(board) : say("boom.turn", facts);
  if (board.outcome) said = say("outcome.last-alive", { winner: seatName(board.outcome.winners[0]) });
  else if (board.phase === "kitten") said = say("boom.drew-kitten", facts);
  else if (board.owed > 1) said += ` · ${say("boom.owes", facts)}`;
  set(line, { text: dealtSaid(now) || said, "data-kind": board.phase });
}

/** What the next card may bring to who sees this: one sentence or two. @param {KittensView} board */
function yourTurn({ odds: { kinds: [kitten], this_draw: draw } }) {
  const [chance] = kitten.within;
  if (!chance || !draw) return say("boom.your-turn");
  const [kittens, explodes] = [chanceOf(chance), chanceOf(draw.explode)];
  const said = say("boom.your-next", { percent: percentOf(chance) });
  if (!kittens || (explodes && explodes !== kittens)) return said;
  return `${said} ${say(explodes ? "boom.without-defuse" : "boom.survives")}`;
}

/** @param {KittensView} board */
function next(board) {
  const { odds } = board;
  const { this_draw: draw, this_turn: turn } = odds;
  const [kitten, defuse] = odds.kinds; // the two first of all kinds
  set(byId("deck"), { text: say("boom.deck", { deck: board.deck, kittens: board.kittens }) });
  const figures = [];
  if (kitten.within.length) {
    figures.push(figure("kitten", chanceSaid(kitten.within[0]), say("boom.short-kitten"), () => whyKind(board, kitten)));
    if (draw) figures.push(figure("explode", chanceSaid(draw.explode), say("boom.explodes-draw"), () => whyRisk(board, draw)));
    if (turn && board.owed > 1) figures.push(figure("explode", chanceSaid(turn.explode), say("boom.explodes-turns", { turns: turn.draws }), () => whyRisk(board, turn)));
    figures.push(figure("defuse", chanceSaid(defuse.within[0]), say("name.defuse"), () => whyKind(board, defuse)));
  }
  redraw(byId("big"), ...figures);
  redraw(byId("ahead"), ...kitten.within.map((chance, n) => step(chance, n + 1, () => whyKind(board, kitten, n + 1))));
  byId("rough").hidden = !odds.rough;
}

/** @param {Now} now */
function mine({ match: { board }, dealt }) {
  const box = byId("mine");
  const own = board.mine;
  box.hidden = !own;
  if (!own) return;
  /** @type {HTMLElement[]} */
  const chips = own.hand.map(({ card, count }) => chip(card, count));
  if (own.unknown) chips.push(el("span", { class: "unknown", text: say("boom.unknown", { count: own.unknown }) }));
  if (!dealt) chips.push(button(own.unknown ? "boom.tell-hand" : "boom.correct-hand", () => handSheet(board), "", { class: own.unknown && !own.asks.length ? "main" : null }));
  redraw(byId("hand"), ...(own.lost ? [el("p", { class: "warning", text: say("boom.lost") })] : []), ...chips);
  redraw(byId("effects"), ...own.effects.map((effect) => effectRow(board, effect)));
  byId("noted").hidden = !own.noted.length;
  redraw(query(byId("noted"), "ul"), ...own.noted.map((note) => el("li", { text: notedSaid(note) })));
}

/** @param {string} card @param {number} count */
function chip(card, count) {
  const name = `${nameOf(card)}${count > 1 ? ` × ${count}` : ""}`;
  return el("span", { class: "own", "data-card": card }, mark(card), el("span", { text: name }));
}

/** What this phone was told of a card or a place, and whether that is still where it was. @param {Noted} note */
function notedSaid({ what, seat, target, cards, place, drawn: drawnSince, shuffled, wrong }) {
  const names = cards.map(nameOf).join(", ");
  const said = say(`boom.noted-${what}`, { cards: names, count: place, seat: seatName(seat), target: seatName(target) });
  if (wrong) return `${said} · ${say("boom.noted-wrong")}`;
  if (what !== "saw" && what !== "hid") return said;
  return [said, shuffled ? say("boom.shuffled-since") : drawnSince ? say("boom.drawn-since", { count: drawnSince }) : ""].filter(Boolean).join(" · ");
}

/** @param {KittensView} board @param {Effect} effect */
function effectRow(board, effect) {
  const same = effect.card === "future";
  const after = same ? say("boom.look") : chanceSaid(effect.after.explode);
  return el("button", { type: "button", class: "effect", onclick: () => why(board, effect) },
    mark(effect.card), el("span", { text: nameOf(effect.card) }),
    el("b", { text: chanceSaid(effect.before.explode) }), el("span", { "aria-hidden": "true", text: "→" }), el("b", { class: same ? "" : "after", text: after }));
}

/** @param {Now} now */
function players({ match, dealt }) {
  const { board } = match;
  const seat = board.mine?.seat;
  const whose = (/** @type {string} */ each) => (each === seat ? ` (${say("boom.you")})` : dealt?.players[each] ? ` (${say("boom.the-table")})` : "");
  keyed(byId("players"), board.seats, (each) => each.seat, () => el("li"), (node, each) => {
    const won = board.outcome?.winners.includes(each.seat);
    set(node, { class: `${each.alive ? "" : "out"} ${won || board.turn === each.seat ? "now" : ""}` });
    const head = showName(el("span", { class: "who" }), each.seat, seatName(each.seat) + whose(each.seat));
    if (!each.alive) return redraw(node, head, el("span", { class: "quiet", text: say("boom.exploded") }));
    if (won) return redraw(node, head, el("span", { class: "quiet", text: say("boom.alive") }));
    const facts = { cards: each.cards, defuse: percentOf(each.defuse), nope: percentOf(each.nope) };
    const holds = el("button", { type: "button", class: "ahead-of", disabled: !each.cards, onclick: () => whyHand(boardNow(), each.seat) }, say("boom.holds", facts));
    return redraw(node, head, holds, aheadOf(board, each));
  });
}

/** How dangerous a player's next turn is. @param {KittensView} board @param {SeatView} each */
function aheadOf(board, each) {
  const { ahead } = each;
  if (!ahead) return el("span", { class: "quiet", text: say("boom.deck-ends") });
  const word = !ahead.draws ? "boom.then-at-once" : each.seat === board.mine?.seat ? "boom.then" : "boom.then-theirs";
  const said = say(word, { draws: ahead.draws, percent: percentOf(ahead.risk.explode) });
  return el("button", { type: "button", class: "ahead-of", onclick: () => whyRisk(board, ahead.risk, each) }, said);
}

/** @param {KittensView} board */
function kinds({ odds }) {
  const most = odds.kinds[0].within.length;
  set(byId("within-head"), { text: most ? say("boom.next-n", { count: most }) : "" });
  keyed(byId("kinds"), odds.kinds, (kind) => kind.card, kindRow, (row, kind) => {
    const [name, left, one, some] = row.children;
    set(query(name, "button"), { onclick: () => whyKind(boardNow(), kind) });
    set(left, { text: kind.unseen });
    set(one, { text: chanceSaid(kind.within[0]) });
    set(some, { text: chanceSaid(kind.within.at(-1)) });
  });
}

/** @returns {KittensView} */
function boardNow() {
  /** @type {Now} */
  const now = shown();
  return now.match.board;
}

/** @param {KindOdds} kind */
function kindRow(kind) {
  const name = el("button", { type: "button", class: "kind" }, mark(kind.card), el("span", { text: nameOf(kind.card) }));
  return el("tr", {}, el("td", {}, name), el("td"), el("td"), el("td"));
}

/* The tray under the thumb */

/** @param {Now} now */
function tray(now) {
  const { board } = now.match;
  const over = board.phase === "over";
  set(byId("tray"), { hidden: over, class: now.dealt ? "tray dealt" : "tray" });
  if (over) return;
  lastDone(now);
  tell(now);
  const turn = board.phase === "turn" && mayAct(now);
  byId("plays").hidden = !turn;
  redraw(byId("plays"),
    ...ACTIONS.map((card) => act(board.can.play.includes(card) && mayHold(board, card), () => play({ move: "play", card }), mark(card), say(`boom.short-${card}`), nameOf(card))),
    act(board.can.pair.length > 0, () => combo(board), el("b", { class: "mark", "data-alike": board.can.three.length ? "2·3" : "2" }), say("boom.alike"), say(board.can.three.length ? "boom.alike-long" : "boom.two-alike")));
  redraw(byId("draws"), ...(now.dealt ? dealtDraws(now) : draws(board).map(withWhom)));
}

/**
 * Whether the player may hold a card, as this phone knows: its own hand, if all of it was entered.
 * @param {KittensView} board @param {string} card
 */
function mayHold({ mine: own, turn }, card) {
  return !own || own.seat !== turn || own.unknown > 0 || own.hand.some((each) => each.card === card);
}

/** @param {boolean} can @param {() => unknown} onclick @param {Element} sign @param {string} text @param {string} label */
function act(can, onclick, sign, text, label) {
  return el("button", { type: "button", "aria-label": nameFor(text, label), disabled: !can, onclick }, sign, el("span", { text }));
}

/** @param {KittensView} board */
function draws(board) {
  const { can, last, phase } = board;
  if (phase === "kitten") {
    return [
      button("boom.defused", () => play({ move: "defuse" }), "defuse", { class: "main", disabled: !can.defuse }),
      button("boom.explodes", () => play({ move: "explode" }), "kitten", { class: "danger" }),
    ];
  }
  if (phase === "asked") {
    return [
      button("boom.gave", () => play({ move: "answer", given: true }), last?.deed.named, { class: "main", disabled: !can.answers.includes(true) }),
      button("boom.has-none", () => play({ move: "answer", given: false }), "", { disabled: !can.answers.includes(false) }),
    ];
  }
  return [
    button("boom.draw", () => play({ move: "draw" }), "", { class: "main wide", disabled: !can.draw }),
    button("boom.kitten", () => play({ move: "kitten" }), "kitten", { class: "danger", disabled: !can.kitten }),
  ];
}

/** @param {Now} now */
function lastDone(now) {
  const { last, mine: own } = now.match.board;
  const seat = own?.seat;
  const box = byId("last");
  redraw(box);
  if (!last) return;
  const { deed, nopers, works } = last;
  const without = own && !own.unknown && !own.hand.some(({ card }) => card === "nope");
  const order = now.dealt ? nopers.filter((each) => each === seat && mayNope(now)) : nopers.filter((each) => each !== seat || !without).sort((one, two) => Number(two === seat) - Number(one === seat));
  const latest = deed.nopes?.at(-1) ?? deed.seat;
  const nope = (/** @type {string} */ each) => el("button", { type: "button", class: each === seat && latest !== seat ? "nope-by main" : "nope-by", onclick: () => play({ move: "nope", seat: each }) },
    mark("nope"), el("span", { text: each === seat ? say("boom.nope") : seatName(each) }));
  redraw(box, el("p", { class: works ? "" : "stopped", text: capital(lastSaid(last)) }),
    ...(order.length ? [el("div", { class: "nopes", role: "group", "aria-label": say("boom.nope-by") }, ...order.map(nope))] : []));
}

/** What this phone's seat could tell, the newest first: one tap. @param {Now} now */
function tell(now) {
  const { match, dealt } = now;
  const newest = dealt ? mustHide(now) : match.board.mine?.asks.at(-1);
  byId("tell").hidden = !newest;
  redraw(byId("tell"), ...(newest ? ask(match.board, newest) : []));
}
