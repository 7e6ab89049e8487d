/** The one way to a match: the game, who plays, start; then the board, with this phone seated. */

import { send } from "./act.js";
import { query } from "./dom.js";
import { current } from "./live.js";
import { say } from "./messages.js";
import { optionsOf } from "./options.js";
import { remember, remembered } from "./player.js";
import { agreed } from "./switch.js";

/** @import { TableNow } from "./types.js" */

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll("form[data-game]");
/** @type {NodeListOf<HTMLInputElement>} */
const games = document.querySelectorAll("input[name=game]");
const holder = { ...remembered(), name: current()?.match.players[current()?.seat ?? ""] || remembered().name };

for (const form of forms) begin(form);
for (const choice of games) choice.addEventListener("change", showForm);
// A browser that comes back to the page keeps what was chosen.
showForm();

function showForm() {
  for (const form of forms) form.hidden = ![...games].some((choice) => choice.checked && choice.value === form.dataset.game);
}

/** The seats that play, as the form asks for them. @param {HTMLFormElement} form */
const seatsOf = (form) => /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll("li:not([hidden]) select")]);

/** @param {HTMLFormElement} form */
function begin(form) {
  for (const select of form.querySelectorAll("select[data-seat]")) inOwnName(/** @type {HTMLSelectElement} */ (select));
  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === "seats") showSeats(form, target.value);
    if (target instanceof HTMLSelectElement && target.dataset.seat) chosen(form, target);
    if (target instanceof HTMLInputElement && target.name === "dealt") cards(form, Boolean(target.value));
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void start(form);
  });
}

/** The phone's own name stands for it; where that played last, it is this phone's seat again. @param {HTMLSelectElement} select */
function inOwnName(select) {
  const { name } = holder;
  if (!name) return;
  query(select, "option[value=me]", HTMLOptionElement).text = say("start.me-named", { name });
  if (select.value === `name:${name}`) select.value = "me";
  for (const option of [...select.options]) if (option.value === `name:${name}`) option.remove();
}

/** @param {HTMLFormElement} form @param {string} count */
function showSeats(form, count) {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("li[data-counts]"))) row.hidden = !row.dataset.counts?.split(" ").includes(count);
  if (!seatsOf(form).some(({ value }) => value === "me")) seatsOf(form)[0].value = "me";
}

/** @param {HTMLFormElement} form @param {HTMLSelectElement} select */
function chosen(form, select) {
  const input = query(select.parentElement ?? form, "input", HTMLInputElement);
  input.hidden = select.value !== "name:";
  if (!input.hidden) input.focus();
  for (const other of seatsOf(form)) if (other !== select && select.value === "me" && other.value === "me") other.value = "";
  // Where hands are secret, the computer plays only with cards that it deals.
  /** @type {HTMLInputElement | null} */
  const deals = form.querySelector(`[name=dealt][value="${computers(form).length ? "yes" : ""}"]`);
  if (deals) deals.checked = true;
}

/** @param {HTMLFormElement} form */
const computers = (form) => seatsOf(form).filter(({ value }) => value.startsWith("level:"));

/** @param {HTMLFormElement} form @param {boolean} dealt */
function cards(form, dealt) {
  if (!dealt) for (const select of computers(form)) select.value = "";
  else if (!computers(form).length) {
    const last = seatsOf(form).filter(({ value }) => value !== "me").pop();
    const levels = last ? [...last.options].map(({ value }) => value).filter((value) => value.startsWith("level:")) : [];
    if (last) last.value = levels[Math.floor((levels.length - 1) / 2)];
  }
}

/** Begin, and sit down. @param {HTMLFormElement} form */
async function start(form) {
  const options = optionsOf(form);
  const seats = seatsOf(form);
  if (!options) return;
  /** @type {Record<string, string>} */
  const players = {};
  /** @type {Record<string, string>} */
  const computer = {};
  for (const select of seats) {
    const [kind, said = ""] = select.value.split(/:(.*)/s);
    const typed = query(select.parentElement ?? form, "input", HTMLInputElement).value.trim();
    const name = kind === "me" ? holder.name : said || typed;
    if (kind === "level") computer[select.dataset.seat ?? ""] = said;
    else if ((kind === "me" || kind === "name") && name) players[select.dataset.seat ?? ""] = name;
  }
  const own = seats.find(({ value }) => value === "me") ?? seats.find(({ value }) => !value.startsWith("level:"));
  const seat = own?.dataset.seat ?? "";
  const lot = form.querySelector("[data-lot]");
  const fields = new FormData(form);
  const instead = await agreed();
  if (instead === null) return;
  document.documentElement.dataset.leaves = ""; // the seat of the match before is gone: that is no news
  const wanted = { options, players, computer, seat, lot: lot instanceof HTMLInputElement && lot.checked, dealt: Boolean(fields.get("dealt")) };
  /** @type {TableNow | null} */
  const now = await send("/api/matches", { ...wanted, game: form.dataset.game, seats: seats.length, instead_of: instead });
  const name = players[seat] ?? "";
  // A lot may have given this phone's name another seat.
  const drawn = wanted.lot && now ? Object.keys(now.match.players).find((other) => now.match.players[other] === name) : seat;
  if (now && (await sits(now, drawn ?? seat, name))) location.assign("/");
  else delete document.documentElement.dataset.leaves;
}

/** Take the seat, and the hand that lies there; true once this phone has them. @param {TableNow} now @param {string} seat @param {string} name */
async function sits({ seat: has, dealt, sitting }, seat, name) {
  if (has || !seat || sitting.includes(seat)) return true;
  const who = { ...holder, name };
  remember(who);
  return (await send("/api/seats/take", { ...who, seat })) && (!dealt || (await send("/api/seats/pick-up")));
}
