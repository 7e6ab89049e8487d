/** Matches kept: go on with one, or begin another from the form of a game's options. */

import { send } from "./act.js";
import { toast } from "./toast.js";
import { say } from "./messages.js";

for (const button of document.querySelectorAll("[data-resume]")) {
  button.addEventListener("click", async () => {
    if (await send(`/api/matches/${button.dataset.resume}/resume`)) location.assign("/");
  });
}

if (location.hash === "#new") document.getElementById("new")?.setAttribute("open", "");

document.getElementById("which")?.addEventListener("change", (event) => {
  for (const form of document.querySelectorAll("form[data-game]")) form.hidden = form.dataset.game !== event.target.value;
});

for (const form of document.querySelectorAll("form[data-game]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = asked(form);
    if (body && (await send("/api/matches", body))) location.assign("/");
  });
}

document.getElementById("names")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const players = Object.fromEntries([...event.target.querySelectorAll("[data-seat]")].map((input) => [input.dataset.seat, input.value]));
  if (await send("/api/players", { players })) toast(say("web.done"));
});

for (const count of document.querySelectorAll("select[name=seats]")) {
  count.addEventListener("change", () => {
    for (const field of count.form.querySelectorAll("[data-counts]")) field.hidden = !field.dataset.counts.split(" ").includes(count.value);
  });
}

/** What the form asks for; null (and said) when something in it cannot be read. */
function asked(form) {
  const options = {};
  for (const input of form.querySelectorAll("[data-option]")) {
    const value = valueOf(input);
    if (value === undefined) {
      toast(say("web.not-a-value", { field: input.labels[0]?.textContent ?? input.dataset.option }), "refusal");
      input.focus();
      return null;
    }
    options[input.dataset.option] = value;
  }
  const players = {};
  for (const input of form.querySelectorAll("[data-counts]:not([hidden]) [data-seat]")) {
    if (input.value.trim()) players[input.dataset.seat] = input.value.trim();
  }
  const seats = form.elements.seats ? Number(form.elements.seats.value) : null;
  return { game: form.dataset.game, options, players, seats };
}

function valueOf(input) {
  if (input.dataset.kind === "boolean") return input.checked;
  if (input.dataset.kind === "number") return input.value === "" || Number.isNaN(input.valueAsNumber) ? undefined : input.valueAsNumber;
  if (input.dataset.kind === "text") return input.value;
  try {
    return JSON.parse(input.value);
  } catch {
    return undefined;
  }
}
