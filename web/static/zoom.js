/** The camera's picture, larger: two steps of zoom to scroll in, and the whole screen. */

import { byId, set } from "./dom.js";

const MOST_ZOOM = 4;
let zoom = 1;

/** Let the buttons beside the picture make it larger. */
export function allowZoom() {
  byId("zoom-in").onclick = () => enlarge(zoom * 2);
  byId("zoom-out").onclick = () => enlarge(zoom / 2);
  byId("full").onclick = () => fill(!byId("eye").classList.contains("full"));
  addEventListener("keydown", (event) => event.key === "Escape" && fill(false));
}

/**
 * Show the picture that many times as large as it fits, around the same middle.
 * @param {number} times
 */
function enlarge(times) {
  const view = byId("view");
  const [x, y] = [middle(view.scrollLeft, view.clientWidth), middle(view.scrollTop, view.clientHeight)];
  const grows = times / zoom;
  zoom = times;
  byId("eye").style.setProperty("--zoom", String(zoom));
  view.scrollTo(x * grows - view.clientWidth / 2, y * grows - view.clientHeight / 2);
  set(byId("zoom-in"), { disabled: zoom >= MOST_ZOOM });
  set(byId("zoom-out"), { disabled: zoom <= 1 });
}

/** @param {number} from @param {number} length */
const middle = (from, length) => from + length / 2;

/** @param {boolean} full */
function fill(full) {
  byId("eye").classList.toggle("full", full);
  set(byId("full"), { "aria-pressed": String(full) });
}
