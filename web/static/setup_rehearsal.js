/** The set-up tried on the virtual table: what lies there, and its faults, at the tap of a button. */

import { send } from "./act.js";
import { byId, el, keyed, set } from "./dom.js";
import { say } from "./messages.js";
import { chosenLesson } from "./setup_tiles.js";

/** @import { DemoNow } from "./types.js" */

/** @type {DemoNow | null} */
let demo = null;

/**
 * Show the tools of the virtual table. `begun` is called when a rehearsal begins.
 * @param {() => void} begun
 */
export async function rehearse(begun) {
  const answer = await fetch("/api/demo");
  if (!answer.ok) return;
  byId("rehearsal").hidden = false;
  show(await answer.json());
  byId("rehearse").onclick = async () => {
    const on = !demo?.rehearses;
    if (await change("/api/demo/rehearsal", { on }) && on) begun();
  };
  /** @type {NodeListOf<HTMLElement>} */
  const puts = document.querySelectorAll("[data-put]");
  for (const button of puts) {
    button.onclick = () => {
      const lesson = chosenLesson();
      change("/api/demo/put", { what: button.dataset.put, owner: lesson?.owner ?? "", digits: lesson?.digits ?? [] });
    };
  }
}

/** @param {string} path @param {object} body */
async function change(path, body) {
  /** @type {DemoNow | null} */
  const now = await send(path, body);
  if (now) show(now);
  return now !== null;
}

/** @param {DemoNow} now */
function show(now) {
  demo = now;
  set(byId("rehearse"), { text: say(now.rehearses ? "setup.demo-end" : "setup.demo-begin"), class: now.rehearses ? null : "main" });
  byId("rehearsal-how").hidden = now.rehearses;
  byId("rehearsal-tools").hidden = !now.rehearses;
  keyed(byId("fault-switches"), Object.entries(now.faults), ([name]) => name,
    ([name]) => el("button", { type: "button", onclick: () => change("/api/demo/fault", { name, on: !demo?.faults[name] }) }),
    (node, [name, on]) => set(node, { text: say(`setup.fault-${name}`), "aria-pressed": String(on) }));
}
