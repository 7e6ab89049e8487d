/** A picture of a finished match, 1200 by 1500 px: the board as the page draws it, with the score. */

const WIDE = 1200;
const HIGH = 1500;
const EDGE = 60;
const HEAD = 330; // px above the board
const FOOT = 90;

/** What the style sheets say of a drawing, and a picture of its own must say by itself. */
const LOOKS = ["fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin", "stroke-linecap",
  "opacity", "display", "visibility", "font-size", "font-weight", "font-family", "text-anchor", "dominant-baseline", "vector-effect"];

/** @import { AnyGame, TableNow } from "./types.js" */

/**
 * A game's own drawing of its table, where its page has no drawn board (`page_share.js` in its folder). It bears
 * all its looks by itself: a seat's name and a colour of the style sheets come from the two functions.
 * @template {AnyGame} G
 * @typedef {(match: TableNow<G>["match"], label: (seat: string) => string, colour: (name: string) => string) => SVGSVGElement} Drawing
 */

/** What a picture shows. @typedef {{name: string, title: string, lines: string[], foot: string}} Shared */

/**
 * Draw the match that this page shows, and give it to the phone's share sheet; where there is none, save it.
 * @param {TableNow["match"]} match @param {(seat: string) => string} label what a seat is called
 */
export async function share(match, label) {
  const shown = of(match, label);
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`);
  const board = await imageOf(boardOnPage() ?? (await ownDrawing(match, label, colour)));
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

/** @param {TableNow["match"]} match @param {(seat: string) => string} label @returns {Shared} */
function of(match, label) {
  const points = Object.entries(match.outcome?.points ?? {}).map(([seat, is]) => `${label(seat)} ${String(is).replace("-", "−")}`);
  const { lang } = document.documentElement;
  // Days stand before months on the pages, too: plain "en" would turn them round.
  const foot = new Date(match.began).toLocaleDateString(lang === "en" ? "en-GB" : lang, { dateStyle: "long" });
  const said = (/** @type {string} */ which) => document.querySelector(which)?.textContent ?? "";
  return { name: `match-${match.id}.png`, title: said("h1"), lines: [said("#status"), points.join(" : ")], foot };
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
function boardOnPage() {
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

/** @type {Drawing<AnyGame>} */
const nothing = () => document.createElementNS("http://www.w3.org/2000/svg", "svg");

/**
 * The drawing that a game makes itself; an empty one for a game without.
 * @param {TableNow["match"]} match @param {(seat: string) => string} label @param {(name: string) => string} colour
 */
async function ownDrawing(match, label, colour) {
  const module = await import(`/games/${match.game}/page_share.js`).catch(() => null);
  const { drawing } = /** @type {{drawing: Drawing<AnyGame>}} */ (module ?? { drawing: nothing });
  return drawing(match, label, colour);
}

/** @param {SVGSVGElement} copy a drawing with all its looks @returns {Promise<HTMLImageElement | null>} null for an empty one */
async function imageOf(copy) {
  const { width, height } = copy.viewBox.baseVal;
  if (!width) return null;
  const scale = WIDE / width;
  copy.setAttribute("width", String(width * scale));
  copy.setAttribute("height", String(height * scale));
  const address = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  return image;
}
