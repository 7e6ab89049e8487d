/** The hall's page: every table, the round, the standings; for a referee what can be done. */

import { byId, el, keyed, query, set } from "/static/dom.js";
import { capital, say } from "/static/messages.js";
import { toast } from "/static/toast.js";

/** @import { HallShown, PairingShown, PlayerShown, SeatShown, StandingShown, TableShown } from "./hall_types.js" */

const SILENT_MS = 25000;
const BOARD_PX = 800; // the width of a board before it is shrunk to its card
const TURN_MS = 15000; // how long the big screen shows the standings

const { referee, big } = document.documentElement.dataset;
const isReferee = referee !== undefined;
const isBig = big !== undefined;

/** @type {HallShown} */
let now = JSON.parse(byId("now").textContent || "null");

/** @param {number} score in wins */
const scoreSaid = (score) => score.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 });

/**
 * Ask the hall to do something; a refusal is said.
 * @param {string} path @param {object} body
 */
async function ask(path, body) {
  try {
    const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) toast((await answer.json()).says, "refusal");
    return answer.ok;
  } catch {
    toast(say("page.no-hall"), "refusal");
    return false;
  }
}

/** @param {TableShown} table @param {SeatShown} seat */
const seatSaid = (table, seat) => seat.player || capital(say(`seat.${table.game}.${seat.seat}`).replace(`seat.${table.game}.`, ""));

/** @param {TableShown} table what is to be said first of a table */
function tableState(table) {
  if (!table.is_online) return "offline";
  if (table.referee === "called") return "referee";
  if (table.called) return "calls";
  if (!table.camera_ok) return "blind";
  if (table.asks) return "asks";
  if (table.paused) return "paused";
  if (!table.is_free) return ""; // a match of the evening is on it, whether it has begun or not
  return table.over || !table.moves ? "free" : "";
}

/** Cards all have one width: the boards in them are drawn large and shown small, so that a card is a small big screen. */
const widths = new ResizeObserver(([first]) => {
  if (first) byId("cards").style.setProperty("--shrunk", String(first.contentRect.width / BOARD_PX));
});

/** @param {HTMLIFrameElement} frame whose board has changed */
const look = (frame) => frame.contentWindow?.dispatchEvent(new Event("look"));

/** The board of a table; a browser loads it once it comes into view. @param {TableShown} table */
function board(table) {
  const { lang } = document.documentElement;
  const frame = el("iframe", { loading: "lazy", tabindex: "-1", "aria-hidden": "true", title: table.title, src: `/cards/${encodeURIComponent(table.name)}?lang=${lang}` });
  // What happened while it was loading is looked at as well.
  frame.addEventListener("load", () => look(frame));
  return frame;
}

/** @param {Element} node @param {TableShown} table */
function drawBoard(node, table) {
  const of = query(node, ".board", HTMLElement);
  const frame = of.querySelector("iframe");
  if (!table.match) of.replaceChildren();
  else if (!frame) of.append(board(table));
  else if (of.dataset.changes !== String(table.changes)) look(frame);
  of.dataset.changes = String(table.changes);
}

function drawTables() {
  const row = () => {
    const link = el("a", {}, el("span", { class: "name" }, el("span"), el("span")), el("span", { class: "quiet game" }), el("div", { class: "seats" }));
    const card = el("li", {}, el("div", { class: "board" }), link);
    widths.disconnect();
    widths.observe(card);
    return card;
  };
  keyed(byId("cards"), now.tables, (table) => table.name, row, (node, table) => {
    const state = tableState(table);
    const link = query(node, "a", HTMLAnchorElement);
    const wants = ["referee", "calls", "blind", "asks"].includes(state);
    set(link, { href: table.match ? `/boards/${encodeURIComponent(table.name)}` : null, "data-online": table.is_online ? "yes" : "no", "data-wants": wants || null });
    const [title, said] = query(node, ".name").children;
    set(title, { text: table.title });
    set(said, { text: state ? say(`table.${state}`) : say("page.moves", { moves: table.moves }) });
    const game = table.game ? say(`game.${table.game}`) : "";
    set(query(node, ".game"), { text: [game, table.version].filter(Boolean).join(" · ") });
    keyed(query(node, ".seats"), table.seats, (seat) => seat.seat, () => el("span", { class: "seat" }, el("span"), el("b")), (line, seat) => {
      set(line, { "data-turn": (table.over ? seat.won : seat.is_turn) || null });
      set(line.children[0], { text: seatSaid(table, seat) });
      set(line.children[1], { text: seat.points ?? "" });
    });
    drawBoard(node, table);
  });
  byId("no-tables").hidden = now.tables.length > 0;
  const online = now.tables.filter((table) => table.is_online).length;
  set(byId("online"), { text: now.tables.length ? say("page.online", { online, tables: now.tables.length }) : "" });
}

