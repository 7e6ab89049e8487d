/** What every page does: listen, say how connection and camera fare, undo and redo, the menu. */

import { change, send } from "./act.js";
import { byId, el, query, set } from "./dom.js";
import "./last_moves.js";
import { isKept, onConnection, onNews, start, take } from "./live.js";
import { playerSign, seatLabel, seatName, signOf } from "./names.js";
import { again, takeBack } from "./switch.js";
import { toast } from "./toast.js";
import { say } from "./messages.js";

/** @import { CameraState, Notice, TableNow } from "./types.js" */

const first = document.getElementById("now")?.textContent;
const SAID = "said-after-reload";
const READ = "put-aside-read";
const KEEP_AFTER_MS = 3000; // what a player sees comes first
const AFTER_VIEW_MS = 1000;
const STEPS = /** @type {const} */ (["undo", "redo"]);
/** @type {string[] | null} */
let sitting = null;
let endedAt = ""; // the match and its last entry, whose ending is shown
/** @type {TableNow | null} */
const came = first ? JSON.parse(first) : null;
start(came);
sayAfterReload();
// Browsers call a page secure over https, and on the table's own machine.
// One that keeps nothing, as in a private window, does without.
const keepOnePage = () => import("/static/secure.js").then((its) => its.keepOnePage()).catch(() => {});
if (isSecureContext) addEventListener("load", () => setTimeout(keepOnePage, KEEP_AFTER_MS));
// The scripts of a page have all run by then.
addEventListener("DOMContentLoaded", () => set(document.documentElement, { "data-drawn": true }));

onConnection((connected) => {
  const line = byId("lost");
  line.hidden = connected;
  document.documentElement.classList.toggle("lost", !connected);
});

onNews((now) => {
  const { match, camera } = now;
  byId("not-kept").hidden = now.kept;
  asideLine(now);
  showNotices(now.notices);
  const demo = document.getElementById("demo");
  if (demo) demo.hidden = !now.demo;
  seatChip(now);
  whoseTurn(now);
  cameraChip(camera);
  for (const what of STEPS) {
    const button = document.getElementById(what);
    if (button) set(button, { "aria-disabled": match[`can_${what}`] ? null : "true", hidden: Boolean(now.dealt) || isKept() });
  }
  ended(match);
  const another = document.getElementById("another");
  if (another && !isKept()) {
    another.hidden = !match.outcome;
    set(byId("rematch"), { hidden: !match.outcome || now.role !== "host", onclick: () => again(match.id) });
    byId("redo").hidden = Boolean(now.dealt) || (Boolean(match.outcome) && !match.can_redo);
  }
});

/**
 * What can be done with a match that is over. How to draw it comes when it is asked for.
 * @param {TableNow["match"]} match
 */
function ended(match) {
  const row = document.getElementById("ended");
  if (!row) return;
  set(row, { "data-none": !match.outcome });
  ending(match);
  set(byId("look-back-at"), { href: `/history/${match.id}`, hidden: isKept() });
  byId("share").onclick = async () => (await import("/static/share.js")).share(match, seatLabel);
}

/**
 * Who won, and what decided it; asked for again where a correction changes that.
 * @param {TableNow["match"]} match
 */
async function ending({ id, n, outcome }) {
  const at = outcome ? `${id} ${n}` : "";
  if (at === endedAt || isKept()) return;
  endedAt = at;
  byId("ending").replaceChildren();
  if (outcome) await (await import("/static/ended.js")).ended(byId("ending"), id, seatLabel);
}

/**
 * That another match was put aside for this one is said until it is read, or a move is made.
 * @param {TableNow} now
 */
function asideLine({ match, put_aside: aside }) {
  const line = byId("aside");
  line.hidden = !aside || sessionStorage.getItem(READ) === String(match.id);
  if (!aside) return;
  set(byId("aside-said"), { text: say("web.put-aside-said", { moves: aside.moves }) });
  byId("aside-back").onclick = () => takeBack(aside.id, match.id);
  byId("aside-close").onclick = () => {
    sessionStorage.setItem(READ, String(match.id));
    line.hidden = true;
  };
}

/**
 * The phone whose turn it is looks different from across the table; another says whose move it would record.
 * @param {TableNow} now
 */
function whoseTurn({ match: { turn, outcome, seats }, seat, dealt }) {
  const line = document.getElementById("whose");
  if (!line) return;
  const acts = dealt?.waits ? null : dealt?.in_secret || turn;
  const own = !outcome && seat !== null && acts === seat;
  set(document.documentElement, { "data-own-turn": own });
  const records = turn && seats.includes(turn) ? say("web.records-for", { seat: seatName(turn) }) : say("web.nobodys-turn");
  // Where the table deals, a phone plays for nobody else.
  const other = dealt ? "" : records;
  set(line, { text: outcome ? "" : own ? say("web.own-turn") : other });
}

