/** The page of Exploding Kittens: what is shown, and what taps on it do. */

import { play } from "/static/act.js";
import { askedName, sightingSheet } from "/static/asks.js";
import { byId, el, keyed, query, redraw, set } from "/static/dom.js";
import { isKept, onNews, shown } from "/static/live.js";
import { computerSaid, nameOf, seatName, signOf } from "/static/names.js";
import { signed } from "/static/signs.js";
import { closeSheet, openSheet, sheetName } from "/static/sheet.js";
import { capital, known, nameFor, say } from "/static/messages.js";
import { holds, mayAct, mustHide, nopers } from "./page_dealt.js";
import { doneSaid, lastSaid, mark, percentOf, shortName } from "./page_figures.js";
import { ask, combo, handSheet, handSize, places, whoseNope } from "./page_sheets.js";

/** @import { Game, KittensView, Noted, Now } from "./page_types.js" */
/** @typedef {{text: string, act?: () => unknown}} Deed what a button says and does; nothing: it only says what is waited for */

const ACTIONS = ["attack", "skip", "shuffle", "future"];
const MOMENT_MS = 2000;

/** The match, the entry and the seat that the page shows, as one text. */
let drawn = "";
/** The card that is lifted, and how many of it. */
let picked = { card: "", count: 0 };
/** Whether this phone lets the last card be. */
let lets = false;
let momentEnds = 0;

byId("deck").append(mark("kitten", 76));
byId("deck").onclick = () => deeds(nowShown())[0].act?.();
byId("go").onclick = () => deeds(nowShown())[0].act?.();
byId("other").onclick = () => deeds(nowShown())[1]?.act?.();
byId("odds").onclick = async () => {
  const { board } = nowShown().match;
  const { odds } = await import("/games/exploding-kittens/page_odds.js");
  openSheet({ name: "odds", title: say("web.odds"), close: closeSheet, focus: true, body: [odds(board, seatName)] });
};

onNews((/** @type {Now} */ now) => {
  const { match } = now;
  const { board } = match;
  question(now);
  // News of the camera alone must not take a button from under the thumb.
  const what = JSON.stringify([match.id, match.n, match.players, board.mine?.seat, now.dealt && { ...now.dealt, waited: 0 }]);
  if (what === drawn) return;
  const isFirst = !drawn;
  drawn = what;
  picked = { card: "", count: 0 };
  lets = false;
  draw(now);
  moment(now, isFirst);
  // A sheet tells of the table as it was; a hand half entered is still that hand.
  if (sheetName() && sheetName() !== `hand-${handSize(board)}` && sheetName() !== askedName(now.sighting)) closeSheet();
});

/** @returns {Now} */
function nowShown() {
  return shown();
}

/** @param {Now} now */
function draw(now) {
  players(now);
  sentence(now);
  scene(now);
  tray(now);
}

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
function players({ match: { board }, seat }) {
  keyed(byId("players"), board.seats, (each) => each.seat, () => el("li", {}, el("span", {}, el("span", { class: "name" }), el("small"))), (node, each) => {
    const won = board.outcome?.winners.includes(each.seat);
    const sign = signed(signOf(each.seat), board.seats.indexOf(each));
    set(node, { class: `${each.alive ? "" : "out"} ${won || board.turn === each.seat ? "now" : ""}`, "data-colour": sign["data-colour"] });
    set(query(node, board.seats.length > 2 ? "small" : ".name"), sign);
    set(query(node, ".name"), { text: seatName(each.seat) });
    const computer = computerSaid(each.seat);
    const whose = each.seat === seat ? say("boom.you") : computer;
    const state = !each.alive ? say("boom.exploded") : won ? say("boom.alive") : computer ? String(each.cards) : say("boom.cards", { cards: each.cards });
    set(query(node, "small"), { text: [state, whose].filter(Boolean).join(" · ") });
  });
}

