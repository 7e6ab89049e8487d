/** The end of a match, one screen for every game: who won, by how much, why, what made it, what comes next. It comes once a match is over. */

import { byId, el, query, redraw, set, svg } from "./dom.js";
import { say } from "./messages.js";
import { boardOnPage, endingOf, imageOf, ranked, share } from "./share.js";
import { signed } from "./signs.js";

/** @import { Ending, TableNow } from "./types.js" */

/**
 * What the page's own modules give.
 * @typedef {{label: (seat: string) => string, sign: (seat: string) => Record<string, string | null>, send: (path: string) => unknown}} Page
 */

const LOOKS = "looks-of-end";
const CROWN = "M6 36 3 12l12 10L24 6l9 16 12-10-3 24z";
const CONFETTI = { "#f2c230": "M52 17h6v10h-6zM108 70h8v6h-8zM286 60h7v11h-7zM344 26h9v7h-9z", "#1b569f": "M76 54h9v7h-9zM300 88h7v10h-7zM328 62h8v8h-8z", "#d1106e": "M28 84h8v6h-8zM130 24h6v9h-6zM262 30h8v6h-8z" };
/** @type {TableNow} */
let latest; // an end that is still being drawn shows this
let shown = ""; // the match and its last entry, whose ending is shown

/**
 * Show how the match on the table ended and who wants it again; nothing while it goes on.
 * @param {TableNow} now @param {Page} own
 */
export async function ended(now, own) {
  const { match } = now;
  const page = withSigns(own, match.seats);
  const at = match.outcome ? `${match.id} ${match.n}` : "";
  const { documentElement: html } = document;
  latest = now;
  if (at && at === shown) return html.hasAttribute("data-over") ? tray(now, page) : undefined;
  shown = at;
  set(html, { "data-over": null });
  byId("ended").hidden = true;
  if (!at) return document.body.style.removeProperty("--bar");
  const [ending] = await Promise.all([endingOf(match.id), looks(), atRest()]);
  const board = await imageOf(boardOnPage());
  await withoutBar(() => {
    if (at !== shown) return; // another end has come meanwhile, or the match goes on
    draw(match, ending, board, page);
    set(html, { "data-over": true });
    tray(latest, page);
    scrollTo(0, 0);
  });
  return undefined;
}

/** The style sheet of the end, once it is there. */
const looks = () => new Promise((onload) => {
  if (document.getElementById(LOOKS)) onload(null);
  else document.head.append(el("link", { id: LOOKS, rel: "stylesheet", href: "/static/ended.css", onload }));
});

/** Change the page while its bar is away for one frame: a bar that grows would jump. @param {() => void} change */
async function withoutBar(change) {
  const { style } = query(document, ".bar", HTMLElement);
  style.display = "none";
  await new Promise((painted) => { requestAnimationFrame(() => requestAnimationFrame(painted)); });
  style.display = "";
  change();
}

/** Wait until the last move has come to rest on the board. */
const atRest = () => Promise.allSettled(document.getAnimations().filter((moves) => moves.effect?.getComputedTiming().endTime !== Infinity).map((moves) => moves.finished));

/** The animal of a seat; empty where people are no animals. @param {string} seat */
const kindOf = (seat) => ["cat", "dog", "mouse"].find((kind) => seat.startsWith(kind)) ?? "";

/** People without an animal of their own get one by their place. @param {Page} page @param {string[]} seats @returns {Page} */
const withSigns = (page, seats) => ({ ...page, sign: (seat) => (kindOf(seat) ? page.sign(seat) : signed(page.sign(seat), seats.indexOf(seat))) });

/** @param {string} seat @param {Page} page */
function head(seat, page) {
  const [kind, sign] = [kindOf(seat), page.sign(seat)];
  if (!kind && sign["data-sign"]) return el("span", { class: "end-face", ...sign });
  return svg("svg", { class: "end-face", viewBox: "0 0 48 48", "aria-hidden": "true" }, svg("use", { href: `/static/heads.svg#head-${kind || "person"}` }));
}

/** @param {TableNow["match"]} match @param {Ending | null} ending @param {HTMLImageElement | null} board @param {Page} page */
function draw({ outcome }, ending, board, page) {
  const { winners = [], points = {} } = outcome ?? {};
  const heads = winners.filter((seat, n) => !kindOf(seat) || winners.findIndex((other) => kindOf(other) === kindOf(seat)) === n);
  const count = (/** @type {string} */ seat) => el("b", { "data-kind": kindOf(seat), text: String(points[seat]).replace("-", "−") });
  const [first, second, ...more] = Object.keys(points);
  const extra = document.querySelector("[data-at-end]");
  redraw(byId("ended"),
    svg("svg", { class: "confetti", viewBox: "0 0 390 190", "aria-hidden": "true" }, ...(winners.length ? Object.entries(CONFETTI).map(([fill, d]) => svg("path", { fill, d })) : [])),
    el("div", { class: "end-heads" }, ...heads.map((seat) => el("span", {}, svg("svg", { class: "crown", viewBox: "0 0 48 40", "aria-hidden": "true" }, svg("path", { d: CROWN })), head(seat, page)))),
    el("h2", { text: ending?.won ?? say("web.over") }),
    second && !more.length ? el("p", { class: "end-score" }, head(first, page), count(first), " : ", count(second), head(second, page)) : "",
    el("p", { class: "end-why", text: ending?.why ?? "" }),
    board ?? el("ol", { class: "places" }, ...ranked(ending, points).map(({ seat, says, rank }) => el("li", { "data-first": rank === 1 },
      el("em", { text: rank }), head(seat, page), el("span", {}, el("b", { text: page.label(seat) }), el("small", { text: says })), seat in points ? count(seat) : null))),
    ending?.times ? el("p", { class: "end-times", text: ending.times }) : "",
    extra instanceof HTMLElement ? el("button", { type: "button", class: "end-more", text: extra.textContent, onclick: () => extra.click() }) : "");
  set(byId("ended"), { hidden: false, "data-kind": kindOf(winners[0] ?? ""), ...page.sign(winners[0] ?? ""), "data-sign": null });
}

/** Who wants a rematch, and what there is to do. @param {TableNow} now @param {Page} page */
function tray({ match, rematch, seat, role }, page) {
  const bar = query(document, ".bar");
  const box = document.getElementById("end-do") ?? bar.appendChild(el("div", { id: "end-do" }));
  const other = rematch.find((wants) => wants !== seat);
  const waits = !other && rematch.length > 0;
  redraw(box,
    el("p", { id: "wants", role: "status", ...(other ? page.sign(other) : {}), text: other ? say("end.wants", { name: page.label(other) }) : waits ? say("end.asked") : "" }),
    el("a", { id: "look-back-at", class: "button", href: `/history/${match.id}`, text: say("look.back") }),
    el("button", { id: "share", type: "button", text: say("web.share"), onclick: () => share(match, page.label) }),
    ...(seat || role === "host" ? [el("button", { id: "rematch", type: "button", class: "main", disabled: waits, text: say(other ? "end.yes-again" : "web.rematch"),
      onclick: () => page.send(`/api/matches/${match.id}/rematch`) })] : []));
  document.body.style.setProperty("--bar", `${bar.offsetHeight}px`);
}