/**
 * What a table and the referee want of each other: the line, what a referee taps, and what that does.
 * @param {TableShown} table
 * @returns {{id: string, table: TableShown, said: string, tap: string, path: string, body: object}[]}
 */
function calls(table) {
  const { name } = table;
  const lines = [];
  const path = "/api/referee/comes";
  if (table.referee === "called") lines.push({ id: `wants ${name}`, table, said: "page.wants", tap: "page.i-come", path, body: { table: name } });
  if (table.referee === "comes") lines.push({ id: `comes ${name}`, table, said: "page.comes", tap: "page.done", path, body: { table: name, comes: false } });
  if (table.called) lines.push({ id: `called ${name}`, table, said: "page.calls", tap: "page.came", path: "/api/calls", body: { table: name, on: false } });
  return lines;
}

function drawCalls() {
  const calling = now.tables.filter((table) => table.is_online).flatMap(calls);
  byId("calls").hidden = !calling.length;
  keyed(byId("calls"), calling, (call) => call.id, () => el("p", {}, el("span"), isReferee ? el("button", { type: "button" }) : null), (node, call) => {
    set(query(node, "span"), { text: say(call.said, { table: call.table.title }) });
    if (isReferee) set(query(node, "button"), { text: say(call.tap), onclick: () => ask(call.path, call.body) });
  });
}

/** @param {PairingShown} pairing @param {PlayerShown[]} first who shares the first place */
function correct(pairing, first) {
  const ranks = Object.fromEntries(pairing.players.map((player) => [player.id, first.includes(player) ? 1 : 2]));
  return ask("/api/results", { pairing: pairing.id, ranks });
}

/** @param {PairingShown} pairing what a referee can do with a match */
function means(pairing) {
  const wins = pairing.players.map((player) => el("button", { type: "button", text: say("page.wins", { player: player.name }), onclick: () => correct(pairing, [player]) }));
  const shared = el("button", { type: "button", text: say("page.draw"), onclick: () => correct(pairing, pairing.players) });
  const free = pairing.state === "over" ? [] : now.tables.filter((table) => table.is_free);
  const moves = free.slice(0, 3).map((table) => el("button", { type: "button", text: say("page.to-table", { table: table.title }), onclick: () => ask("/api/tables/move", { pairing: pairing.id, table: table.name }) }));
  const call = pairing.table ? [el("button", { type: "button", text: say("page.call"), onclick: () => ask("/api/calls", { table: pairing.table }) })] : [];
  return el("div", { class: "row" }, ...wins, shared, ...moves, ...call);
}

/**
 * Offer what a referee can do. What is offered already stays: a button that is replaced loses the tap on it.
 * @param {HTMLElement} node @param {PairingShown} pairing
 */
function offer(node, pairing) {
  const free = now.tables.filter((table) => table.is_free).map((table) => table.name);
  const offered = JSON.stringify([pairing, pairing.state === "over" ? [] : free.slice(0, 3)]);
  if (node.dataset.offered === offered) return;
  node.dataset.offered = offered;
  node.replaceChildren(means(pairing));
}

function drawRound() {
  const round = now.rounds[0];
  const free = now.plan?.kind === "free";
  // In free play each match is a round of its own: those that are played, and the newest results.
  const pairings = free ? now.rounds.flatMap((each) => each.pairings).filter((each, n) => each.state !== "over" || n < 12) : round?.pairings ?? [];
  byId("round").hidden = !pairings.length;
  if (!round) return;
  const of = now.plan?.kind === "swiss" && now.plan.rounds ? "page.round-of" : "page.round";
  set(query(byId("round"), "h2"), { text: free ? say("page.matches") : say(of, { round: round.number, rounds: now.plan?.rounds ?? 0 }) });
  const row = () => el("li", {}, el("span", { class: "where" }, el("span"), el("span")), el("div", { class: "players" }), isReferee ? el("details", {}, el("summary", { text: say("page.correct") }), el("div")) : null);
  keyed(byId("pairings"), pairings, (pairing) => pairing.id, row, (node, pairing) => {
    set(node, { "data-state": pairing.state });
    const table = now.tables.find((each) => each.name === pairing.table);
    const [where, state] = query(node, ".where").children;
    set(where, { text: table?.title ?? pairing.table });
    set(state, { text: say(pairing.by === "referee" ? "state.by-referee" : `state.${pairing.state}`) });
    keyed(query(node, ".players"), pairing.players, (player) => player.id, () => el("span", { class: "who" }, el("span"), el("b")), (line, player) => {
      set(line.children[0], { text: player.name });
      set(line.children[1], { text: player.score === null ? "" : scoreSaid(player.score) });
    });
    if (isReferee) offer(query(node, "details > div"), pairing);
  });
  const list = new Intl.ListFormat(document.documentElement.lang);
  set(byId("byes"), { text: round.byes.length ? say("page.byes", { players: list.format(round.byes), count: round.byes.length }) : "" });
}