/** @param {Now} now */
function sentence(now) {
  const { board } = now.match;
  const { last, outcome, phase, turn } = board;
  const facts = { seat: seatName(turn ?? ""), turns: board.owed, target: seatName(last?.deed.target ?? ""), card: nameOf(last?.deed.named ?? "") };
  const mine = Boolean(turn && turn === now.seat);
  const { dealt } = now;
  let said = say(mine ? "boom.your-turn" : "boom.turn", facts);
  let kind = mine ? "you" : "";
  if (outcome) said = say("outcome.last-alive", { winner: seatName(outcome.winners[0]) });
  else if (dealt?.waits && last) {
    said = say("boom.nope-asks", { did: doneSaid(last.deed) });
    kind = nopers(now).length && !lets ? "ask" : "";
  } else if (dealt?.in_secret) {
    said = dealt.in_secret === now.seat ? say("boom.hide-it") : say("boom.hides", { seat: seatName(dealt.in_secret) });
    kind = dealt.in_secret === now.seat ? "you" : "";
  } else if (phase === "kitten") said = say(mine ? "boom.you-drew-kitten" : "boom.drew-kitten", facts);
  else if (phase === "asked") said = say("boom.asks", facts);
  set(byId("status"), { "data-kind": outcome ? null : kind || null, "data-phase": phase });
  const at = board.seats.findIndex((each) => each.seat === (dealt?.in_secret || (dealt?.waits ? last?.deed.seat : outcome?.winners[0] ?? turn)));
  byId("status").style.setProperty("--at", String((at + 0.5) / board.seats.length));
  set(query(byId("status"), ".bubble span"), { text: said });
  // What runs goes on, whatever is drawn again; a page that came later begins where the others are.
  const clock = el("i", { "data-n": now.match.n, hidden: !dealt?.waits });
  if (dealt?.waits) clock.style.animation = `runs-out ${dealt.waits}s linear -${dealt.waited}s forwards`;
  if (clock.hidden || !byId("status").querySelector(`.clock i:not([hidden])[data-n="${now.match.n}"]`)) redraw(query(byId("status"), ".clock"), clock);
  set(query(byId("status"), "small"), { text: phase === "turn" && !dealt?.waits && !dealt?.in_secret && board.owed > 1 ? say("boom.owes", facts) : "" });
}

/** @param {Now} now */
function scene(now) {
  const { board } = now.match;
  const [kitten] = board.odds.kinds;
  const { last, mine: own, pile: top } = board;
  set(byId("deck"), { disabled: !deeds(now)[0].act || picked.card !== "" || board.phase !== "turn" });
  set(byId("deck-said"), { text: say("boom.cards", { cards: board.deck }) });
  set(byId("chance"), { hidden: !kitten.within.length, text: say("boom.kitten-chance", { percent: percentOf(kitten.within[0] ?? null) }) });
  redraw(byId("pile"), ...(top ? [mark(top, 72), el("b", { text: shortName(top) })] : []));
  set(byId("pile"), { class: `pile ${last && !last.works ? "stopped" : ""} ${top ? "" : "none"}` });
  set(byId("last"), { text: last ? capital(lastSaid(last)) : "" });
  redraw(byId("noted"), ...(own?.noted ?? []).slice(0, 2).map((note) => el("li", { text: notedSaid(note) })));
  const newest = now.dealt ? undefined : own?.asks.at(-1);
  const correct = own?.lost ? "boom.lost" : "";
  set(byId("tell"), { hidden: !newest && !correct, onclick: () => (newest && newest.what !== "hand" ? ask(board, newest) : handSheet(board)),
    text: newest ? say(newest.what === "hand" ? "boom.correct-asked" : `boom.tell-${newest.what}`, { place: 1 }) : correct && say(correct) });
}

/** What this phone was told of a card or a place, and whether that is still where it was. @param {Noted} note */
function notedSaid({ what, seat, target, cards, place, drawn: drawnSince, shuffled, wrong }) {
  const said = say(`boom.noted-${what}`, { cards: cards.map(nameOf).join(", "), count: place, seat: seatName(seat), target: seatName(target) });
  if (wrong) return `${said} · ${say("boom.noted-wrong")}`;
  if (what !== "saw" && what !== "hid") return said;
  return [said, shuffled ? say("boom.shuffled-since") : drawnSince ? say("boom.drawn-since", { count: drawnSince }) : ""].filter(Boolean).join(" · ");
}

