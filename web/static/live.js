/**
 * What the table shows now, kept up to date by the live stream, and whether the stream is there.
 *
 * A stream that ends (the server ends each after some minutes) is opened again; one that says nothing
 * for `SILENT_MS` has died on the way and is opened again as well.
 */

const SILENT_MS = 25000;
const GRACE_MS = 2500; // a stream that comes back within this was never seen to be lost
const AGAIN_MS = [500, 1000, 2000, 4000];
/** Where the sentence lies that a page says once it is loaded again; an empty one is whom one plays there. */
export const SAID = "said-after-reload";

/** @import { AnyGame, TableNow } from "./types.js" */

/** @type {TableNow | null} */
let now = null;
let connected = true;
let tries = 0;
/** @type {EventSource | null} */
let source = null;
let silent = 0;
let grace = 0;
let again = 0;

/** @type {Set<(now: TableNow) => unknown>} */
const whenNews = new Set();
/** @type {Set<(connected: boolean) => void>} */
const whenConnected = new Set();

/**
 * The newest that is known; null before the first. A page names the game whose table it is.
 * @template {AnyGame} [G=AnyGame]
 */
export const current = () => /** @type {TableNow<G> | null} */ (now);

/**
 * The newest, for what can only be done on a page that shows something already.
 * @template {AnyGame} [G=AnyGame]
 * @returns {TableNow<G>}
 */
export function shown() {
  /** @type {TableNow<G> | null} */
  const newest = current();
  if (!newest) throw new Error("nothing is known of the table yet");
  return newest;
}

/**
 * Be told of every change; at once, too, if something is known already.
 * @template {AnyGame} G
 * @param {(now: TableNow<G>) => unknown} tell
 */
export function onNews(tell) {
  // Each page listens to the table of its own game: another game's page is another page.
  const listener = /** @type {(now: TableNow) => unknown} */ (tell);
  whenNews.add(listener);
  if (now) listener(now);
}

/**
 * Be told when the connection is lost and when it is back.
 * @param {(connected: boolean) => void} tell
 */
export function onConnection(tell) {
  whenConnected.add(tell);
  tell(connected);
}

/**
 * Take what the server said, from the stream or as the answer to a tap; what is older is dropped.
 * @param {TableNow} news
 */
export function take(news) {
  if (now && !isNewer(news.id, now.id)) return;
  if (isAnotherGame(news)) {
    // What listens here draws this page's game: of another's table it is told nothing.
    stop();
    sessionStorage.setItem(SAID, "");
    history.scrollRestoration = "manual"; // the other game begins at its top
    location.reload();
    return;
  }
  now = news;
  for (const tell of whenNews) tell(news);
}

/** @param {TableNow} news whether this is the page of a game, and another game is played now */
function isAnotherGame({ match }) {
  const { page, game } = document.documentElement.dataset;
  return (page === "game" || page === "display") && match.game !== game;
}

/** Where this page hears of its table: at the table itself, unless the page says otherwise. */
const { events = "/api/events", table = "/api/table" } = document.documentElement.dataset;

/** Who asks: the big screen asks as nobody, whatever its device knows of a seat. */
const asker = () => (document.documentElement.dataset.page === "display" ? "seat=none" : "");

/** @param {string} id @param {string} than */
function isNewer(id, than) {
  const [boot, version] = id.split("-");
  const [oldBoot, oldVersion] = than.split("-");
  return boot !== oldBoot || Number(version) > Number(oldVersion);
}

/** @param {boolean} isConnected */
function say(isConnected) {
  clearTimeout(grace);
  grace = 0;
  if (connected === isConnected) return;
  connected = isConnected;
  for (const tell of whenConnected) tell(connected);
}

function alive() {
  tries = 0;
  say(true);
  clearTimeout(silent);
  silent = setTimeout(reopen, SILENT_MS);
}

function lost() {
  if (connected && !grace) grace = setTimeout(() => say(false), GRACE_MS);
  // The browser comes back by itself, unless it was refused: then it is up to us.
  if (source?.readyState === EventSource.CLOSED) {
    clearTimeout(again);
    again = setTimeout(reopen, AGAIN_MS[Math.min(tries++, AGAIN_MS.length - 1)]);
    void poll();
  }
}

/** Look at the table where no stream is to be had: so many phones listen that this one has to wait. */
async function poll() {
  try {
    const answer = await fetch(`${table}?${asker()}`);
    if (!answer.ok) return;
    take(await answer.json());
    say(true);
  } catch {
    // There is no connection, as is said already.
  }
}

function reopen() {
  stop();
  source = new EventSource(`${events}?${asker()}${now ? `&last=${encodeURIComponent(now.id)}` : ""}`);
  source.addEventListener("open", alive);
  source.addEventListener("beat", alive);
  source.addEventListener("table", (event) => {
    alive();
    take(JSON.parse(event.data));
  });
  source.addEventListener("error", lost);
  silent = setTimeout(() => {
    say(false);
    reopen();
  }, SILENT_MS);
}

function stop() {
  source?.close();
  source = null;
  clearTimeout(silent);
  clearTimeout(again);
}

/** Whether this page shows a match as it was left: nothing is heard of the table, and nothing is changed. */
export const isKept = () => document.documentElement.dataset.kept !== undefined;

/**
 * Begin to listen.
 * @param {TableNow | null} first what the page came with
 */
export function start(first) {
  if (first) take(first);
  if (isKept()) return;
  reopen();
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => event.persisted && reopen());
  addEventListener("online", reopen);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && (!connected || !source)) reopen();
  });
}
