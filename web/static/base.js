/** What every page does: listen, say how connection and camera fare, undo and redo, the menu. */

import { change, send } from "./act.js";
import { byId, query, set } from "./dom.js";
import { isKept, onConnection, onNews, SAID, start } from "./live.js";
import { nameOf, playerSign, seatLabel, seatName, signOf } from "./names.js";
import { takeBack } from "./switch.js";
import { outdate, toast } from "./toast.js";
import { say } from "./messages.js";

/** @import { CameraState, TableNow } from "./types.js" */

const first = document.getElementById("now")?.textContent;
const READ = "put-aside-read";
const KEEP_AFTER_MS = 3000; // what a player sees comes first
const AFTER_VIEW_MS = 1000;
const STEPS = /** @type {const} */ (["undo", "redo"]);
/** @type {TableNow | null} the news before these */
let before = null;
let isEnding = false; // once a match has ended on this page
/** @type {TableNow | null} */
const came = first ? JSON.parse(first) : null;
start(came);
// Browsers call a page secure over https, and on the table's own machine.
// One that keeps nothing, as in a private window, does without.
const keepOnePage = () => import("/static/secure.js").then((its) => its.keepOnePage()).catch(() => {});
if (isSecureContext) addEventListener("load", () => setTimeout(keepOnePage, KEEP_AFTER_MS));
// The scripts of a page have all run by then.
addEventListener("DOMContentLoaded", () => {
  set(document.documentElement, { "data-drawn": true });
  sayAfterReload();
});

onConnection((connected) => {
  const line = byId("lost");
  line.hidden = connected;
  document.documentElement.classList.toggle("lost", !connected);
});

onNews((now) => {
  const { match, camera } = now;
  byId("not-kept").hidden = now.kept;
  asideLine(now);
  notices(now);
  const demo = document.getElementById("demo");
  if (demo) demo.hidden = !now.demo;
  seatChip(now);
  cameraChip(camera);
  for (const what of STEPS) {
    const button = document.getElementById(what);
    if (button) set(button, { "aria-disabled": match[`can_${what}`] ? null : "true", hidden: Boolean(now.dealt) || isKept() });
  }
  set(document.documentElement, { "data-stopped": Boolean(match.outcome?.reason.startsWith("stopped")) });
  const redo = document.getElementById("redo");
  if (redo && !isKept()) redo.hidden = Boolean(now.dealt) || (Boolean(match.outcome) && !match.can_redo);
  ended(now);
});

/** How a match ended comes once it has. @param {TableNow} now */
async function ended(now) {
  isEnding ||= Boolean(now.match.outcome && document.getElementById("ended"));
  if (isEnding) (await import("/static/ended.js")).ended(now, { label: seatLabel, sign: signOf, send });
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

/** @param {CameraState | null} camera */
function cameraChip(camera) {
  const chip = byId("camera");
  const kind = camera ? camera.kind : "none";
  const needs = kind === "ok" ? camera?.needs : "";
  const asks = needs ? `web.needs-${needs}` : `web.eye-${kind}`;
  set(chip, { "data-kind": needs ? "needs" : kind });
  set(byId("camera-said"), { text: say(asks) });
}

/** What few tables have to say comes when there is something. @param {TableNow} now */
async function notices(now) {
  const box = byId("notices");
  if (now.notices.length || now.own_face_down || box.firstChild) (await import("/static/notices.js")).showNotices(box, now, { say, seatLabel, send });
}

/** @param {TableNow} now */
function seatChip(now) {
  const { seat } = now;
  const sitsAt = seat || now.own_face_down;
  if (came && seat !== came.seat && document.documentElement.dataset.leaves === undefined) {
    // Nothing that was shown to the old seat may stay on the page.
    sessionStorage.setItem(SAID, came.seat && !seat ? say("web.no-longer-sits", { seat: seatLabel(came.seat) }) : "");
    history.scrollRestoration = "manual";
    location.reload();
  }
  const chip = byId("seat");
  set(chip, { "data-sits": Boolean(sitsAt), ...(sitsAt ? signOf(sitsAt) : playerSign({})) });
  set(document.documentElement, { "data-colour": chip.dataset.colour });
  const { hides, page } = document.documentElement.dataset;
  chip.hidden = page === "join" || page === "seats" || page === "start" || (!sitsAt && hides === undefined && now.role !== "watcher");
  set(byId("seat-said"), { text: sitsAt ? seatLabel(sitsAt) : say("web.take-a-seat") });
  seatsNews(now);
  doorLine(now);
}

/**
 * Who asks to join, with the button that lets it in; the page of seats has its own.
 * @param {TableNow} now
 */
function doorLine({ askers: [asker] }) {
  byId("door").hidden = !asker || document.documentElement.dataset.page === "seats";
  if (!asker) return;
  const { name, number } = asker;
  set(byId("door-said"), { ...playerSign(asker), text: say(name ? "web.asks-by-name" : "web.phone-asks", { name, number }) });
  byId("door-in").onclick = () => send("/api/seats/let-in", { number });
  byId("door-not").onclick = () => send("/api/seats/let-in", { number, no: true });
}

/**
 * Whoever sits down, stands up or picks up a hand is told to all: nobody does so unseen.
 * @param {TableNow} now
 */
function seatsNews(now) {
  const former = before;
  before = now;
  if (!former) return;
  if (former.match.n !== now.match.n) outdate();
  const news = [
    ...now.sitting.filter((seat) => !former.sitting.includes(seat)).map((seat) => say("web.sits-now", { seat: seatLabel(seat) })),
    ...former.sitting.filter((seat) => !now.sitting.includes(seat) && now.match.seats.includes(seat)).map((seat) => say("web.stands-now", { seat: seatLabel(seat) })),
    ...former.face_down.filter((seat) => !now.face_down.includes(seat) && now.sitting.includes(seat)).map((seat) => say("web.picked-up", { seat: seatLabel(seat) })),
  ];
  if (news.length) toast(news.join(" "), "news");
}

/** Which seat is lost, or which one is played now. */
function sayAfterReload() {
  const said = sessionStorage.getItem(SAID);
  sessionStorage.removeItem(SAID);
  if (said) toast(said, "news");
  else if (said === "" && came?.seat) toast(say("web.you-now-play", { seat: nameOf(came.seat) }), "you");
}

for (const what of STEPS) {
  const button = document.getElementById(what);
  button?.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") === "true") toast(say(`rule.nothing-to-${what}`), "refusal");
    else change(`/api/${what}`);
  });
}

document.getElementById("demo-end")?.addEventListener("click", async () => {
  /** @type {TableNow | null} */
  const now = await send("/api/demo/leave");
  if (now) location.assign("/new");
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

/** What is heard, what keeps the screen on: the first view waits for none of it. */
if (document.getElementById("sounds")) {
  const later = () => import("/static/later.js").then((its) => its.later({ onNews, label: seatLabel, name: seatName, say, send, toast })).catch(() => {});
  addEventListener("load", () => setTimeout(later, AFTER_VIEW_MS));
}
