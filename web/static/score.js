/** Scoring a finished board from photos, step by step: photos, corners, the board, its score. */

import { post, send } from "./act.js";
import { Corners } from "./corners.js";
import { byId, el, keyed, query, set } from "./dom.js";
import { say } from "./messages.js";
import { optionsOf } from "./options.js";
import { sendPhoto } from "./send_photo.js";
import { toast } from "./toast.js";

/** @import { KeptScore, PhotoDraft, PhotoView, PlacedTile, Refusal } from "./types.js" */

const MOST_PHOTOS = 3;
const POLL_MS = 500;

/** Where this browser keeps the number of its photos: a phone's camera may well end the page that opened it. */
const DRAFT = "photo-draft";

/** @typedef {"photos" | "corners" | "wait" | "board"} Step */
const STEPS = /** @type {const} */ (["photos", "corners", "wait", "board"]);

/**
 * What a game's own script does on this page: draw the board that was read, and give the tiles as agreed.
 * @typedef {object} GameBoard
 * @property {(draft: PhotoDraft) => unknown} show
 * @property {() => PlacedTile[]} tiles
 * @property {() => number} unsure how many tiles still want a look
 */

/** @type {{step: Step, draft: PhotoDraft | null, at: number, moved: boolean, game: GameBoard | null}} */
const ui = { step: "photos", draft: null, at: 0, moved: false, game: null };

const stage = byId("stage");
const photo = byId("stage-photo", HTMLImageElement);
const corners = new Corners(stage, photo, () => {
  ui.moved = true;
  bar();
});

/** Let a game's script draw the board that was read. @param {GameBoard} game */
export function drawnBy(game) {
  ui.game = game;
}

/** Say what is asked now, or how many tiles still want a look: the game's script calls it after each change. @param {string} asked */
export function looked(asked) {
  const left = ui.game?.unsure() ?? 0;
  const other = ui.draft?.read?.why === "other-board";
  set(byId("board-how"), { text: other ? say("web.photo-other-board") : asked || (left ? say("web.photo-unsure", { left }) : say("web.photo-sure")) });
}

/** The draft that is being worked on; a step that needs one is not shown without it. */
export function draftNow() {
  if (!ui.draft) throw new Error("there are no photos yet");
  return ui.draft;
}

/* Steps */

/** @param {Step} step */
function go(step) {
  const other = ui.step !== step;
  ui.step = step;
  for (const each of STEPS) byId(`step-${each}`).hidden = each !== step;
  byId("back").hidden = step === "photos" || step === "wait";
  byId("turn").hidden = step !== "corners";
  byId(step === "board" ? "bed-again" : "bed-first").append(byId("options"));
  bar();
  if (!other) return;
  scrollTo({ top: 0 });
  query(byId(`step-${step}`), "h2").focus({ preventScroll: true });
}

function bar() {
  const { step, draft } = ui;
  const word = { photos: "next", corners: "yes", wait: "wait", board: "keep" }[step];
  const ready = { photos: () => Boolean(draft?.photos.length), corners: () => ui.moved || !guessed(), wait: () => false, board: () => true }[step]();
  set(byId("next"), { text: say(`web.photo-${word}`), "aria-disabled": ready ? null : "true" });
}

byId("next").addEventListener("click", () => {
  if (byId("next").getAttribute("aria-disabled") === "true") {
    const first = { photos: "first", corners: "corners-first", wait: "", board: "" }[ui.step];
    if (first) toast(say(`web.photo-${first}`), "refusal");
    return undefined;
  }
  switch (ui.step) {
    case "photos": return lookAt(0);
    case "corners": return confirmed();
    default: return keep();
  }
});

byId("back").addEventListener("click", () => {
  const draft = draftNow();
  if (ui.step === "corners") return ui.at ? lookAt(ui.at - 1) : go("photos");
  return lookAt(draft.photos.length - 1);
});

/* Photos */

/** @param {PhotoDraft | null} draft */
function take(draft) {
  ui.draft = draft;
  if (draft) sessionStorage.setItem(DRAFT, String(draft.id));
  else sessionStorage.removeItem(DRAFT);
  const photos = draft?.photos ?? [];
  /** @type {(PhotoView | number)[]} */
  const places = [...photos, ...Array.from({ length: MOST_PHOTOS - photos.length }, (_, n) => photos.length + n)];
  keyed(byId("photos"), places, (each) => (typeof each === "number" ? `none-${each}` : `${draft?.id}-${each.name}`), thumbnail, () => {});
  set(query(document, ".pick"), { "data-full": photos.length === MOST_PHOTOS });
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */
  const options = document.querySelectorAll("[data-option]");
  for (const input of options) input.onchange = chosenAnew;
  bar();
}

/** @param {PhotoView | number} each */
function thumbnail(each) {
  if (typeof each === "number") return el("li", { class: "none", "aria-hidden": "true" });
  const remove = el("button", { type: "button", class: "icon", text: "✕", "aria-label": say("web.photo-remove"), onclick: () => removed(each.name) });
  return el("li", {}, el("img", { src: addressOf(each), alt: say("web.photo-photo") }), remove);
}

/** @param {PhotoView} each */
const addressOf = (each) => `/api/photos/${draftNow().id}/pictures/${each.name}`;

/** @param {number} name */
async function removed(name) {
  /** @type {PhotoDraft | null} */
  const draft = await send(`/api/photos/${draftNow().id}/remove`, { photo: name });
  if (draft) take(draft);
}

/** @type {NodeListOf<HTMLInputElement>} */
const inputs = document.querySelectorAll(".pick input");
for (const input of inputs) {
  input.addEventListener("change", async () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    await takeFiles(files, input);
  });
}

