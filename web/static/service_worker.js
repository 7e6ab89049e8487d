/**
 * Keeps one page for when there is no connection to the table: how it stood when this phone last knew.
 *
 * Browsers run this over https, and on the table's own machine. Nothing else is ever answered from what is kept.
 */

const CACHE = "offline";
const PAGE = "/offline";
const FILE = /^\/(?:packed|static|games)\//;
const LOADED = /(?:src|href)="([^"]+)"/g;
const WAIT_MS = 6000; // a table that has just been switched on answers within this

/** @typedef {ExtendableEvent & {request: Request, respondWith: (answer: Promise<Response>) => void}} FetchEvent */
/** @typedef {Event & {waitUntil: (done: Promise<unknown>) => void}} ExtendableEvent */

/** Keep the page as it is now with the files that it loads, and those alone. */
async function keep() {
  const now = await fetch(PAGE);
  if (!now.ok) return;
  const cache = await caches.open(CACHE);
  const html = await now.text();
  const loaded = [...html.matchAll(LOADED)].map(([, address]) => address.replaceAll("&amp;", "&"));
  const files = loaded.filter((address) => FILE.test(address));
  const there = await Promise.all(files.map((address) => cache.match(address)));
  await cache.addAll(files.filter((_, index) => !there[index]));
  const headers = new Headers(now.headers);
  headers.set("Last-Modified", new Date().toUTCString()); // the page says when this was
  await cache.put(PAGE, new Response(html, { headers }));
  const wanted = [PAGE, ...files].map((address) => new URL(address, location.href).href);
  for (const { url } of await cache.keys()) if (!wanted.includes(url)) await cache.delete(url);
}

/**
 * The page that is asked for; the one that is kept where no answer comes.
 * @param {Request} request
 */
async function page(request) {
  const stood = await caches.match(PAGE);
  const asked = fetch(request);
  if (!stood) return asked;
  const late = new Promise((resolve) => setTimeout(resolve, WAIT_MS, stood));
  return Promise.race([asked.catch(() => stood), late]);
}

/**
 * A file of a page; the one that is kept where no answer comes.
 * @param {Request} request
 */
async function file(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

/** @param {Event} event what asks for it: the worker is installed, or a page is left */
const kept = (event) => /** @type {ExtendableEvent} */ (event).waitUntil(keep());

addEventListener("install", kept);
addEventListener("message", kept);

addEventListener("fetch", (event) => {
  const { request, respondWith } = /** @type {FetchEvent} */ (event);
  if (request.method !== "GET") return;
  const answer = request.mode === "navigate" ? page : FILE.test(new URL(request.url).pathname) ? file : null;
  if (answer) respondWith.call(event, answer(request));
});
