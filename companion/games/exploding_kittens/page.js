/** The page of Exploding Kittens: what is shown, and what taps on it do. */

import { answer, play } from "/static/act.js";
import { askedName, askSheet, breaksSheet } from "/static/asks.js";
import { byId, el, keyed, set } from "/static/dom.js";
import { current, onNews } from "/static/live.js";
import { closeSheet, sheetName } from "/static/sheet.js";
import { capital, known, say } from "/static/messages.js";
import { ask, button, combo, handSheet, handSize, mark, nameOf, percent, why, whyKind, whyRisk } from "./page_sheets.js";

const ACTIONS = ["attack", "skip", "shuffle", "future"];

let shown = "";
let aside = 0;

onNews((now) => {
  const { match } = now;
  const { board } = match;
  question(now);
  // News of the camera alone must not take a button from under the thumb.
  const what = JSON.stringify([match.id, match.n, match.players, board.mine?.seat]);
  if (what === shown) return;
  shown = what;
  status(now);
  next(board);
  mine(board);
  players(now);
  kinds(board);
  tray(now);
  // A sheet tells of the table as it was, and is asked for anew; a hand half entered is still that hand.
  if (sheetName() && sheetName() !== `hand-${handSize(board)}` && sheetName() !== asked(now)) closeSheet();
});

/* What the camera saw and cannot say alone */

function asked({ sighting }) {
  return askedName(sighting, aside);
}

function question(now) {
  const { sighting } = now;
  if (!asked(now)) return sheetName().startsWith("seen-") ? closeSheet() : undefined;
  if (sheetName().startsWith("hand-")) return undefined;
  const close = () => { aside = sighting.id; closeSheet(); };
  if (sighting.verdict === "breaks") return breaksSheet(sighting, { title: say("boom.card-breaks"), close, facts: named(sighting.facts) });
  return askSheet(now, { unclear: "why.card-unclear", choices: sighting.guesses.map((guess, n) => guessButton(guess.moves[0], () => answer(sighting.id, n))), close });
}

function named(facts) {
  return Object.fromEntries(Object.entries(facts).map(([fact, is]) => [fact, known(`name.${is}`) ? nameOf(is) : is]));
}

function guessButton(move, onclick) {
  const card = move.card ?? { kitten: "kitten", defuse: "defuse", nope: "nope" }[move.move];
  const whose = move.seat ?? move.target;
  const said = whose ? say(move.target ? "boom.guess-pair" : "boom.guess-by", { card: say(`name.${card}`), seat: nameOf(whose) }) : say(`name.${card}`);
  return el("button", { type: "button", onclick }, mark(card), el("span", { text: said }));
}

/* What is shown */

function status({ match }) {
  const { board } = match;
  const seat = board.mine?.seat;
  const line = byId("status");
  const facts = { seat: nameOf(board.turn ?? ""), turns: board.owed };
  let said = say(board.turn === seat ? "boom.your-turn" : "boom.turn", facts);
  if (board.phase === "over") said = say("outcome.last-alive", { winner: nameOf(board.outcome.winners[0]) });
  else if (board.phase === "kitten") said = say("boom.drew-kitten", facts);
  else if (board.owed > 1) said += ` · ${say("boom.owes", facts)}`;
  set(line, { text: said, "data-kind": board.phase });
}

function next(board) {
  const { odds } = board;
  byId("next").hidden = board.phase === "over";
  const [kitten, defuse] = ["kitten", "defuse"].map((card) => odds.kinds.find((kind) => kind.card === card));
  set(byId("deck"), { text: say("boom.deck", { deck: board.deck, kittens: board.kittens }) });
  const figures = [];
  if (kitten.within.length) {
    figures.push(figure("kitten", percent(kitten.within[0]), say("boom.short-kitten"), () => whyKind(board, kitten)));
    if (odds.this_draw) figures.push(figure("explode", percent(odds.this_draw.explode), say("boom.explodes-draw"), () => whyRisk(board, odds.this_draw)));
    if (odds.this_turn && board.owed > 1) figures.push(figure("explode", percent(odds.this_turn.explode), say("boom.explodes-turns", { turns: odds.this_turn.draws }), () => whyRisk(board, odds.this_turn)));
    figures.push(figure("defuse", percent(defuse.within[0]), say("name.defuse"), () => whyKind(board, defuse)));
  }
  byId("big").replaceChildren(...figures);
  byId("ahead").replaceChildren(...kitten.within.map((chance, n) => step(board, kitten, chance, n + 1)));
  byId("rough").hidden = !odds.rough;
}

