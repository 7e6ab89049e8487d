/** A number that changes counts up, so that eyes across the table follow it. */

const LASTS_MS = 600;

/** The counting that goes on at a node, by its last number. @type {WeakMap<Element, number>} */
const counting = new WeakMap();

/**
 * Show a number in a node, step by step from the one before; a text, or for who wants no motion, at once.
 * @param {Element} node
 * @param {string | number} value
 */
export function countTo(node, value) {
  const [from, to] = [Number(node.textContent || NaN), Number(value)];
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || Number.isNaN(from) || Number.isNaN(to);
  if (counting.get(node) === to) return;
  counting.set(node, to);
  if (still) {
    node.textContent = String(value);
    return;
  }
  const began = performance.now();
  const step = (/** @type {number} */ now) => {
    if (counting.get(node) !== to) return;
    const share = Math.min(1, Math.max(0, (now - began) / LASTS_MS));
    node.textContent = String(Math.round(from + (to - from) * share));
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
