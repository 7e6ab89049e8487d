/** A photo of the dice, where no camera watches them: played, asked about or refused as a camera's throw is. */

import { take } from "./live.js";
import { byId, query } from "./dom.js";
import { sendPhoto } from "./send_photo.js";

/** @import { TableNow } from "./types.js" */

const input = byId("throw-photo", HTMLInputElement);
const label = query(document, "label:has(#throw-photo)");

input.addEventListener("change", async () => {
  const [file] = input.files ?? [];
  input.value = "";
  if (!file || label.hasAttribute("aria-busy")) return;
  label.setAttribute("aria-busy", "true");
  /** @type {TableNow | null} */
  const now = await sendPhoto("/api/photos/throw", file, input, (share) => label.style.setProperty("--sent", String(share)));
  label.removeAttribute("aria-busy");
  if (now) take(now);
});
