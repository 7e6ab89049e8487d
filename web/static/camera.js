/** The live picture with what was read drawn over it, and the steps of setting the camera up. */

import { send } from "./act.js";
import { byId, keyed, set, svg } from "./dom.js";
import { onNews } from "./live.js";
import { toast } from "./toast.js";
import { capital, known, say } from "./words.js";

const PAUSE_MS = 300; // between a picture shown and the next one asked for
const TROUBLE_MS = 1500;

const owners = [...document.querySelectorAll("#owners button")].map((button) => button.dataset.owner);
const nameOf = (owner) => capital(known(`name.${owner}`) ? say(`name.${owner}`) : owner);

if (document.getElementById("eye")) {
  look();
  onNews(({ eyes }) => eyes && fare(eyes));
  setUp();
}

/** Ask for picture after picture, and what was read in it, for as long as the page is seen. */
async function look() {
  let pause = PAUSE_MS;
  if (!document.hidden) {
    try {
      const [picture, overlay] = await Promise.all([fetch("/api/eyes/picture"), fetch("/api/eyes/overlay")]);
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

async function show(blob) {
  const picture = byId("picture");
  const address = URL.createObjectURL(blob);
  const old = picture.src;
  // Decoded before it is put in: the old picture stays until the new one can be seen.
  const next = new Image();
  next.src = address;
  await next.decode();
  picture.src = address;
  if (old) URL.revokeObjectURL(old);
}

function draw({ width, height, grid, tiles }) {
  const over = byId("overlay");
  set(over, { viewBox: `0 0 ${width} ${height}` });
  byId("eye").style.aspectRatio = `${width} / ${height}`;
  if (!over.firstChild) over.append(svg("g"), svg("g"), svg("g", { id: "tapped" }));
  const [lines, read] = over.children;
  keyed(lines, grid.entries(), ([at]) => String(at), () => svg("polyline", { class: "grid-line" }),
    (node, [, points]) => set(node, { points: points.join(" ") }));
  keyed(read, tiles, (tile) => `${tile.owner}${tile.digit}`, () => svg("g", {}, svg("polygon"), svg("text")),
    (node, tile) => label(node, tile, width));
}

function label(node, tile, width) {
  const [outline, name] = node.children;
  const second = owners.indexOf(tile.owner) === 1 ? " second" : "";
  set(outline, { points: tile.polygon.join(" "), class: `read${second}` });
  const middle = [0, 1].map((axis) => tile.polygon.reduce((sum, point) => sum + point[axis], 0) / tile.polygon.length);
  set(name, { x: middle[0], y: middle[1], class: "read-name", "font-size": width / 38,
    text: `${nameOf(tile.owner)} ${tile.digit} · ${Math.round(tile.confidence * 100)} %` });
}

/** @param {any} eyes how the camera fares */
function fare(eyes) {
  const why = eyes.unsure && eyes.why ? (known(`why.${eyes.why}`) ? say(`why.${eyes.why}`) : eyes.why) : "";
  const source = [eyes.source, eyes.kind === "ok" ? say("web.fps", { fps: eyes.fps.toFixed(1) }) : ""].filter(Boolean).join(" · ");
  set(byId("eye-line"), { text: [say(`web.eye-${eyes.kind}-long`), why, source].filter(Boolean).join("\n") });
  set(byId("nothing"), { text: say(`web.eye-${eyes.kind}-long`) });
  for (const step of document.querySelectorAll("[data-step]")) set(step, { "data-next": step.dataset.step === eyes.needs });
  const taught = Object.entries(eyes.taught).filter(([, digits]) => digits.length);
  set(byId("taught"), { text: taught.map(([owner, digits]) => `${nameOf(owner)}: ${digits.join(" ")}`).join(" · ") });
}

function setUp() {
  byId("remember").onclick = () => done("/api/eyes/empty", {});
  press("#owners button", true);
  press("#digits button", false);
  byId("teach").onclick = async () => {
    const owner = pressed("#owners button")[0]?.dataset.owner;
    const digits = pressed("#digits button").map((button) => Number(button.dataset.digit));
    if (!digits.length) return toast(say("web.which-first"), "refusal");
    if (await done("/api/eyes/teach", { owner, digits })) for (const button of pressed("#digits button")) set(button, { "aria-pressed": "false" });
  };
  byId("corners").onclick = tapCorners;
}

const pressed = (selector) => [...document.querySelectorAll(selector)].filter((button) => button.getAttribute("aria-pressed") === "true");

/** Buttons that stay pressed; `one` at a time, or any number. */
function press(selector, one) {
  const buttons = [...document.querySelectorAll(selector)];
  for (const button of buttons) {
    button.onclick = () => {
      const was = button.getAttribute("aria-pressed") === "true";
      if (one) for (const other of buttons) set(other, { "aria-pressed": "false" });
      set(button, { "aria-pressed": String(one || !was) });
    };
  }
}

async function done(path, body) {
  const eyes = await send(path, body);
  if (!eyes) return false;
  fare(eyes);
  toast(say("web.done"));
  return true;
}

/** Four taps on the picture: top left first, then clockwise. */
function tapCorners() {
  const eye = byId("eye");
  const over = byId("overlay");
  if (!over.viewBox.baseVal?.width) return toast(say("web.eye-starting-long"), "refusal");
  const points = [];
  const ask = () => set(byId("corners-how"), { text: say("web.tap-corner", { n: points.length + 1 }) });
  const end = () => {
    eye.classList.remove("tapping");
    eye.onpointerup = null;
    set(byId("corners-how"), { text: say("web.step-corners-how") });
    set(byId("corners"), { text: say("web.set-corners") });
    byId("tapped").replaceChildren();
    byId("corners").onclick = tapCorners;
  };
  eye.classList.add("tapping");
  eye.scrollIntoView({ block: "nearest" });
  set(byId("corners"), { text: say("web.cancel") });
  byId("corners").onclick = end;
  ask();
  eye.onpointerup = async (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(over.getScreenCTM().inverse());
    points.push([Math.round(at.x * 10) / 10, Math.round(at.y * 10) / 10]);
    byId("tapped").replaceChildren(
      svg("polygon", { class: "corner-line", points: points.join(" ") }),
      ...points.map(([x, y]) => svg("circle", { class: "corner", cx: x, cy: y, r: over.viewBox.baseVal.width / 110 })),
    );
    if (points.length < 4) return ask();
    end();
    await done("/api/eyes/corners", { corners_px: points });
  };
}