function figure(kind, value, name, onclick) {
  return el("button", { type: "button", class: `figure ${kind}`, onclick }, el("b", { text: value }), el("span", { text: name }));
}

/** One of the next n cards is a kitten: a column as high as the chance. */
function step(board, kitten, chance, n) {
  const bar = el("span", { class: "bar-fill" });
  bar.style.height = `${chance.percent === "<0.1" ? 0 : chance.percent === ">99.9" ? 100 : chance.percent}%`;
  return el("button", { type: "button", class: "step", onclick: () => whyKind(board, kitten, n) },
    el("span", { class: "unseen", text: say("boom.short-kitten") }), el("span", { class: "bar-box" }, bar), el("b", { text: percent(chance) }), el("span", { class: "quiet", text: say("boom.next-n", { count: n }) }));
}

function mine(board) {
  const box = byId("mine");
  const own = board.mine;
  box.hidden = !own;
  if (!own) return;
  const chips = own.hand.map(({ card, count }) => chip(board, card, count));
  if (own.unknown) chips.push(el("span", { class: "unknown", text: say("boom.unknown", { count: own.unknown }) }));
  chips.push(button(own.unknown ? "boom.tell-hand" : "boom.correct-hand", () => handSheet(board), "", { class: own.unknown && !own.asks.length ? "main" : null }));
  byId("hand").replaceChildren(...(own.lost ? [el("p", { class: "warning", text: say("boom.lost") })] : []), ...chips);
  byId("effects").replaceChildren(...own.effects.map((effect) => effectRow(board, effect)));
  byId("noted").hidden = !own.noted.length;
  byId("noted").querySelector("ul").replaceChildren(...own.noted.map((note) => el("li", { text: notedSaid(note) })));
}

function chip(board, card, count) {
  const name = `${say(`name.${card}`)}${count > 1 ? ` × ${count}` : ""}`;
  return el("span", { class: "own", "data-card": card }, mark(card), el("span", { text: name }));
}

/** What this phone was told of a card or a place, and whether that is still where it was. */
function notedSaid({ what, seat, target, cards, place, drawn, shuffled }) {
  const named = cards.map((card) => say(`name.${card}`)).join(", ");
  const said = say(`boom.noted-${what}`, { cards: named, count: place, seat: nameOf(seat), target: nameOf(target) });
  if (what !== "saw" && what !== "hid") return said;
  return [said, shuffled ? say("boom.shuffled-since") : drawn ? say("boom.drawn-since", { count: drawn }) : ""].filter(Boolean).join(" · ");
}

function effectRow(board, effect) {
  const same = effect.card === "future";
  const after = same ? say("boom.look") : percent(effect.after.explode);
  return el("button", { type: "button", class: "effect", onclick: () => why(board, effect) },
    mark(effect.card), el("span", { text: say(`name.${effect.card}`) }),
    el("b", { text: percent(effect.before.explode) }), el("span", { "aria-hidden": "true", text: "→" }), el("b", { class: same ? "" : "after", text: after }));
}

function players({ match }) {
  const { board } = match;
  const seat = board.mine?.seat;
  keyed(byId("players"), board.seats, (each) => each.seat, () => el("li"), (node, each) => {
    const won = board.outcome?.winners.includes(each.seat);
    set(node, { class: `${each.alive ? "" : "out"} ${won || board.turn === each.seat ? "now" : ""}` });
    const head = el("span", { class: "who" }, nameOf(each.seat) + (each.seat === seat ? ` (${say("boom.you")})` : ""));
    if (!each.alive) return node.replaceChildren(head, el("span", { class: "quiet", text: say("boom.exploded") }));
    if (won) return node.replaceChildren(head, el("span", { class: "quiet", text: say("boom.alive") }));
    const facts = { cards: each.cards, defuse: each.defuse.percent, nope: each.nope.percent };
    const about = el("span", { class: "quiet", text: say("boom.holds", facts) });
    const ahead = each.ahead
      ? el("button", { type: "button", class: "ahead-of", onclick: () => whyRisk(board, each.ahead.risk, each) }, say(!each.ahead.draws ? "boom.then-at-once" : each.seat === seat ? "boom.then" : "boom.then-theirs", { draws: each.ahead.draws, percent: each.ahead.risk.explode.percent }))
      : el("span", { class: "quiet", text: say("boom.deck-ends") });
    return node.replaceChildren(head, about, ahead);
  });
}

