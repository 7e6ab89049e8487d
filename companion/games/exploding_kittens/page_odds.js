/** The odds of the deck: one sentence, the next cards, every kind, what a card would change, what the others may hold. */

import { el } from "/static/dom.js";
import { nameOf } from "/static/names.js";
import { say } from "/static/messages.js";
import { chanceOf, chanceSaid, mark, percentOf, step } from "./page_figures.js";

/** @import { Chance, Effect, KittensView, SeatView } from "./page_types.js" */
/** @typedef {(seat: string) => string} Name */

/** @param {Chance} chance */
const exact = (chance) => (chance.exact === "0" || chance.exact === "1" ? chanceSaid(chance) : `${chance.exact} ≈ ${chanceSaid(chance)}`);

/** @param {KittensView} board @param {Name} name */
export function odds(board, name) {
  const { kinds, this_turn: turn, rough } = board.odds;
  const [{ within }] = kinds;
  const may = within.length ? [el("p", { class: "answer" }, mark("kitten", 44), el("span", {}, el("b", { text: chanceSaid(within[0]) }), ` ${say("boom.next-kitten")} `,
    ...(turn && board.owed > 1 ? [say("boom.explodes-turns", { turns: turn.draws, percent: percentOf(turn.explode) })] : []))),
  el("h3", { text: say("boom.kitten-within") }), el("div", { class: "steps" }, ...within.map((chance, n) => step(chance, n + 1)))] : [];
  const changes = (board.mine?.effects ?? []).filter(({ before, after }) => before.explode.exact !== after.explode.exact);
  const known = board.odds.facts.map((fact) => say(`fact.${fact.name}`, { seat: name(fact.seat), count: fact.count, cards: fact.cards.map(nameOf).join(", ") }));
  return el("div", { class: "odds" }, ...may,
    el("h3", { text: say("boom.every-card") }),
    table(["card", "left", "next"], kinds.map((kind) => [named(kind.card), kind.unseen, kind.within[0] ? exact(kind.within[0]) : "–"])),
    ...(changes.length ? [el("h3", { text: say("boom.changes") }), pairs(changes.map(changed))] : []),
    ...board.seats.filter(({ alive, cards }) => alive && cards).map((each) => hand(board, each, name)),
    el("h3", { text: say("boom.known") }), el("ul", { class: "facts" }, ...[...known, say("boom.plays-read"), say(rough ? "boom.rough" : "boom.exact")].map((text) => el("li", { text }))));
}

/** @param {string} card */
const named = (card) => el("span", { class: "kind" }, mark(card), nameOf(card));

/** @param {[string, string][]} rows */
const pairs = (rows) => el("dl", { class: "pairs" }, ...rows.flatMap(([term, value]) => [el("dt", { text: term }), el("dd", { text: value })]));

/** @param {string[]} heads @param {(string | number | Node)[][]} rows */
const table = (heads, rows) => el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((each) => el("th", { scope: "col", text: say(`boom.${each}`) })))),
  el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell instanceof Node ? cell : String(cell)))))));

/** What a card in the hand would do to the danger of this turn. @param {Effect} effect @returns {[string, string]} */
const changed = ({ card, before, after }) => [nameOf(card), `${chanceSaid(before.explode)} → ${chanceSaid(after.explode)}`];

/** What a player's hand may hold, and how dangerous the next turn is. @param {KittensView} board @param {SeatView} each @param {Name} name */
function hand(board, each, name) {
  const may = each.hand.filter(({ holds }) => chanceOf(holds) > 0);
  const theft = board.mine?.thefts.find(({ target }) => target === each.seat);
  const facts = { defuse: percentOf(each.defuse), nope: percentOf(each.nope) };
  /** @type {[string, string][]} */
  const rows = each.ahead ? [[say("boom.then", { draws: each.ahead.draws }), chanceSaid(each.ahead.risk.explode)]] : [];
  if (theft) rows.push([say("boom.after-theft", { seat: name(each.seat) }), chanceSaid(theft.after.explode)]);
  return el("details", {}, el("summary", { class: "more" }, el("span", {}, name(each.seat), el("br"), el("small", { text: say("boom.holds", facts) }))), pairs(rows),
    table(["card", "holds-one", "blind"], may.map(({ card, sure, holds, drawn }) => [named(card), sure ? `× ${sure}` : exact(holds), exact(drawn)])));
}
