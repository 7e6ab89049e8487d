/** The odds of the race: who wins, what the next throw may do, and the chips that were paid. */

import { die } from "/static/die.js";
import { el, svg } from "/static/dom.js";
import { capital, say } from "/static/messages.js";
import { percent } from "/static/numbers.js";

/** @import { ChartPoint, ForeseenView, Payment, RaceView } from "./page_types.js" */
/** @typedef {(seat: string) => string} Name */

const WHY = /** @type {const} */ (["won", "second_throw", "lost_turn", "turn_back", "stay", "leap", "pays", "earns", "jump"]);
const WHOLE = { width: 300, height: 100 };

const language = document.documentElement.lang;
const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const signed = new Intl.NumberFormat(language, { maximumFractionDigits: 1, minimumFractionDigits: 1, signDisplay: "always" });

/** @param {RaceView} board @param {Name} name */
export function odds(board, name) {
  const { odds: chances, throws, ledger } = board;
  const why = WHY.flatMap((each) => (chances.why?.[each] ? [[say(`race.why-${each.replace("_", "-")}`), chances.why[each]]] : []));
  const part = (/** @type {string} */ title, /** @type {Element} */ inside) => [el("h3", { text: title }), inside];
  return el("div", { class: "odds" },
    el("p", { class: "answer" }, el("span", {}, el("b", { text: percent(chances.cat) }), ` ${name("cat")}`), el("span", {}, el("b", { text: percent(chances.mouse) }), ` ${name("mouse")}`)),
    ...(board.chart.length ? part(say("race.win-chance-history"), chart(board.chart)) : []),
    ...(why.length ? part(say("race.why"), pairs(why)) : []),
    ...(throws.length ? part(say("race.every-throw"), table("throws", ["throw", "leads-to", "what", "chance-then"], throws.map(throwRow))) : []),
    ...part(say("race.expected"), pairs([
      [say("race.expected-throws"), numbers.format(chances.throws)],
      [say("race.expected-pays", { seat: name("cat") }), numbers.format(chances.cat_pays)],
      [say("race.expected-pays", { seat: name("mouse") }), numbers.format(chances.mouse_pays)],
      [say("race.expected-net"), signed.format(chances.net_with_pots)],
    ])),
    ...(ledger.length ? part(say("race.ledger"), table("ledger", ["throw-number", "who-pays", "chips", "for-what"], [...ledger].reverse().map((line) => [line.throw, `${name(line.payer)} → ${name(line.payee)}`, line.chips, because(line, name)]))) : []),
    el("p", { class: "quiet", text: say(chances.fees_foretold ? "race.exact" : "race.fees-not-foretold") }));
}

/** @param {(string | number)[][]} rows */
const pairs = (rows) => el("dl", { class: "pairs" }, ...rows.flatMap(([term, value]) => [el("dt", { text: term }), el("dd", { text: value })]));

/** @param {string} name @param {string[]} heads @param {(string | number | Node)[][]} rows */
const table = (name, heads, rows) => el("table", { class: name }, el("thead", {}, el("tr", {}, ...heads.map((each) => el("th", { scope: "col", text: say(`race.${each}`) })))),
  el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell instanceof Node ? cell : String(cell)))))));

/** @param {ForeseenView} each @returns {(string | number | Node)[]} */
function throwRow(each) {
  const said = [];
  if (each.how === "stay" || each.how === "turn-back") said.push(say(`race.why-${each.how}`));
  if (each.then !== "next") said.push(say(`race.why-${each.then}`));
  if (each.chips) said.push(say(each.chips < 0 ? "race.legend-pays" : "race.legend-earns", { chips: Math.abs(each.chips) }));
  const change = `${each.gains < 0 ? "−" : "+"}${(100 * Math.abs(each.gains)).toFixed(1)}`;
  return [el("span", { role: "img", "aria-label": each.dice.join(" + ") }, ...each.dice.map((value) => die(value))), each.to, said.join(", "),
    el("span", {}, `${percent(each.chance)} `, el("span", { class: each.gains < 0 ? "worse" : "better", text: change }))];
}

/** Whose throw it was, and by which double somebody landed. @param {Payment} line @param {Name} name */
function because({ reason, square, payer, payee, dice: [one, two] }, name) {
  const said = say(`because.${reason}`, { square });
  if (reason === "stake" || reason === "pots") return said;
  const landed = reason !== "jump" && reason !== "stay" && one === two ? say("because.double", { landed: said, die: one }) : said;
  return capital(say("because.of", { seat: name(reason === "earns" ? payee : payer), because: landed }));
}

/** @param {ChartPoint[]} points */
function chart(points) {
  const last = points.length - 1;
  const x = (/** @type {number} */ i) => ((WHOLE.width * i) / Math.max(last, 1)).toFixed(2);
  const y = (/** @type {number} */ cat) => (WHOLE.height * (1 - cat)).toFixed(2);
  const line = points.map(({ cat }, i) => `L${x(i)} ${y(cat)}`).join("") + (last ? "" : `L${WHOLE.width} ${y(points[0].cat)}`);
  return svg("svg", { class: "chart", viewBox: `0 0 ${WHOLE.width} ${WHOLE.height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "mouse-part", width: WHOLE.width, height: WHOLE.height }),
    svg("path", { class: "cat-part", d: `M0 ${WHOLE.height}${line}L${WHOLE.width} ${WHOLE.height}Z` }),
    svg("path", { class: "even", d: `M0 50H${WHOLE.width}` }));
}
