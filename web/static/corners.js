/** Four corners on a picture: dragged by a finger, a mouse or the arrow keys, under a magnifier. */

import { el, set, svg } from "./dom.js";
import { say } from "./messages.js";

/** @typedef {[number, number]} Point x, y in px of the picture */
/** @typedef {{width: number, height: number}} Size of the picture, in px */

/**
 * The board between the corners: its squares, and groups of squares that are drawn so that it can be seen
 * which side is up (each as row and column).
 * @typedef {{rows: number, cols: number, landmarks?: [number, number][][]}} Grid
 */

/** The corners in order: the board's own top left first, then clockwise. */
const NAMES = ["top-left", "top-right", "bottom-right", "bottom-left"];

const LENS_PX = 136; // across the magnifier, on the page
const ZOOM = 3; // how much larger it shows the picture than the page does
const STEP_PX = 1; // px of the picture that an arrow key moves a corner
const LARGE_STEP_PX = 10; // with the shift key

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The plane of a board in the picture: its whole width and height, 0 to 1 each, become px.
 * @param {Point[]} corners
 */
export function planeOf(corners) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners;
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const whole = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / whole;
  const h = (dx1 * sy - sx * dy1) / whole;
  return new DOMMatrix([x1 - x0 + g * x1, y1 - y0 + g * y1, 0, g, x3 - x0 + h * x3, y3 - y0 + h * y3, 0, h, 0, 0, 1, 0, x0, y0, 0, 1]);
}

/**
 * A point through a plane, forth or back. @param {DOMMatrix} plane @param {number} across @param {number} down @returns {Point}
 */
export function through(plane, across, down) {
  const { x, y, w } = plane.transformPoint({ x: across, y: down });
  return [x / w, y / w];
}

/**
 * Where squares of a board lie in the picture: `(across, down)`, in squares, becomes a point in px.
 * @param {Point[]} corners
 * @param {Grid} grid
 * @returns {(across: number, down: number) => Point}
 */
export function projection(corners, { rows, cols }) {
  const plane = planeOf(corners);
  return (across, down) => through(plane, across / cols, down / rows);
}

/** @param {number} value @param {number} most */
const within = (value, most) => Math.max(0, Math.min(most, value));