/** @param {File[]} files @param {HTMLInputElement} from */
async function takeFiles(files, from) {
  if (!files.length) return;
  if (!ui.draft && !(await begun())) return;
  const places = MOST_PHOTOS - draftNow().photos.length;
  if (files.length > places) toast(say("photo-fault.enough", { most: MOST_PHOTOS }), "refusal");
  const sending = byId("sending");
  const progress = query(sending, "progress", HTMLProgressElement);
  for (const [n, file] of files.slice(0, places).entries()) {
    sending.hidden = false;
    progress.value = 0;
    set(query(sending, "span"), { text: say("web.photo-sending-of", { n: n + 1, of: Math.min(files.length, places) }) });
    /** @type {PhotoDraft | null} */
    const draft = await sendPhoto(`/api/photos/${draftNow().id}/pictures`, file, from, (share) => { progress.value = share; }, refused);
    if (draft) take(draft);
    if (!ui.draft) break;
  }
  sending.hidden = true;
}

/** A photo was refused: those of before may be gone. @param {Refusal} refusal */
function refused({ rule }) {
  if (rule === "gone") take(null);
}

/** Another bed, or another house rule: what was read is read again. */
async function chosenAnew() {
  const options = ui.draft && optionsOf(byId("options", HTMLFormElement));
  /** @type {PhotoDraft | null} */
  const draft = options && await send(`/api/photos/${draftNow().id}/options`, { options });
  if (!draft) return;
  take(draft);
  if (ui.step === "board") await read();
}

/** Begin a draft with the options of the form. */
async function begun() {
  const options = optionsOf(byId("options", HTMLFormElement));
  if (!options) return false;
  /** @type {PhotoDraft | null} */
  const draft = await post("/api/photos", { game: document.documentElement.dataset.game, options });
  if (draft) take(draft);
  return draft !== null;
}

/* Corners */

/** Whether no board was found in the photo that is looked at: then its corners are only a place to start from. */
const guessed = () => draftNow().photos[ui.at].source === "guess";

/** Show where the board lies in a photo, to be agreed to. @param {number} n which photo */
async function lookAt(n) {
  const draft = draftNow();
  const each = draft.photos[n];
  Object.assign(ui, { at: n, moved: false });
  stage.style.setProperty("--ratio", String(each.width / each.height));
  set(photo, { src: addressOf(each) });
  corners.show(each.corners_px, each, draft.grid);
  const more = draft.photos.length > 1 ? `${say("web.photo-of", { n: n + 1, of: draft.photos.length })} ` : "";
  set(byId("corners-how"), { text: more + say(guessed() ? "web.photo-corners-none" : each.certain ? "web.photo-corners-found" : "web.photo-corners-drag") });
  go("corners");
}

byId("turn").addEventListener("click", () => corners.turn());

/** The corners are agreed to: on to the next photo, or to the reading. */
async function confirmed() {
  const each = draftNow().photos[ui.at];
  if (ui.moved || !each.certain) {
    /** @type {PhotoDraft | null} */
    const draft = await send(`/api/photos/${draftNow().id}/corners`, { photo: each.name, corners_px: corners.points });
    if (!draft) return;
    take(draft);
  }
  if (ui.at + 1 < draftNow().photos.length) await lookAt(ui.at + 1);
  else if (draftNow().stage === "read") await board();
  else await read();
}

/* Reading */

async function read() {
  /** @type {PhotoDraft | null} */
  const draft = await send(`/api/photos/${draftNow().id}/read`);
  if (draft) await wait(draft);
}

/** Wait until the photos are read. @param {PhotoDraft} begunDraft @returns {Promise<unknown>} */
async function wait(begunDraft) {
  take(begunDraft);
  go("wait");
  while (draftNow().stage === "waiting" || draftNow().stage === "reading") {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const answer = await fetch(`/api/photos/${draftNow().id}`).catch(() => null);
    if (answer?.ok) take(await answer.json());
    else if (answer) return begin();
  }
  if (draftNow().stage === "read") return board();
  toast(say(`photo-fault.${draftNow().fault || "unreadable"}`), "refusal");
  return go("photos");
}

/* The board */

async function board() {
  go("board");
  await ui.game?.show(draftNow());
}

async function keep() {
  const tiles = ui.game?.tiles() ?? [];
  if (ui.game?.unsure()) return toast(say("web.photo-look-first"), "refusal");
  /** @type {Record<string, string>} */
  const players = {};
  /** @type {NodeListOf<HTMLInputElement>} */
  const names = document.querySelectorAll("#players [data-seat]");
  for (const { dataset, value } of names) if (dataset.seat && value.trim()) players[dataset.seat] = value.trim();
  const photos = byId("keep-photos", HTMLInputElement).checked;
  /** @type {KeptScore | null} */
  const kept = await send(`/api/photos/${draftNow().id}/keep`, { tiles, players, photos });
  if (!kept) return undefined;
  sessionStorage.removeItem(DRAFT);
  return location.assign(`/history/${kept.match}`);
}

/* Going on where this phone was */

/** Go on with the photos that this phone has sent, if the table still holds them. @returns {Promise<unknown>} */
async function begin() {
  const number = sessionStorage.getItem(DRAFT);
  const answer = number ? await fetch(`/api/photos/${number}`).catch(() => null) : null;
  /** @type {PhotoDraft | null} */
  const draft = answer?.ok ? await answer.json() : null;
  const own = draft?.game === document.documentElement.dataset.game ? draft : null;
  take(own);
  if (own?.stage === "waiting" || own?.stage === "reading") return wait(own);
  return go("photos");
}

// Once the game's own script, which comes after this one, has said how it draws.
queueMicrotask(begin);
