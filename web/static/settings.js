/** The settings: each is kept as soon as it is changed. */

import { post } from "./act.js";
import { byId, query } from "./dom.js";
import { say } from "./messages.js";
import { toast } from "./toast.js";

/** @import { SettingNow } from "./types.js" */
/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

const form = byId("settings", HTMLFormElement);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) keep(target);
});

document.getElementById("try-broker")?.addEventListener("click", tryBroker);

document.getElementById("delete-pictures")?.addEventListener("click", async () => {
  if (!(await post("/api/pictures/remove", {}))) return;
  byId("delete-pictures").remove();
  byId("pictures").textContent = say("settings.pictures-deleted");
});

async function tryBroker() {
  const button = byId("try-broker", HTMLButtonElement);
  const says = query(byId("broker"), ".help");
  button.disabled = true;
  says.textContent = "";
  const done = await post("/api/broker/try", {});
  says.textContent = done ? say("settings.broker-well") : "";
  button.disabled = false;
}

/** @param {Field} field */
async function keep(field) {
  const name = field.closest("[data-setting]")?.getAttribute("data-setting") ?? "";
  const value = valueOf(field);
  if (value === undefined) {
    toast(say("web.not-a-value", { field: field.labels?.[0]?.textContent ?? name }), "refusal");
    return;
  }
  /** @type {SettingNow[] | null} */
  const settings = await post("/api/settings", { values: { [name]: value } });
  const now = settings?.find((each) => each.name === name);
  if (!now) {
    // What was refused does not hold: show what does.
    location.reload();
    return;
  }
  query(form, `[data-setting="${name}"] .waits`).hidden = !now.waits;
  const forgot = forgetsLogin(settings ?? []);
  query(form, `[data-setting="${name}"] .says`).textContent = now.says;
  toast([say(now.waits ? "settings.waits" : "settings.kept"), forgot ? say("settings.broker-forgot") : "", now.says].filter(Boolean).join(" "));
}

/**
 * Empty the fields of a login that a new address has forgotten; false where they were empty.
 * @param {SettingNow[]} settings
 */
function forgetsLogin(settings) {
  const user = byId("setting-broker_user", HTMLInputElement);
  const password = byId("setting-broker_password", HTMLInputElement);
  const is = (/** @type {string} */ name) => settings.find((each) => each.name === name);
  if (is("broker_password")?.is_set || is("broker_user")?.value) return false;
  const forgot = Boolean(user.value || password.value || password.placeholder);
  user.value = password.value = password.placeholder = "";
  return forgot;
}

/**
 * What stands in a field; null for an empty number, undefined where it cannot be read.
 * @param {Field} field
 */
function valueOf(field) {
  if (field instanceof HTMLSelectElement) return field.value;
  if (field.type === "checkbox") return field.checked;
  if (field.type !== "number") return field.value.trim();
  return field.validity.valid ? (Number.isNaN(field.valueAsNumber) ? null : field.valueAsNumber) : undefined;
}