/** @param {Point[]} points */
const line = (...points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

/** The corners of a board in a picture. The stage holds the picture, in its own proportions, and nothing else. */
export class Corners {
  /**
   * @param {HTMLElement} stage
   * @param {HTMLImageElement | HTMLCanvasElement} picture
   * @param {() => void} [moved] called once a corner has been moved
   */
  constructor(stage, picture, moved = () => {}) {
    this.stage = stage;
    this.picture = picture;
    this.moved = moved;
    /** @type {Point[]} */
    this.points = [];
    /** @type {Size} */
    this.size = { width: 1, height: 1 };
    /** @type {Grid} */
    this.grid = { rows: 1, cols: 1 };
    this.lines = svg("path", { class: "corner-grid" });
    this.landmarks = svg("path", { class: "corner-landmarks" });
    this.border = svg("path", { class: "corner-border" });
    this.over = svg("svg", { class: "corner-lines", "aria-hidden": "true", focusable: "false" }, this.lines, this.landmarks, this.border);
    this.lens = el("canvas", { class: "lens", width: 2 * LENS_PX, height: 2 * LENS_PX, "aria-hidden": "true", hidden: true });
    this.handles = NAMES.map((_, n) => this.handle(n));
    stage.append(this.over, ...this.handles, this.lens);
    this.hide();
  }

  /**
   * Show corners in a picture of that size.
   * @param {Point[]} points
   * @param {Size} size
   * @param {Grid} grid
   */
  show(points, size, grid) {
    Object.assign(this, { points: points.map(([x, y]) => [x, y]), size, grid });
    set(this.over, { viewBox: `0 0 ${size.width} ${size.height}` });
    this.stage.style.aspectRatio = `${size.width} / ${size.height}`;
    this.setHidden(false);
    this.draw();
  }

  /** Show none. */
  hide() {
    this.lens.hidden = true;
    this.setHidden(true);
  }

  /** Let the board be seen as turned by a quarter: what was its top right corner is its top left one. */
  turn() {
    this.points = [...this.points.slice(1), this.points[0]];
    this.draw();
    this.moved();
  }

  /** @param {boolean} hidden */
  setHidden(hidden) {
    for (const each of this.handles) each.hidden = hidden;
    this.over.style.display = hidden ? "none" : "";
  }

  /** The handle of a corner. @param {number} n */
  handle(n) {
    const node = el("button", { type: "button", class: "corner-handle" });
    /** Where the finger took hold, and where the corner was then. @type {{x: number, y: number, corner: Point} | null} */
    let taken = null;
    node.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      event.preventDefault();
      node.focus({ preventScroll: true });
      node.setPointerCapture(event.pointerId);
      taken = { x: event.clientX, y: event.clientY, corner: this.points[n] };
      this.magnify(n);
    });
    node.addEventListener("pointermove", (event) => {
      // The corner moves as far as the finger does, which so need not lie over it.
      const pxOfPicture = this.size.width / this.stage.clientWidth;
      if (taken) this.move(n, [taken.corner[0] + (event.clientX - taken.x) * pxOfPicture, taken.corner[1] + (event.clientY - taken.y) * pxOfPicture]);
    });
    const release = () => {
      if (taken) this.moved();
      taken = null;
      this.lens.hidden = true;
    };
    node.addEventListener("pointerup", release);
    node.addEventListener("pointercancel", release);
    node.addEventListener("blur", () => {
      this.lens.hidden = true;
    });
    node.addEventListener("keydown", (event) => this.key(n, event));
    return node;
  }

  /** @param {number} n @param {KeyboardEvent} event */
  key(n, event) {
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP_PX : STEP_PX;
    const [x, y] = this.points[n];
    this.move(n, [x + arrow[0] * step, y + arrow[1] * step]);
    this.moved();
  }

  /** @param {number} n @param {Point} to */
  move(n, [x, y]) {
    this.points[n] = [within(x, this.size.width), within(y, this.size.height)];
    this.draw();
    this.magnify(n);
  }

  draw() {
    const { points, size, grid } = this;
    const at = projection(points, grid);
    const down = Array.from({ length: grid.cols - 1 }, (_, c) => line(at(c + 1, 0), at(c + 1, grid.rows)));
    const across = Array.from({ length: grid.rows - 1 }, (_, r) => line(at(0, r + 1), at(grid.cols, r + 1)));
    set(this.lines, { d: [...down, ...across].join("") });
    set(this.border, { d: `${line(...points)}Z` });
    const squares = (grid.landmarks ?? []).flat();
    set(this.landmarks, { d: squares.map(([r, c]) => `${line(at(c, r), at(c + 1, r), at(c + 1, r + 1), at(c, r + 1))}Z`).join("") });
    for (const [n, name] of NAMES.entries()) {
      const [node, [x, y]] = [this.handles[n], points[n]];
      node.style.left = `${(100 * x) / size.width}%`;
      node.style.top = `${(100 * y) / size.height}%`;
      set(node, { "aria-label": say(`web.corner-${name}`, { x: Math.round(x), y: Math.round(y) }) });
    }
  }

  /** Show what lies around a corner, larger, where the finger does not hide it. @param {number} n */
  magnify(n) {
    const { size, lens, picture, points, stage } = this;
    const context = lens.getContext("2d");
    if (!context) return;
    const [x, y] = points[n];
    // The picture may be shown from a file of another size than the one that corners are given in.
    const own = picture instanceof HTMLImageElement ? picture.naturalWidth : picture.width;
    const scale = own / size.width;
    const radius = (LENS_PX / 2 / ZOOM) * (size.width / stage.clientWidth);
    const px = LENS_PX / radius; // canvas px for a px of the picture
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = "#000";
    context.fillRect(0, 0, 2 * LENS_PX, 2 * LENS_PX);
    context.drawImage(picture, (x - radius) * scale, (y - radius) * scale, 2 * radius * scale, 2 * radius * scale, 0, 0, 2 * LENS_PX, 2 * LENS_PX);
    context.setTransform(px, 0, 0, px, LENS_PX - x * px, LENS_PX - y * px);
    context.strokeStyle = "#ffe08a";
    context.lineWidth = 3 / px;
    context.stroke(new Path2D(line(points[(n + 3) % 4], points[n], points[(n + 1) % 4])));
    const left = x < size.width / 2;
    Object.assign(lens.style, { left: left ? "auto" : "8px", right: left ? "8px" : "auto" });
    lens.hidden = false;
  }
}
