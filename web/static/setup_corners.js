/** The board's corners set by hand, where there are no markers. */

import { send } from "./act.js";
import { Corners } from "./corners.js";
import { byId } from "./dom.js";
import { say } from "./messages.js";
import { toast } from "./toast.js";

/** @import { CameraState, PictureCheck } from "./types.js" */
/** @import { Point } from "./corners.js" */

const INSET = 0.2; // how far from the picture's border the corners begin, as a share

/** @type {Corners | null} */
let corners = null;
/** @type {PictureCheck | null} */
let check = null;

/** Let the buttons of the step show, turn and keep corners. */
export function setUpCorners() {
  corners = new Corners(byId("stage"), byId("picture", HTMLImageElement));
  byId("corners").onclick = () => (isOpen() ? close() : open());
  byId("corners-turn").onclick = () => corners?.turn();
  byId("corners-use").onclick = () => keep(corners?.points ?? null);
  byId("corners-off").onclick = () => keep(null);
}

/**
 * Take over how the newest picture was judged.
 * @param {PictureCheck | null} newest
 */
export function showCorners(newest) {
  check = newest;
}

const isOpen = () => !byId("corners-use").hidden;

function open() {
  if (!check || !corners) {
    toast(say("web.eye-starting-long"), "refusal");
    return;
  }
  const { width, height, rows, cols, blocked } = check;
  corners.show(firstCorners(check), { width, height }, { rows, cols, landmarks: blocked });
  setOpen(true);
  byId("eye").scrollIntoView({ block: "nearest" });
}

/**
 * Where the corners begin: where the board was found, or well inside the picture.
 * @param {PictureCheck} seen
 * @returns {Point[]}
 */
function firstCorners({ width, height, grid, rows }) {
  if (grid.length) {
    const [top, bottom] = [grid[0], grid[rows]];
    return [top[0], top[top.length - 1], bottom[bottom.length - 1], bottom[0]];
  }
  const [left, right, up, down] = [INSET * width, (1 - INSET) * width, INSET * height, (1 - INSET) * height];
  return [[left, up], [right, up], [right, down], [left, down]];
}

function close() {
  corners?.hide();
  setOpen(false);
}

/** @param {boolean} isShown */
function setOpen(isShown) {
  for (const id of ["corners-how", "corners-turn", "corners-use"]) byId(id).hidden = !isShown;
  byId("corners").textContent = say(isShown ? "web.cancel" : "setup.corners");
  byId("eye").classList.toggle("tapping", isShown);
}

/** @param {Point[] | null} points null: the markers again */
async function keep(points) {
  /** @type {CameraState | null} */
  const camera = await send("/api/camera/corners", { corners_px: points });
  if (!camera) return;
  close();
  toast(say("web.done"));
}
