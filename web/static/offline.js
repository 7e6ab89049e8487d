/** The page that a phone shows while there is no connection: how the table stood, until it answers again. */

import { byId, set } from "./dom.js";
import { say } from "./messages.js";

const AGAIN_MS = 3000;

const time = new Date(document.lastModified).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
set(byId("offline-at"), { text: say("offline.at", { time }) });

/** Show the table as soon as it answers. */
async function look() {
  try {
    await fetch("/health", { cache: "no-store" });
  } catch {
    return;
  }
  if (location.pathname === "/offline") location.replace("/");
  else location.reload();
}

setInterval(look, AGAIN_MS);
byId("offline-again").onclick = look;