function drawStandings() {
  byId("standings").hidden = !now.standings.length;
  const row = () => el("tr", {}, ...Array.from({ length: 5 }, () => el("td")), isReferee ? el("td", {}, el("button", { type: "button", text: say("page.leaves") })) : null);
  keyed(byId("rows"), now.standings, (each) => each.id, row, (node, each) => {
    set(node, { "data-gone": !each.here || null });
    const said = [each.place, each.name, scoreSaid(each.score), scoreSaid(each.opponents), each.played];
    said.forEach((text, n) => set(node.children[n], { text }));
    if (isReferee) set(query(node, "button"), { hidden: !each.here, "aria-label": `${say("page.leaves")}: ${each.name}`, onclick: () => ask("/api/players/leave", { player: each.id }) });
  });
  byId("waiting").hidden = !now.waiting.length || !now.rounds.length || now.over;
  set(query(byId("waiting"), "p"), { text: new Intl.ListFormat(document.documentElement.lang).format(now.waiting) });
}

function draw() {
  set(document.documentElement, { "data-drawn": true });
  byId("lost").hidden = now.connected;
  set(byId("title"), { text: now.plan?.name ?? say("page.name") });
  drawCalls();
  const winner = byId("winner");
  winner.hidden = !now.winners.length;
  set(query(winner, "h2"), { text: say("page.won", { winners: now.winners.length }) });
  set(query(winner, "p"), { text: new Intl.ListFormat(document.documentElement.lang).format(now.winners) });
  drawRound();
  drawStandings();
  if (isBig) return;
  drawTables();
  if (isReferee) drawReferee();
}

function drawReferee() {
  const { plan } = now;
  const next = byId("next");
  next.hidden = !plan || plan.kind === "free" || now.over;
  if (!plan) byId("plan").setAttribute("open", "");
}

function fillPlan() {
  const form = byId("planned", HTMLFormElement);
  if (!now.plan) return;
  for (const name of /** @type {const} */ (["name", "game", "kind", "seats", "rounds"])) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = String(now.plan[name]);
  }
}

/** @param {HTMLFormElement} form */
const fields = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

function beReferee() {
  fillPlan();
  byId("planned", HTMLFormElement).onsubmit = async (event) => {
    event.preventDefault();
    const typed = fields(byId("planned", HTMLFormElement));
    const kept = await ask("/api/plan", { ...typed, seats: Number(typed.seats), rounds: Number(typed.rounds) });
    if (kept) byId("plan").removeAttribute("open");
  };
  byId("add", HTMLFormElement).onsubmit = async (event) => {
    event.preventDefault();
    if (await ask("/api/players", fields(byId("add", HTMLFormElement)))) byId("add", HTMLFormElement).reset();
  };
  byId("next").onclick = () => ask("/api/rounds", {});
}

let silent = 0;

/** @param {boolean} isThere whether the hall is heard */
function heard(isThere) {
  byId("no-hall").hidden = isThere;
  document.documentElement.classList.toggle("lost", !isThere);
  clearTimeout(silent);
  if (isThere) silent = setTimeout(() => heard(false), SILENT_MS);
}

function listen() {
  const source = new EventSource("/api/events");
  source.addEventListener("open", () => heard(true));
  source.addEventListener("beat", () => heard(true));
  source.addEventListener("hall", (event) => {
    heard(true);
    now = JSON.parse(event.data);
    draw();
  });
  source.addEventListener("error", () => {
    heard(false);
    // The browser comes back by itself, unless it was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  });
  addEventListener("pagehide", () => source.close(), { once: true });
}

/** The big screen goes down the standings, however long they are, then turns on. */
function turn() {
  const begun = performance.now();
  setInterval(() => {
    const part = (performance.now() - begun) / TURN_MS;
    scrollTo({ top: (document.documentElement.scrollHeight - innerHeight) * (2 * part - 0.5) });
    if (part >= 1) location.replace(`/big?lang=${document.documentElement.lang}`);
  }, 50);
}

draw();
if (isReferee && !isBig) beReferee();
const pin = document.getElementById("pin");
if (pin instanceof HTMLFormElement) {
  pin.onsubmit = async (event) => {
    event.preventDefault();
    if (await ask("/api/referee", fields(pin))) location.reload();
  };
}
if (isBig) turn();
listen();
