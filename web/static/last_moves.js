/** The newest moves in the game's notation: a line at the page's end, and a tap away what the notation means. */

import { byId, el, query, set } from "./dom.js";
import { onNews } from "./live.js";
import { moveSaid } from "./names.js";

if (document.getElementById("last-moves")) {
  const line = byId("last-moves");
  const how = byId("notation", HTMLDialogElement);
  line.onclick = () => how.showModal();
  query(how, "button").onclick = () => how.close();
  // All that is seen of the dialog are its children: a tap on itself is one beside it.
  how.onclick = ({ target }) => target === how && how.close();
  onNews(({ match: { last } }) => show(last.map(moveSaid)));
}

/** @param {string[]} last the newest at the end */
function show(last) {
  const line = byId("last-moves");
  set(line, { "data-none": !last.length });
  // The newest first: what finds no room beside it wraps out of sight, so that no move is cut in two.
  query(line, ".moves").replaceChildren(...last.flatMap((move) => [" ", el("span", { text: move })]).reverse());
  query(byId("notation"), ".moves").replaceChildren(...last.map((move) => el("li", { text: move })));
}
