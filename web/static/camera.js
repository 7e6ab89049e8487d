/** The live picture with what was read drawn over it, larger on demand. */

import { byId, keyed, set, svg } from "./dom.js";
import { current, onNews } from "./live.js";
import { nameOf } from "./names.js";
import { percent } from "./numbers.js";
import { capital, say, sayWhole } from "./messages.js";
import { chooseCamera } from "./choose_camera.js";
import { setUp } from "./setup.js";
import { allowZoom } from "./zoom.js";

/** @import { CameraState, Overlay, OverlayTile } from "./types.js" */

/** @typedef {[number, number]} Point x, y in px of the picture */

const PAUSE_MS = 300; // between a picture shown and the next one asked for
const TROUBLE_MS = 1500;

const SECOND = "dog"; // whose outlines are dashed
/** @param {string} owner */
const ownerLabel = (owner) => capital(nameOf(owner));

chooseCamera();
if (document.getElementById("eye")) {
  look();
  allowZoom();
  onNews(({ camera }) => camera && showStatus(camera));
  if (document.getElementById("steps")) setUp();
}

/** Ask for picture after picture, and what was read in it, for as long as the page is seen. */
async function look() {
  let pause = PAUSE_MS;
  if (!document.hidden) {
    try {
      const [picture, overlay] = await Promise.all([fetch("/api/camera/picture"), fetch("/api/camera/overlay")]);
      if (picture.ok) await show(await picture.blob());
      if (overlay.ok) draw(await overlay.json());
      byId("picture").hidden = !picture.ok;
      if (!picture.ok) pause = TROUBLE_MS;
    } catch {
      pause = TROUBLE_MS;
    }
  }
  setTimeout(look, pause);
}

/** @param {Blob} blob */
async function show(blob) {
  const picture = byId("picture", HTMLImageElement);
  const address = URL.createObjectURL(blob);
  const old = picture.src;
  // Decoded before it is put in: the old picture stays until the new one can be seen.
  const next = new Image();
  next.src = address;
  await next.decode();
  picture.src = address;
  if (old) URL.revokeObjectURL(old);
}

/** @param {Overlay} overlay */
function draw({ width, height, grid, tiles }) {
  const over = byId("overlay", SVGSVGElement);
  set(over, { viewBox: `0 0 ${width} ${height}` });
  if (height) byId("eye").style.setProperty("--ratio", String(width / height));
  if (!over.firstChild) over.append(svg("g"), svg("g", { id: "read" }), svg("g", { id: "setup-lines" }));
  const [lines, read] = /** @type {SVGGElement[]} */ ([...over.children]);
  keyed(lines, grid.entries(), ([at]) => String(at), () => svg("polyline", { class: "grid-line" }),
    (node, [, points]) => set(node, { points: points.join(" ") }));
  keyed(read, tiles, (tile) => `${tile.owner}${tile.digit}`, () => svg("g", {}, svg("polygon"), svg("text"), svg("title")),
    (node, tile) => label(node, tile, width));
}

/** @param {Point[]} polygon */
const middleOf = (polygon) => {
  const [x, y] = /** @type {const} */ ([0, 1]).map((axis) => polygon.reduce((sum, point) => sum + point[axis], 0) / polygon.length);
  return { x, y };
};

/** The number alone, so that labels of neighbours do not touch. @param {SVGElement} node @param {OverlayTile} tile @param {number} width of the picture */
function label(node, tile, width) {
  const [outline, name, title] = node.children;
  const second = tile.owner === SECOND ? " second" : "";
  set(outline, { points: tile.polygon.join(" "), class: `read${second}` });
  set(name, { ...middleOf(tile.polygon), class: "read-name", "font-size": width / 30, text: tile.digit });
  set(title, { text: `${ownerLabel(tile.owner)} ${tile.digit} · ${percent(tile.confidence)}` });
}

/** @param {CameraState} camera the camera's status */
function showStatus(camera) {
  const sighting = current()?.sighting;
  const facts = sighting?.why === camera.why ? sighting.facts : {};
  const why = camera.unsure && camera.why ? sayWhole(`why.${camera.why}`, facts, say("web.eye-unsure")) : "";
  const name = camera.source.startsWith("virtual") ? say("web.eye-drawn") : camera.source;
  set(byId("eye"), { "data-kind": camera.kind });
  const source = [name, camera.kind === "ok" ? say("web.fps", { fps: camera.fps.toFixed(1) }) : ""].filter(Boolean).join(" · ");
  const markers = camera.needs === "markers" ? say("web.markers-how") : "";
  set(byId("eye-line"), { text: [say(`web.eye-${camera.kind}-long`), markers || why, source].filter(Boolean).join("\n") });
  set(byId("nothing"), { text: camera.kind === "ok" ? "" : say(`web.eye-${camera.kind}`) });
}