/** @param {CameraState | null} camera */
function cameraChip(camera) {
  const chip = byId("camera");
  const kind = camera ? camera.kind : "none";
  const needs = kind === "ok" ? camera?.needs : "";
  const asks = needs ? `web.needs-${needs}` : `web.eye-${kind}`;
  set(chip, { "data-kind": needs ? "needs" : kind });
  set(byId("camera-said"), { text: say(asks) });
}

/** @param {Notice[]} notices */
function showNotices(notices) {
  const unread = notices.filter((notice) => !localStorage.getItem(JSON.stringify(notice)));
  const lines = unread.map((notice) => {
    const onclick = () => {
      localStorage.setItem(JSON.stringify(notice), "1");
      showNotices(notices);
    };
    const close = el("button", { class: "icon", text: "✕", "aria-label": say("web.close"), onclick });
    return el("p", { class: "lost-line" }, say(`notice.${notice.key}`, notice.facts), close);
  });
  const shown = byId("notices");
  if (shown.textContent !== lines.map((line) => line.textContent).join("")) shown.replaceChildren(...lines);
}

/** @param {TableNow} now */
function seatChip(now) {
  const { seat } = now;
  if (came && seat !== came.seat && document.documentElement.dataset.leaves === undefined) {
    // Nothing that was shown to the old seat may stay on the page.
    if (came.seat) sessionStorage.setItem(SAID, say("web.no-longer-sits", { seat: seatLabel(came.seat) }));
    location.reload();
  }
  const chip = byId("seat");
  set(chip, { "data-sits": Boolean(seat), ...(seat ? signOf(seat) : playerSign({})) });
  set(document.documentElement, { "data-colour": chip.dataset.colour });
  const { hides, page } = document.documentElement.dataset;
  chip.hidden = page === "join" || page === "welcome" || (!seat && hides === undefined && now.role !== "watcher");
  set(byId("seat-said"), { text: seat ? seatLabel(seat) : say("web.take-a-seat") });
  seatsNews(now);
  doorLine(now);
}

/**
 * Who asks to join, with the button that lets it in; the page of seats has its own.
 * @param {TableNow} now
 */
function doorLine({ askers: [asker] }) {
  byId("door").hidden = !asker || document.documentElement.dataset.page === "join";
  if (!asker) return;
  const { name, number } = asker;
  set(byId("door-said"), { ...playerSign(asker), text: say(name ? "web.asks-by-name" : "web.phone-asks", { name, number }) });
  byId("door-in").onclick = () => send("/api/seats/let-in", { number });
}

/**
 * Whoever sits down or stands up is told to all: nobody takes a seat, or loses one, unseen.
 * @param {TableNow} now
 */
function seatsNews(now) {
  const before = sitting;
  sitting = now.sitting;
  if (!before) return;
  const news = [
    ...now.sitting.filter((seat) => !before.includes(seat)).map((seat) => say("web.sits-now", { seat: seatLabel(seat) })),
    ...before.filter((seat) => !now.sitting.includes(seat) && now.match.seats.includes(seat)).map((seat) => say("web.stands-now", { seat: seatLabel(seat) })),
  ];
  if (news.length) toast(news.join(" "));
}

function sayAfterReload() {
  const said = sessionStorage.getItem(SAID);
  sessionStorage.removeItem(SAID);
  if (said) toast(said, "refusal");
}

for (const what of STEPS) {
  const button = document.getElementById(what);
  button?.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") === "true") toast(say(`rule.nothing-to-${what}`));
    else change(`/api/${what}`);
  });
}

document.getElementById("demo-end")?.addEventListener("click", async () => {
  /** @type {TableNow | null} */
  const now = await send("/api/demo/leave");
  if (!now) return;
  take(now);
  toast(say("web.demo-left"));
});

const menu = byId("menu");
addEventListener("click", ({ target }) => {
  if (target instanceof Node && !menu.contains(target)) menu.removeAttribute("open");
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu.hasAttribute("open")) return;
  menu.removeAttribute("open");
  query(menu, "summary").focus();
});

/** What is heard, what keeps the screen on, the chart of a live match: the first view waits for none of it. */
if (document.getElementById("sounds")) {
  const later = () => import("/static/later.js").then((its) => its.later({ onNews, label: seatLabel, say })).catch(() => {});
  addEventListener("load", () => setTimeout(later, AFTER_VIEW_MS));
}
