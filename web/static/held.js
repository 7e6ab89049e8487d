/** Undo, held down, opens the list of moves, with Redo. */

import { byId } from "./dom.js";

const HELD_MS = 500;

/** A long press, or what opens a menu on a keyboard; the tap in which it ends is none. @param {HTMLElement} button @param {() => void} open */
export function heldDown(button, open) {
  let timer = 0;
  let opened = false;
  const opens = () => {
    clearTimeout(timer);
    if (!opened) open();
    opened = true;
  };
  button.addEventListener("pointerdown", () => {
    opened = false;
    timer = setTimeout(opens, HELD_MS);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, () => clearTimeout(timer));
  button.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    opens();
  });
  button.addEventListener("click", (event) => opened && event.stopImmediatePropagation(), { capture: true });
  byId("notation").addEventListener("close", () => {
    opened = false;
  });
}
