/** The screen stays on while a match is played: by the Wake Lock over https, else by a silent video that plays on. */

/** @import { TableNow } from "./types.js" */

const QUIET_MS = 20 * 60 * 1000; // after so long without news the match rests, and so may the screen

/** @type {HTMLVideoElement | null} */
let video = null;
/** @type {WakeLockSentinel | null} */
let lock = null;
let wanted = false;
let quiet = 0;

/**
 * Keep the screen on while a match goes on that this phone plays; a big screen always does.
 * @param {(tell: (now: TableNow) => void) => void} onNews
 */
export function awake(onNews) {
  onNews(({ match: { moves, outcome }, role }) => {
    const isPlayed = document.documentElement.dataset.page === "display" || (moves > 0 && !outcome && role !== "watcher");
    clearTimeout(quiet);
    if (isPlayed) quiet = setTimeout(() => keep(false), QUIET_MS);
    keep(isPlayed);
  });
  // A lock is lost with the page out of sight; a browser plays a video with sound after a tap alone.
  document.addEventListener("visibilitychange", () => keep(wanted));
  addEventListener("pointerdown", () => keep(wanted));
}

/** @param {boolean} on */
function keep(on) {
  wanted = on;
  if (document.hidden) return;
  if (navigator.wakeLock) keepLock();
  else keepPlaying();
}

async function keepLock() {
  if (!wanted) lock?.release();
  else if (!lock || lock.released) lock = await navigator.wakeLock.request("screen").catch(() => null);
}

function keepPlaying() {
  if (!wanted) {
    video?.pause();
    return;
  }
  video ??= Object.assign(document.createElement("video"), { src: "/static/awake.webm", loop: true, playsInline: true, title: document.title });
  if (!video.isConnected) {
    Object.assign(video, { className: "unseen", ariaHidden: "true", tabIndex: -1 });
    document.body.append(video);
  }
  // Before the first tap a browser refuses: the tap asks again.
  if (video.paused) video.play().catch(() => {});
}
