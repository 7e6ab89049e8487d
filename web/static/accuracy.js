/** The guided accuracy test: what is to be laid and thrown, and how it was read. */

import { post } from "./act.js";
import { byId, el, keyed, set, svg } from "./dom.js";
import { capital, say } from "./messages.js";
import { nameOf } from "./names.js";

/** @import { Accuracy, AccuracyNow, Count, Report } from "./types.js" */

const EVERY_MS = 500;

/** @param {Accuracy} accuracy */
function show({ now, reports }) {
  const { phase, task, outcome, number, of } = now;
  const runs = phase === "read" || phase === "check";
  set(byId("asked"), { text: asked(now) });
  set(byId("progress"), { text: runs ? say("accuracy.progress", { n: number + 1, of }) : "" });
  set(byId("begin"), { hidden: runs, text: say(phase === "done" || reports.length ? "accuracy.again" : "accuracy.begin") });
  set(byId("end"), { hidden: !runs });
  const onlyCounts = task?.kind === "throw" && outcome === "asked";
  set(byId("yes"), { hidden: phase !== "check", text: say(onlyCounts ? "accuracy.count" : "accuracy.yes") });
  set(byId("no"), { hidden: phase !== "check" || onlyCounts });
  outline(now);
  keyed(byId("reports"), reports.length ? reports : [null], (each) => each?.began ?? "none", () => el("li"),
    (node, each) => set(node, { text: each ? line(each) : say("accuracy.none") }));
  set(byId("compared"), { text: reports.length > 1 ? compared(reports[0], reports[1]) : "", hidden: reports.length < 2 });
  byId("figures-out").hidden = !reports.length;
}

/** @param {AccuracyNow} now */
function asked({ phase, task, outcome, read }) {
  if (phase === "done") return say("accuracy.done");
  if (!task) return say("accuracy.how");
  const throws = task.kind === "throw";
  if (phase === "check" && outcome === "asked") return say(throws ? "accuracy.asked-throw" : "accuracy.read-asked");
  if (phase === "check") return say(throws ? "accuracy.read-throw" : "accuracy.read-wrong", { read: read || "–" });
  if (task.kind !== "lay" || !task.tile) return say(task.kind === "throw" ? "accuracy.throw" : "accuracy.clear");
  return say("accuracy.lay", { owner: capital(nameOf(task.tile.owner)), tile: task.tile.digit });
}

/** @param {AccuracyNow} now */
function outline({ phase, task }) {
  const lines = document.getElementById("setup-lines");
  if (!(lines instanceof SVGGElement)) return;
  const shapes = phase === "read" && task?.outline.length ? [task.outline] : [];
  keyed(lines, shapes, () => "asked", () => svg("polygon", { class: "place" }), (node, points) => set(node, { points: points.join(" ") }));
  set(byId("overlay", SVGSVGElement), { "data-step": phase === "idle" ? "" : "tiles" });
}

/** @param {Report} report */
function line({ began, light, lay, throw: throws }) {
  const when = new Date(began).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  return [`${when} · ${say("accuracy.light")} ${light}`,
    `${say("accuracy.tiles")}: ${counts(lay)}`, `${say("accuracy.throws")}: ${counts(throws)}`].join("\n");
}

/** @param {Count} count */
const counts = ({ exact, asked: questions, wrong }) => say("accuracy.counts", { exact, asked: questions, wrong });

/**
 * Wrong readings weigh most, then questions.
 * @param {Report} now
 * @param {Report} before
 */
function compared(now, before) {
  const price = (/** @type {Report} */ { lay, throw: throws }) => 3 * (lay.wrong + throws.wrong) + lay.asked + throws.asked;
  const more = price(now) - price(before);
  return capital(say(more < 0 ? "accuracy.better" : more > 0 ? "accuracy.worse" : "accuracy.same"));
}

/**
 * @param {string} path
 * @param {object} [body]
 */
async function change(path, body = {}) {
  /** @type {Accuracy | null} */
  const accuracy = await post(path, body);
  if (accuracy) show(accuracy);
}

async function look() {
  if (!document.hidden) {
    try {
      const answer = await fetch("/api/accuracy");
      if (answer.ok) show(await answer.json());
    } catch {
      // The page says itself that the connection is lost.
    }
  }
  setTimeout(look, EVERY_MS);
}

if (document.getElementById("begin")) {
  byId("begin").onclick = () => change("/api/accuracy/begin");
  byId("end").onclick = () => change("/api/accuracy/end");
  byId("yes").onclick = () => change("/api/accuracy/answer", { right: true });
  byId("no").onclick = () => change("/api/accuracy/answer", { right: false });
  look();
}