/* A kitten is drawn, and somebody explodes: the whole screen, over all but the tray */

/** @param {Now} now @param {boolean} isFirst */
function moment({ match: { board }, seat }, isFirst) {
  const deed = board.last?.deed;
  const isKitten = board.phase === "kitten";
  const whose = isKitten ? board.turn : deed?.what === "explode" ? deed.seat : "";
  const stays = isKitten && whose === seat;
  clearTimeout(momentEnds);
  const box = byId("moment");
  set(box, { hidden: isKept() || !whose || (isFirst && !stays), "data-stays": stays });
  if (box.hidden || !whose) return;
  const what = isKitten ? "drew-kitten" : "did-explode";
  const said = whose === seat ? say(isKitten ? "boom.you-drew-kitten" : "boom.you-exploded") : say(`boom.${what}`, { seat: seatName(whose) });
  const saved = stays && !board.mine?.unknown ? el("p", { text: say(board.can.defuse && board.mine?.hand.some(({ card }) => card === "defuse") ? "boom.survives" : "boom.without-defuse") }) : el("p");
  box.replaceChildren(el("h2", { text: said }), el("div", { class: isKitten ? "pile" : "pile gone" }, mark("kitten", 150)), saved);
  if (stays && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
  if (!stays) momentEnds = setTimeout(() => set(box, { hidden: true }), MOMENT_MS);
}

/* The tray under the thumb */

/**
 * The cards in the tray: one's own hand where it is known, else the kinds that whoever plays may have played.
 * @param {Now} now @returns {{card: string, count: number, numbers: number[]}[]} `numbers`: how many of it may be played now
 */
function cardsOf(now) {
  const { board } = now.match;
  const { can, mine: own, phase, turn } = board;
  const acts = phase === "turn" && mayAct(now);
  const mine = own && (now.dealt || (own.seat === turn && (!own.unknown || phase === "kitten"))) ? own.hand : null;
  const numbers = (/** @type {string} */ card, /** @type {number} */ count) => {
    if (card === "nope" && nopers(now).length && (now.dealt?.waits || !acts || !mine)) return [1];
    if (!acts) return card === "defuse" && phase === "kitten" && turn === now.seat ? [1] : [];
    const alike = [[2, can.pair], [3, can.three]].filter(([many, kinds]) => count >= Number(many) && /** @type {string[]} */ (kinds).includes(card)).map(([many]) => Number(many));
    return [...(can.play.includes(card) ? [1] : []), ...alike];
  };
  if (mine) return mine.map(({ card, count }) => ({ card, count, numbers: numbers(card, count) }));
  const kinds = [...(phase !== "turn" || nopers(now).length ? ["nope"] : []), ...(phase === "turn" ? [...ACTIONS, "alike"] : [])];
  const row = kinds.map((card) => ({ card, count: 1, numbers: card === "alike" ? (can.pair.length ? [1] : []) : numbers(card, 1) }));
  return own && own.unknown ? [{ card: "hidden", count: own.unknown, numbers: [1] }, ...row] : row;
}

/** @param {string} card @param {number[]} numbers */
function pick(card, numbers) {
  const now = nowShown();
  const { board } = now.match;
  if (card === "hidden") return handSheet(board);
  if (card === "alike") return combo(board);
  const at = picked.card === card ? numbers.indexOf(picked.count) + 1 : 0;
  picked = at < numbers.length ? { card, count: numbers[at] } : { card: "", count: 0 };
  return draw(now);
}

/** @param {Now} now */
function tray(now) {
  const { board } = now.match;
  const over = board.phase === "over";
  const hide = mustHide(now);
  byId("tray").hidden = over;
  if (hide) redraw(byId("hand"), ...places(hide.count, (place) => play({ move: "hid", seat: now.seat, place })));
  else {
    redraw(byId("hand"), ...cardsOf(now).map(({ card, count, numbers }) => el("button", { type: "button", class: "card-in-hand", "data-card": card, disabled: !numbers.length || over,
      "aria-pressed": String(picked.card === card || (numbers.length > 0 && !lets && card === (board.phase === "kitten" ? "defuse" : now.dealt?.waits && "nope"))), "aria-label": nameFor(shortName(card), nameSaid(card, count)), onclick: () => pick(card, numbers) },
    mark(card, 40), el("span", { text: shortName(card) }), ...(count > 1 ? [el("b", { class: "many", text: `×${count}` })] : []))));
  }
  const [main, other] = deeds(now);
  set(byId("go"), { hidden: over, text: main.text, "aria-disabled": main.act ? null : "true" });
  set(byId("other"), { hidden: over || !other, text: other?.text ?? "" });
  set(byId("odds"), { hidden: over || board.phase === "kitten" });
}

/** @param {string} card @param {number} count */
function nameSaid(card, count) {
  if (card === "hidden") return say("boom.tell-hand");
  if (card === "alike") return say("boom.alike-long");
  return nameOf(card) + (count > 1 ? ` × ${count}` : "");
}

/** What the main button does now, and the one beside it. @param {Now} now @returns {Deed[]} */
function deeds(now) {
  const { board } = now.match;
  const { can, last, phase, turn } = board;
  const facts = { seat: seatName(turn ?? ""), card: picked.card ? nameOf(picked.card) : "", count: picked.count };
  const mine = turn === now.seat;
  const waits = { text: say(now.dealt?.waits ? "boom.waits" : "boom.turn", facts) };
  if (mustHide(now)) return [{ text: say("boom.pick-place") }];
  if (picked.card === "nope") return [{ text: say("boom.play-it", facts), act: () => nope(now) }, { text: say("boom.let-be"), act: letBe }];
  if (phase === "kitten" && mayAct(now)) {
    const defuse = { text: say(mine ? "boom.defuse-it" : "boom.defused"), act: () => play({ move: "defuse" }) };
    const explode = { text: say(mine ? "boom.explode" : "boom.explodes"), act: () => play({ move: "explode" }) };
    if (now.dealt) return [holds(now, "defuse") ? defuse : explode];
    return can.defuse ? [defuse, explode] : [explode];
  }
  if (phase === "asked" && !now.dealt) {
    const gave = { text: say("boom.gave", { card: nameOf(last?.deed.named ?? "") }), act: () => play({ move: "answer", given: true }) };
    const none = { text: say("boom.has-none"), act: () => play({ move: "answer", given: false }) };
    return [...(can.answers.includes(true) ? [gave] : []), ...(can.answers.includes(false) ? [none] : [])];
  }
  if (now.dealt?.waits && nopers(now).length && !lets) return [{ text: say("boom.play-it", { card: nameOf("nope") }), act: () => nope(now) }, { text: say("boom.let-be"), act: letBe }];
  if (phase !== "turn" || !mayAct(now)) return [waits];
  if (picked.card) return [{ text: played(facts, mine), act: () => playPicked(board) }];
  if (now.dealt) return [{ text: say("boom.draw-card"), act: () => play({ move: "draw" }) }];
  const drew = { text: say(mine ? "boom.draw" : "boom.did-draw", facts), act: () => play({ move: "draw" }) };
  const kitten = { text: say("boom.kitten"), act: () => play({ move: "kitten" }) };
  return can.draw || can.kitten ? [...(can.draw ? [drew] : []), ...(can.kitten ? [kitten] : [])] : [waits];
}

/** @param {{seat: string, card: string, count: number}} facts @param {boolean} mine */
function played(facts, mine) {
  if (facts.count > 1) return say("boom.play-alike", facts);
  return say(mine ? "boom.play-it" : "boom.did-play", facts);
}

/** @param {KittensView} board */
function playPicked(board) {
  const { card, count } = picked;
  return count > 1 ? combo(board, { move: count === 2 ? "pair" : "three", card }) : play({ move: "play", card });
}

/** @param {Now} now */
function nope(now) {
  const who = nopers(now);
  return who.length === 1 ? play({ move: "nope", seat: who[0] }) : whoseNope(who);
}

function letBe() {
  lets = true;
  picked = { card: "", count: 0 };
  draw(nowShown());
}
