/** Notices of the table, and the hand that lies face down before this phone. They come when there are any. */

import { el, redraw } from "./dom.js";

/** @import { Notice, TableNow } from "./types.js" */

/**
 * What the page's own modules give: words, and what a tap sends.
 * @typedef {{say: (key: string, facts?: Notice["facts"]) => string, seatLabel: (seat: string) => string}} Words
 * @typedef {Words & {send: (path: string) => unknown}} Page
 */

const STAYS = "open"; // the notice that nobody can close

/** A notice, with the seat in it called as people call it. @param {Notice} notice @param {Words} words */
export const noticeSaid = ({ key, facts }, { say, seatLabel }) => say(`notice.${key}`, typeof facts.seat === "string" ? { ...facts, seat: seatLabel(facts.seat) } : facts);

/** @param {Element} box @param {TableNow} now @param {Page} page */
export function showNotices(box, now, page) {
  const unread = now.notices.filter((notice) => notice.key !== "asked" && (notice.key === STAYS || !localStorage.getItem(JSON.stringify(notice))));
  redraw(box, ...handLine(now, page), ...unread.map((notice) => {
    const onclick = () => {
      localStorage.setItem(JSON.stringify(notice), "1");
      showNotices(box, now, page);
    };
    const close = notice.key === STAYS ? null : el("button", { class: "icon", text: "✕", "aria-label": page.say("web.close"), onclick });
    return el("p", { class: "lost-line" }, noticeSaid(notice, page), close);
  }));
}

/** That a hand lies face down before this phone, and who has seen it already. @param {TableNow} now @param {Page} page */
function handLine({ own_face_down: seat, notices }, page) {
  if (!seat) return [];
  const seen = notices.find(({ key, facts }) => key === "hand-seen" && facts.seat === seat);
  const said = [page.say("web.hand-face-down", { seat: page.seatLabel(seat) }), seen ? noticeSaid(seen, page) : ""].filter(Boolean).join(" ");
  return [el("section", { id: "hand-down", class: "aside-line" }, el("p", { id: "hand-down-said", text: said }),
    el("button", { class: "main", type: "button", onclick: () => page.send("/api/seats/pick-up"), text: page.say("web.pick-up") }))];
}
