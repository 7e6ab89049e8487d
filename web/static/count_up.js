/** A number that changes counts up, so that eyes across the table follow it. */

/** @import { TableNow } from "./types.js" */

const LASTS_MS = 600;

const NUMBER = /\d+/;

/**
 * What counting at a node leads to, and what it wrote there last.
 * @type {WeakMap<Node, {to: string, wrote: string}>}
 */
const counting = new WeakMap();

/**
 * Show a text with a number in a node, step by step from the one before; at once where they differ in more than that
 * number, or for who wants no motion.
 * @param {Node} node @param {string | number} value @param {string} [before]
 */
export function countTo(node, value, before = node.textContent ?? "") {
  const to = String(value);
  if (counting.get(node)?.to === to && node.textContent === counting.get(node)?.wrote) return;
  const [from, last] = [Number(before.match(NUMBER)), Number(to.match(NUMBER))];
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || !NUMBER.test(before);
  const goal = { to, wrote: to };
  counting.set(node, goal);
  node.textContent = to;
  if (still || before.replace(NUMBER, "") !== to.replace(NUMBER, "")) return;
  const began = performance.now();
  const step = (/** @type {number} */ now) => {
    // What was written there meanwhile by somebody else stays.
    if (counting.get(node) !== goal || node.textContent !== goal.wrote) return;
    const share = Math.min(1, Math.max(0, (now - began) / LASTS_MS));
    node.textContent = goal.wrote = to.replace(NUMBER, String(Math.round(from + (last - from) * share)));
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/**
 * Let the numbers of a page count up after each news of the table.
 * @param {string} where selectors with commas between them: each is a place that keeps its number
 * @param {(tell: (now: TableNow) => void) => void} onNews
 */
export function countUps(where, onNews) {
  /** @type {Map<string, string>} */
  const shown = new Map();
  onNews(() => {
    for (const place of where.split(",")) {
      for (const [index, { firstChild: node }] of document.querySelectorAll(place).entries()) {
        if (!(node instanceof Text)) continue;
        const [key, goal] = [place + index, counting.get(node)];
        // A page that leaves a number alone leaves what the counting wrote: it goes on.
        const text = (node.textContent === goal?.wrote ? goal?.to : node.textContent) ?? "";
        const before = shown.get(key) ?? text;
        shown.set(key, text);
        if (before !== text) countTo(node, text, before);
      }
    }
  });
}
