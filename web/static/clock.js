/** A phone's clock, where one counts down: the time of whoever thinks stands in the heading; its end is heard. */

import { el, query, set } from "./dom.js";
import { askPanel, heardAt, leftOf, leftSaid, TICK_MS } from "./turn_clock.js";

/** @import { Page } from "./later.js" */
/** @import { PanelNow, TableNow } from "./types.js" */

const LAST_S = 10;
const BUZZ_MS = 400;

/**
 * Show the clock from now on. Returns what is to be told all news.
 * @param {Pick<Page, "label" | "say">} page @param {(text: string) => void} voice
 * @returns {(now: TableNow) => void}
 */
export function clock({ label, say }, voice) {
  document.head.append(el("link", { rel: "stylesheet", href: "/static/clock.css" }));
  const shown = el("a", { id: "clock", href: "/panel" }, el("span"), el("b"));
  query(document, "header h1").before(shown);
  /** @type {PanelNow | null} */
  let panel = null;
  let heardMs = 0;
  let own = "";
  let before = ""; // whose time it was, and how near its end
  const tick = () => {
    const thinks = panel?.seats.filter(({ running }) => running) ?? [];
    const seat = thinks.find((each) => each.seat === own) ?? thinks[0] ?? panel?.seats.find((each) => each.seat === own) ?? panel?.seats[0];
    const left = seat ? leftOf(seat, (performance.now() - heardMs) / 1000) : null;
    set(document.documentElement, { "data-timed": left !== null });
    if (!seat || left === null) return;
    const near = left <= 0 ? "up" : left <= LAST_S ? "last" : "";
    set(query(shown, "span"), { text: label(seat.seat) });
    set(query(shown, "b"), { text: leftSaid(left) });
    set(shown, { "data-near": near || null, "data-running": seat.running });
    const now = `${seat.seat} ${near}`;
    if (near && seat.running && before && now !== before && before.startsWith(`${seat.seat} `)) {
      voice(say(near === "up" ? "web.clock-up" : "web.clock-last", { seat: label(seat.seat) }));
      if (near === "up" && seat.seat === own && panel?.clock.at_zero !== "nothing") navigator.vibrate?.(BUZZ_MS);
    }
    before = now;
  };
  setInterval(() => document.hidden || tick(), TICK_MS);
  return async ({ seat, timed }) => {
    own = seat ?? "";
    const now = timed ? await askPanel() : null;
    if (now || !timed) panel = now;
    if (now) heardMs = heardAt(now);
    tick();
  };
}
