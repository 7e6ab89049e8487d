/** A picture of a finished match, 1200 by 1500 px: the board as the page draws it, with the score. */

import { svg } from "./dom.js";

const WIDE = 1200;
const HIGH = 1500;
const EDGE = 60;
const HEAD = 330; // px above the board
const FOOT = 90;
const ROW = { wide: 1080, high: 210 }; // of the places

/** What the style sheets say of a drawing, and a picture of its own must say by itself. */
const LOOKS = ["fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin", "stroke-linecap",
  "opacity", "display", "visibility", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline", "vector-effect"];

/** @import { Ending, TableNow } from "./types.js" */

/** What a picture shows. @typedef {{name: string, title: string, lines: string[], foot: string}} Shared */

/** How a match ended; null where nobody answers. @param {number} match @returns {Promise<Ending | null>} */
export async function endingOf(match) {
  const answer = await fetch(`/api/matches/${match}/ending`).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/**
 * The seats from the first on, with their ranks: who has the same points has the same.
 * @param {Ending | null} ending @param {Record<string, number>} points
 */
export const ranked = (ending, points) => (ending?.places ?? []).map((place, n) =>
  ({ ...place, rank: 1 + (place.seat in points ? ending?.places.findIndex(({ seat }) => points[seat] === points[place.seat]) ?? n : n) }));

/**
 * Draw the match that this page shows, and give it to the phone's share sheet; where there is none, save it.
 * @param {TableNow["match"]} match @param {(seat: string) => string} label what a seat is called
 */
export async function share(match, label) {
  const ending = await endingOf(match.id);
  const shown = of(match, label, ending?.won ?? "");
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`);
  const board = await imageOf(boardOnPage() ?? podium(ranked(ending, match.outcome?.points ?? {}), match.outcome?.points ?? {}, label, colour));
  const file = new File([await picture(shown, board, colour)], shown.name, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    // Whoever closes the share sheet has changed their mind: that is no fault.
    await navigator.share({ files: [file], title: shown.title }).catch(() => {});
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = shown.name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @param {TableNow["match"]} match @param {(seat: string) => string} label @param {string} won @returns {Shared} */
function of(match, label, won) {
  const points = Object.entries(match.outcome?.points ?? {}).map(([seat, is]) => `${label(seat)} ${String(is).replace("-", "−")}`);
  const { lang } = document.documentElement;
  // Days stand before months on the pages, too: plain "en" would turn them round.
  const foot = new Date(match.began).toLocaleDateString(lang === "en" ? "en-GB" : lang, { dateStyle: "long" });
  const said = (/** @type {string} */ which) => document.querySelector(which)?.textContent ?? "";
  return { name: `match-${match.id}.png`, title: said("h1"), lines: [won || said("#status"), points.join(" : ")], foot };
}

/** @param {Shared} shown @param {HTMLImageElement | null} board @param {(name: string) => string} colour @returns {Promise<Blob>} */
async function picture({ title, lines, foot }, board, colour) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDE, height: HIGH });
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("the browser draws no pictures");
  pen.fillStyle = colour("ground");
  pen.fillRect(0, 0, WIDE, HIGH);
  pen.textAlign = "center";
  /** @type {[string, number, number, string][]} */
  const texts = [[title, 46, 90, "quiet"], [lines[0], 62, 180, "ink"], [lines[1] ?? "", 84, 285, "accent"], [foot, 36, HIGH - 36, "quiet"]];
  const down = board ? 0 : (HIGH - HEAD) / 2 - EDGE; // without a board the words stand in the middle
  for (const [text, size, y, name] of texts) {
    pen.font = `700 ${size}px ${getComputedStyle(document.documentElement).fontFamily}`;
    pen.fillStyle = colour(name);
    pen.fillText(text, WIDE / 2, text === foot ? y : y + down, WIDE - 2 * EDGE);
  }
  if (board) {
    const [width, height] = [WIDE - 2 * EDGE, HIGH - HEAD - FOOT];
    const scale = Math.min(width / board.width, height / board.height);
    const [w, h] = [board.width * scale, board.height * scale];
    pen.drawImage(board, (WIDE - w) / 2, HEAD + (height - h) / 2, w, h);
  }
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

/** The page's board as a drawing that needs no style sheet; null on a page without a drawn one. */
export function boardOnPage() {
  const board = document.querySelector("svg:is(#picture, #track, #kitchen)");
  if (!(board instanceof SVGSVGElement)) return null;
  const copy = /** @type {SVGSVGElement} */ (board.cloneNode(true));
  const [from, to] = [[board, ...board.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const look of LOOKS) to[i].setAttribute(look, style.getPropertyValue(look));
  });
  return copy;
}

/**
 * The seats from the first on as one drawing, for a game without a board.
 * @param {ReturnType<typeof ranked>} places @param {Record<string, number>} points @param {(seat: string) => string} label @param {(name: string) => string} colour
 */
const podium = (places, points, label, colour) => svg("svg", { viewBox: `0 0 ${ROW.wide} ${ROW.high * places.length}`, "font-family": "sans-serif" }, ...places.map(({ seat, says, rank }, n) => {
  const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ size, /** @type {string} */ fill, /** @type {string | number} */ is, anchor = "start") =>
    svg("text", { x, y, "font-size": size, "font-weight": 700, "text-anchor": anchor, fill: colour(fill), text: is });
  return svg("g", { transform: `translate(0 ${n * ROW.high})` },
    svg("rect", { x: 4, y: 10, width: ROW.wide - 8, height: ROW.high - 20, rx: 32, fill: colour("card"), stroke: colour(rank === 1 ? "accent" : "line"), "stroke-width": 5 }),
    text(60, 124, 66, "quiet", rank), text(150, 98, 66, "ink", label(seat)), text(150, 160, 40, "quiet", says), text(ROW.wide - 50, 128, 76, "ink", points[seat] ?? "", "end"));
}));

/** @param {SVGSVGElement | null} copy a drawing with all its looks @returns {Promise<HTMLImageElement | null>} null for an empty one */
export async function imageOf(copy) {
  const { width, height } = copy?.viewBox.baseVal ?? { width: 0, height: 0 };
  if (!copy || !width || !height) return null;
  const scale = WIDE / width;
  copy.setAttribute("width", String(width * scale));
  copy.setAttribute("height", String(height * scale));
  const address = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  const image = Object.assign(new Image(), { alt: "" });
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  return image;
}
