/** What a browser lets a page do over https alone: show how the table stood while there is no connection to it. */

/** Begin to keep the page. */
export async function keepOnePage() {
  if (!("serviceWorker" in navigator)) return;
  const { active } = await navigator.serviceWorker.register("/service-worker.js");
  // Whoever puts the phone away may come back without a connection.
  document.addEventListener("visibilitychange", async () => {
    if (!document.hidden) return;
    const worker = active ?? (await navigator.serviceWorker.ready).active;
    worker?.postMessage("keep");
  });
}
