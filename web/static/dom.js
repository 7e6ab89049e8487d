/** Small helpers over the DOM. Nothing here knows a game. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Set attributes on a node, touching only what differs. `null`, `undefined` and `false` take an
 * attribute off; functions become listeners (`onclick`); `text` is the text inside.
 * @template {Element} T
 * @param {T} node
 * @param {Record<string, unknown>} attributes
 * @returns {T}
 */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") {
      if (node.textContent !== String(value)) node.textContent = String(value);
    } else if (typeof value === "function") {
      node[name] = value;
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
 * @param {string} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null)} children
 */
export function el(name, attributes = {}, ...children) {
  const node = set(document.createElement(name), attributes);
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * A new SVG element.
 * @param {string} name
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null)} children
 */
export function svg(name, attributes = {}, ...children) {
  const node = set(document.createElementNS(SVG, name), attributes);
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * Make the children of `parent` those of `items`, keeping the nodes of items that stay: nothing that
 * has not changed is drawn anew.
 * @template I
 * @param {Element} parent
 * @param {Iterable<I>} items
 * @param {(item: I) => string} key
 * @param {(item: I) => Element} make
 * @param {(node: Element, item: I) => void} update
 */
export function keyed(parent, items, key, make, update) {
  const held = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  const kept = new Set();
  let before = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let node = held.get(name);
    if (!node) {
      node = make(item);
      node.dataset.key = name;
    }
    update(node, item);
    kept.add(node);
    if (node === before) before = before.nextElementSibling;
    else parent.insertBefore(node, before);
  }
  for (const node of [...parent.children]) if (!kept.has(node)) node.remove();
}

/**
 * The node of that id; a page without it is a fault of ours.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page has no #${id}`);
  return node;
}
