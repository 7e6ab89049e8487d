/** Small helpers over the DOM. Nothing here knows a game. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Attributes of a node by their names; functions are listeners (`onclick`), `text` is the text inside.
 * @typedef {{onclick?: (event: MouseEvent) => unknown} & Record<string, unknown>} Attributes
 */

/** @typedef {HTMLElement | SVGElement} Drawn */

/**
 * A kind of node, as the browser names it: `HTMLInputElement`.
 * @template {Element} T
 * @typedef {{new (): T, prototype: T}} Kind
 */

/**
 * Set attributes on a node, touching only what differs. `null`, `undefined` and `false` take an
 * attribute off; functions become listeners (`onclick`); `text` is the text inside.
 * @template {Element} T
 * @param {T} node
 * @param {Attributes} attributes
 * @returns {T}
 */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") {
      if (node.textContent !== String(value)) node.textContent = String(value);
    } else if (typeof value === "function") {
      Object.assign(node, { [name]: value });
    } else if (value === null || value === undefined || value === false) {
      if (node.hasAttribute(name)) node.removeAttribute(name);
    } else {
      const text = value === true ? "" : String(value);
      if (node.getAttribute(name) !== text) node.setAttribute(name, text);
    }
  }
  return node;
}

/**
 * A new HTML element.
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Attributes} [attributes]
 * @param {(Node | string | null)[]} children
 */
export function el(name, attributes = {}, ...children) {
  const node = set(document.createElement(name), attributes);
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * A new SVG element.
 * @template {keyof SVGElementTagNameMap} N
 * @param {N} name
 * @param {Attributes} [attributes]
 * @param {(Node | string | null)[]} children
 */
export function svg(name, attributes = {}, ...children) {
  const node = set(document.createElementNS(SVG, name), attributes);
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * Make the children of `parent` those of `items`, keeping the nodes of items that stay: nothing that
 * has not changed is drawn again.
 * @template I
 * @template {Drawn} N
 * @param {Element} parent
 * @param {Iterable<I>} items
 * @param {(item: I) => string} key
 * @param {(item: I) => N} make
 * @param {(node: N, item: I) => unknown} update
 */
export function keyed(parent, items, key, make, update) {
  // All children were made here before, by the same `make`, or drawn by the server in the same shape.
  const children = () => /** @type {N[]} */ ([...parent.children]);
  const byKey = new Map(children().map((node) => [node.dataset.key, node]));
  const kept = new Set();
  let before = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let node = byKey.get(name);
    if (!node) {
      node = make(item);
      node.dataset.key = name;
    }
    update(node, item);
    kept.add(node);
    if (node === before) before = before.nextElementSibling;
    else parent.insertBefore(node, before);
  }
  for (const node of children()) if (!kept.has(node)) node.remove();
}

/**
 * Make `nodes` the children of `parent`, keeping what looks the same already: a tap is lost when the
 * button under the finger is taken away, and so is the focus.
 * @param {Element} parent
 * @param {(Node | string)[]} nodes
 */
export function redraw(parent, ...nodes) {
  const before = [...parent.childNodes];
  nodes.forEach((made, n) => {
    const node = typeof made === "string" ? new Text(made) : made;
    const was = before[n];
    if (!was) parent.append(node);
    else if (!was.cloneNode(false).isEqualNode(node.cloneNode(false))) was.replaceWith(node);
    else if (was !== node && was instanceof Element) {
      const { onclick, onchange } = /** @type {HTMLElement} */ (node);
      Object.assign(was, { onclick, onchange });
      redraw(was, ...node.childNodes);
    }
  });
  for (const node of before.slice(nodes.length)) node.remove();
}

/**
 * The node of that id; a page without it, or with another kind of node, is a fault of ours.
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {Kind<T>} [kind] an HTML element if none is named
 */
export const byId = (id, kind) => query(document, `#${id}`, kind);

/**
 * The first node in `parent` that a selector means; none, or another kind of node, is a fault of ours.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {Kind<T>} [kind] an HTML element if none is named
 */
export function query(parent, selector, kind) {
  const node = parent.querySelector(selector);
  if (!(node instanceof (kind ?? HTMLElement))) throw new Error(`the page has no ${selector}`);
  return /** @type {T} */ (node);
}