function kinds({ odds, phase }) {
  byId("every-card").hidden = phase === "over";
  const most = odds.kinds[0].within.length;
  set(byId("within-head"), { text: most ? say("boom.next-n", { count: most }) : "" });
  keyed(byId("kinds"), odds.kinds, (kind) => kind.card, kindRow, (row, kind) => {
    const [name, left, one, some] = row.children;
    set(name.firstChild, { onclick: () => whyKind(current().match.board, kind) });
    set(left, { text: kind.unseen });
    set(one, { text: kind.within.length ? percent(kind.within[0]) : "–" });
    set(some, { text: kind.within.length ? percent(kind.within.at(-1)) : "–" });
  });
}

function kindRow(kind) {
  const name = el("button", { type: "button", class: "kind" }, mark(kind.card), el("span", { text: say(`name.${kind.card}`) }));
  return el("tr", {}, el("td", {}, name), el("td"), el("td"), el("td"));
}

/* The tray under the thumb */

function tray(now) {
  const { board } = now.match;
  const over = board.phase === "over";
  byId("tray").hidden = over;
  if (over) return;
  lastDone(now);
  tell(now);
  const turn = board.phase === "turn";
  byId("plays").hidden = !turn;
  byId("plays").replaceChildren(
    ...ACTIONS.map((card) => act(board.can.play.includes(card) && mayHold(board, card), () => play({ move: "play", card }), mark(card), say(`boom.short-${card}`), say(`name.${card}`))),
    act(board.can.pair.length > 0, () => combo(board), el("b", { class: "mark", "data-sign": "2·3" }), say("boom.alike"), say("boom.alike-long")));
  byId("draws").replaceChildren(...draws(board));
}

/** Whether the player may hold a card, as this phone knows: its own hand, if all of it was entered. */
function mayHold({ mine: own, turn }, card) {
  return own?.seat !== turn || own.unknown > 0 || own.hand.some((held) => held.card === card);
}

function act(can, onclick, sign, text, label) {
  return el("button", { type: "button", "aria-label": label, disabled: !can, onclick }, sign, el("span", { text }));
}

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
      button("boom.gave", () => play({ move: "answer", given: true }), last.deed.named, { class: "main", disabled: !can.answers.includes(true) }),
      button("boom.has-none", () => play({ move: "answer", given: false }), "", { disabled: !can.answers.includes(false) }),
    ];
  }
  return [
    button("boom.draw", () => play({ move: "draw" }), "", { class: "main wide", disabled: !can.draw }),
    button("boom.kitten", () => play({ move: "kitten" }), "kitten", { class: "danger", disabled: !can.kitten }),
  ];
}

function lastDone({ match }) {
  const { last, mine: own } = match.board;
  const seat = own?.seat;
  const box = byId("last");
  box.hidden = !last;
  if (!last) return;
  const { deed, nopers, works } = last;
  const facts = { seat: nameOf(deed.seat), card: say(`name.${deed.card || "kitten"}`), target: nameOf(deed.target ?? ""), named: deed.named ? say(`name.${deed.named}`) : "" };
  const nopes = deed.nopes?.length ?? 0;
  const said = say(`boom.did-${deed.what}`, facts) + (nopes ? ` · ${say(works ? "boom.noped-back" : "boom.noped", { count: nopes })}` : "");
  const without = own && !own.unknown && !own.hand.some(({ card }) => card === "nope");
  const order = nopers.filter((each) => each !== seat || !without).sort((one, two) => (two === seat) - (one === seat));
  const latest = deed.nopes?.at(-1) ?? deed.seat;
  const nope = (each, mine) => el("button", { type: "button", class: mine && latest !== seat ? "nope-by main" : "nope-by", onclick: () => play({ move: "nope", seat: each }) },
    mark("nope"), el("span", { text: mine ? say("boom.nope") : nameOf(each) }));
  box.replaceChildren(el("p", { class: works ? "" : "stopped", text: capital(said) }),
    ...(order.length ? [el("div", { class: "nopes", role: "group", "aria-label": say("boom.nope-by") }, ...order.map((each) => nope(each, each === seat)))] : []));
}

/** What this phone's seat could tell, the newest first: one tap. */
function tell({ match }) {
  const asks = match.board.mine?.asks ?? [];
  byId("tell").hidden = !asks.length;
  byId("tell").replaceChildren(...(asks.length ? ask(match.board, asks.at(-1)) : []));
}
