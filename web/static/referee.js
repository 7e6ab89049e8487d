/** The switch in the menu by which players call the referee of a club's evening. */

import { send } from "./act.js";
import { byId, set } from "./dom.js";
import { onNews, take } from "./live.js";

/** @import { TableNow } from "./types.js" */

const button = byId("referee");

onNews((now) => set(button, { "aria-pressed": String(now.notices.some((notice) => notice.key.startsWith("referee-"))) }));

button.addEventListener("click", async () => {
  /** @type {TableNow | null} */
  const now = await send("/api/referee", { on: button.getAttribute("aria-pressed") !== "true" });
  if (now) take(now);
});
