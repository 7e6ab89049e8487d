/** Lamps and buttons, tried one after the other. Without wires, the page's own lamps are tried. */

import { post } from "./act.js";
import { byId, el, keyed, query, set } from "./dom.js";
import { say } from "./messages.js";
import { seatLabel } from "./names.js";

/** @import { PanelNow } from "./types.js" */

const EVERY_MS = 400; // how often the panel is asked which buttons were pressed
const TRIED = "panel-tried";

/** @type {Set<string>} */
const answered = new Set(); // the buttons, by place from 1 on, that have answered while their lamp shone
let tries = false;

/** Let the step try the panel. Returns what says whether that is done. */
export function tryPanel() {
  byId("panel-try").onclick = () => {
    tries = !tries;
    if (tries) answered.clear();
    set(byId("panel-try"), { text: say(tries ? "setup.panel-stop" : "setup.panel-try") });
    if (tries) ask();
  };
  return () => sessionStorage.getItem(TRIED) !== null;
}

/** Let the next lamp shine, and hear which button was pressed. */
async function ask() {
  const before = await lamp(answered.size);
  if (!before) tries = false;
  if (!tries || !before) {
    end(say("setup.panel-how"));
    return;
  }
  const place = String(answered.size + 1);
  const pressed = before.tried ?? [];
  const other = pressed.find((each) => each !== place && !answered.has(each));
  if (pressed.includes(place)) answered.add(place);
  draw(before);
  if (answered.size >= before.seats.length) {
    sessionStorage.setItem(TRIED, "yes");
    tries = false;
    end(say("setup.panel-all"));
    return;
  }
  const lit = say("setup.panel-lit", { n: answered.size + 1 });
  set(byId("panel-said"), { text: other ? say("setup.panel-other", { n: other }) : before.wired ? lit : `${say("setup.panel-none")} ${lit}` });
  setTimeout(ask, EVERY_MS);
}

/** @param {string} said */
function end(said) {
  set(byId("panel-said"), { text: said });
  set(byId("panel-try"), { text: say("setup.panel-try") });
}

/**
 * @param {number} place
 * @returns {Promise<PanelNow | null>}
 */
const lamp = (place) => post("/api/panel/try", { lamp: place });

/** @param {PanelNow} panel */
function draw({ seats, wired }) {
  const rows = seats.map(({ seat }, at) => ({ seat, place: String(at + 1) }));
  keyed(byId("panel-seats"), rows, ({ seat }) => seat,
    () => el("li", { class: "lamp-row" }, el("button", { type: "button", class: "lamp-button" }), el("span")),
    (node, { seat, place }) => {
      const isLit = Number(place) === answered.size + 1;
      set(node, { "data-kind": answered.has(place) ? "good" : "wait", "data-lit": isLit });
      set(query(node, "span"), { text: `${place} · ${seatLabel(seat)}` });
      set(query(node, "button"), { "aria-label": `${place} · ${seatLabel(seat)}`, disabled: wired,
        onclick: () => post("/api/panel/buttons", { button: seat, does: "tap" }) });
    });
}
