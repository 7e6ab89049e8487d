/** The picture of the table at each move of a kept match, where the camera kept one. */

import { query, set } from "./dom.js";
import { shown } from "./live.js";

/** @import { MovesPictured } from "./types.js" */

/** Ask for nothing until somebody opens the pictures; gives what shows that of a move, or null without any. */
export function movePictures() {
  const box = document.getElementById("move-picture");
  if (!(box instanceof HTMLDetailsElement)) return null;
  const picture = query(box, "img", HTMLImageElement);
  const says = query(box, "p[role=status]");
  const address = `/api/matches/${shown().match.id}/pictures`;
  /** @type {MovesPictured | null} */
  let kept = null;
  let move = 0;

  /** Say what the page brought along under that name instead of a picture. @param {string} why */
  const instead = (why) => {
    set(picture, { hidden: true, src: null });
    set(says, { text: says.getAttribute(`data-${why}`) });
  };
  const show = () => {
    if (!box.open || !kept) return;
    const number = kept.pictures[move - 1];
    if (!number) {
      instead(move ? kept.gone || "none" : "start");
      return;
    }
    set(picture, { hidden: false, src: `${address}/${number}` });
    set(says, { text: "" });
  };
  picture.onerror = () => instead("lost");
  box.ontoggle = async () => {
    if (box.open && !kept) {
      const answer = await fetch(address).catch(() => null);
      if (answer?.ok) kept = await answer.json();
    }
    show();
  };
  return (/** @type {number} */ at) => {
    move = at;
    show();
  };
}
