/** The sheet that rises above the thumb bar. It does not block the page: the board stays in reach. */

import { byId, el, redraw } from "./dom.js";
import { onNews } from "./live.js";
import { say } from "./messages.js";

/** @type {Element | null} */
let opener = null;
/** @type {(() => void) | null} */
let whenClosed = null;

/** @typedef {{name: string, title: string, body: Node[], close?: () => void, kind?: string, focus?: boolean}} Sheet */

/**
 * Show `body` under `title`. Opening the sheet that is already open (`name`) changes only its inside.
 * @param {Sheet} what
 */
export function openSheet({ name, title, body, close, kind = "", focus = false }) {
  const sheet = byId("sheet");
  const same = sheet.dataset.name === name && !sheet.hidden;
  whenClosed = close ?? null;
  const head = el("header", {}, el("h2", { id: "sheet-title", tabindex: -1, text: title }));
  if (close) head.append(closer());
  redraw(sheet, head, el("div", { class: "sheet-body", tabindex: 0, role: "group", "aria-labelledby": "sheet-title" }, ...body));
  sheet.dataset.name = name;
  sheet.dataset.kind = kind;
  sheet.hidden = false;
  measure();
  if (focus && !same) {
    opener = document.activeElement;
    byId("sheet-title").focus({ preventScroll: true });
  }
}

function closer() {
  return el("button", { class: "icon", "aria-label": say("web.close"), onclick: () => whenClosed?.() }, "✕");
}

/** Take the sheet away and give the focus back to what opened it. */
export function closeSheet() {
  const sheet = byId("sheet");
  if (sheet.hidden) return;
  const hadFocus = sheet.contains(document.activeElement);
  sheet.hidden = true;
  sheet.dataset.name = "";
  redraw(sheet);
  measure();
  if (hadFocus && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  opener = null;
}

/** Name of the open sheet; empty when none is. */
export const sheetName = () => (byId("sheet").hidden ? "" : byId("sheet").dataset.name || "");

/** The page keeps that much room at its end, so that nothing stays hidden under the sheet or the tray. */
export function measure() {
  for (const name of ["sheet", "tray"]) {
    const node = document.querySelector(`.${name}`);
    const height = node instanceof HTMLElement ? node.offsetHeight : 0;
    document.documentElement.style.setProperty(`--${name}`, `${height}px`);
  }
  const tray = document.querySelector(".tray");
  if (!(tray instanceof HTMLElement)) return;
  tray.style.setProperty("--blank", `${blankOf(tray)}px`);
  tray.style.setProperty("--clear", `${clearOf(tray)}px`);
}

/** How much of the tray's height has nothing in it, at its end. @param {HTMLElement} tray */
function blankOf(tray) {
  const ends = [...tray.children].map((each) => (each instanceof HTMLElement ? each.offsetTop + each.offsetHeight : 0));
  return Math.max(0, tray.clientHeight - parseFloat(getComputedStyle(tray).paddingBottom) - Math.max(0, ...ends));
}

/** How much of the tray's height has nothing in it, at its start. @param {HTMLElement} tray */
function clearOf(tray) {
  const starts = [...tray.children].flatMap((each) => (each instanceof HTMLElement && each.offsetHeight ? [each.offsetTop] : []));
  return starts.length ? Math.max(0, Math.min(...starts) - parseFloat(getComputedStyle(tray).paddingTop)) : 0;
}

// Once all that listens has drawn, and before it is seen.
onNews(() => queueMicrotask(measure));
const sizes = new ResizeObserver(measure);
for (const node of document.querySelectorAll(".sheet, .tray, .tray > *")) sizes.observe(node);
addEventListener("keydown", (event) => event.key === "Escape" && whenClosed && !byId("sheet").hidden && whenClosed());
