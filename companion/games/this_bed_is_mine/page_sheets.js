/** What rises from below: the tile in hand, why a region or a side has its points, questions, the end. */

import { answer } from "/static/act.js";
import { askSheet, breaksSheet } from "/static/asks.js";
import { el, svg } from "/static/dom.js";
import { closeSheet, openSheet } from "/static/sheet.js";
import { known, say } from "/static/messages.js";
import { Bed, face, paw, shapePicture, toyPicture } from "./page_bed.js";
import { covered, nameOf } from "./page_shapes.js";

const OWNERS = ["cat", "dog"];
const MOST_GUESSES = 6;

/**
 * Show the sheet that is due: what the person does comes before what the camera asks.
 * @param {any} now what the table shows
 * @param {any} ui what the person does
 * @param {any} tools what a sheet may do to the page
 */
export function showSheet(now, ui, tools) {
  const { board } = now.match;
  const { sighting } = now;
  tools.bed.choose(null);
  if (!ui.cursor) tools.bed.point(null);
  if (ui.hand) return handSheet(ui.hand, tools);
  if (ui.sheet?.kind === "region" && regionAt(board, ui.sheet.at)) return regionSheet(board, regionAt(board, ui.sheet.at), tools);
  if (ui.sheet?.kind === "why") return whySheet(board, ui.sheet.owner, tools);
  if (ui.sheet?.kind === "list") return listSheet(board, tools);
  if (ui.sheet?.kind === "step") return stepSheet(board, ui.sheet, tools);
  if (sighting?.verdict === "ask" && ui.aside !== sighting.id) return question(now, sighting, tools);
  if (sighting?.verdict === "breaks" && ui.aside !== sighting.id) return breaksSheet(sighting, { title: say("bed.breaks"), close: tools.close });
  if (ui.sheet?.kind === "end" || (board.over && !ui.endSeen)) return endSheet(board, ui, tools);
  return closeSheet();
}

const regionAt = (board, square) => board.regions.find((region) => region.squares.some((each) => nameOf(each) === nameOf(square)));
const capital = (text) => el("span", { class: "cap", text });

function handSheet(hand, tools) {
  const facts = { owner: tools.nameOfSide(hand.owner), digit: hand.digit };
  const button = (word, onclick) => el("button", { type: "button", onclick, text: say(word) });
  openSheet({
    name: `hand-${hand.owner}${hand.digit}${hand.laid}`,
    title: say(hand.laid ? "bed.in-hand-laid" : "bed.in-hand", facts),
    close: tools.close,
    body: [
      el("div", { class: "hand" },
        button("bed.turn-it", () => tools.turn()),
        hand.laid ? button("bed.take-off", () => tools.takeOff(hand)) : turnedPicture(hand, tools),
        button("bed.let-go", tools.close)),
    ],
  });
}

/** The tile in hand as it is turned now. */
function turnedPicture(hand, tools) {
  const picture = shapePicture(tools.shapes()[hand.digit], hand.owner, "tray");
  picture.style.rotate = `${hand.turns * 90}deg`;
  return el("span", { class: "turned" }, picture);
}

/* Why */

function sumLine(board, region, owner, tools) {
  const tiles = region.tiles.filter((tile) => tile.owner === owner);
  const ones = tiles.flatMap((tile, n) => [
    n ? " + " : null,
    el("span", { class: "one" }, shapePicture(board.shapes[tile.digit], owner, "tray"), String(tile.digit)),
  ]);
  return el("div", { class: `sum ${owner}`, role: "group", "aria-label": `${tools.nameOfSide(owner)}: ${tiles.map((tile) => tile.digit).join(" + ") || 0}` },
    face(owner), ...(ones.length ? ones : [el("span", { class: "quiet", text: say("bed.none") })]), el("span", { class: "equals", text: `= ${region.sums[owner]}` }));
}

const whySaid = (region) =>
  say(`region.${region.why}`, { ...region.sums, points: region.points, owner: region.owner ?? "" });

const regionTitle = (region) => (region.size === 1 ? say("bed.region-one") : say("bed.region", { size: region.size }));

function regionSheet(board, region, tools) {
  tools.bed.choose(region.squares);
  const toys = Object.entries(region.toys).filter(([, number]) => number);
  openSheet({
    name: `region-${nameOf(region.squares[0])}`,
    title: regionTitle(region),
    close: tools.close,
    body: [
      el("div", { class: "stack" },
        el("p", { class: "verdict cap", text: whySaid(region) }),
        region.tiles.length ? el("div", { class: "sums" }, ...OWNERS.map((owner) => sumLine(board, region, owner, tools))) : null,
        toys.length ? el("div", { class: "row" }, el("span", { class: "quiet", text: say("bed.toys-here") }), ...toys.flatMap(([kind, number]) => toyIcons(kind, number))) : null),
    ],
  });
  tools.reveal(region.squares);
}

/** So many toys of a kind, as pictures. */
function toyIcons(kind, number) {
  return Array.from({ length: number }, () => toyIcon(kind));
}

function toyIcon(kind) {
  const name = known(`name.${kind}`) ? say(`name.${kind}`) : kind;
  return svg("svg", { viewBox: "-.5 -.5 1 1", class: "toy-icon", role: "img", "aria-label": name }, svg("g", { class: `toy ${kind}` }, ...toyPicture(kind)));
}

function whySheet(board, owner, tools) {
  const regions = board.regions.filter((region) => region.owner === owner).sort((one, two) => two.points - one.points);
  const rows = regions.map((region) => el("li", {}, regionButton(region, tools)));
  const bonuses = board.side === "B" ? Object.entries(board.toy_count).map(([toy, count]) => bonusRow(toy, count)) : [];
  openSheet({
    name: `why-${owner}`,
    title: say(board.over ? "bed.why-title-over" : "bed.why-title", { owner: tools.nameOfSide(owner), points: board.points[owner].total }),
    close: tools.close,
    focus: true,
    body: [
      el("ul", { class: "list" }, ...rows, ...bonuses),
      rows.length ? null : el("p", { class: "quiet", text: say("bed.no-regions") }),
    ].filter(Boolean),
  });
}

function regionButton(region, tools) {
  const button = el("button", { type: "button", onclick: () => tools.show({ kind: "region", at: region.squares[0] }) });
  const sums = region.tiles.length ? `${region.sums.cat} : ${region.sums.dog}` : "";
  button.append(region.owner ? face(region.owner) : el("span", { class: "toy-icon" }), capital(regionTitle(region)),
    el("span", { class: "quiet sums-said", text: sums }), el("span", { class: "end", text: region.points ? `+${region.points}` : region.why === "equal" ? "=" : "" }));
  return button;
}

function bonusRow(toy, count) {
  return el("li", {}, el("div", { class: "plain" }, toyIcon(toy),
    capital(count.bonus ? say("layout.bonus", { toy, ...count, owner: count.bonus, points: 5 }) : say("layout.no-bonus", { toy, ...count }))));
}

/** Everything on the bed as a list: the same as the picture, for whom the picture is not enough. */
function listSheet(board, tools) {
  const tiles = [...board.tiles].reverse().map((tile) => {
    const button = el("button", { type: "button", onclick: () => tools.pickUp(tile) });
    button.append(shapePicture(board.shapes[tile.digit], tile.owner, "tray"), capital(`${tools.nameOfSide(tile.owner)} ${tile.digit}`));
    return el("li", {}, button);
  });
  const regions = [...board.regions].sort((one, two) => two.size - one.size).map((region) => el("li", {}, regionButton(region, tools)));
  openSheet({
    name: "list",
    title: say("bed.list-title"),
    close: tools.close,
    focus: true,
    body: [
      el("div", { class: "stack" },
        el("h3", { text: say("bed.regions") }), el("ul", { class: "list" }, ...regions),
        el("h3", { text: say("bed.on-bed") }),
        tiles.length ? el("ul", { class: "list" }, ...tiles) : el("p", { class: "quiet", text: say("bed.nothing-yet") })),
    ],
  });
}

/* What the camera asks */

function question(now, sighting, tools) {
  const { board } = now.match;
  const guesses = sighting.guesses.slice(0, MOST_GUESSES);
  const part = partOf(board, guesses);
  askSheet(now, {
    unclear: "bed.ask",
    choices: guesses.map((guess, n) => guessButton(board, sighting, guess, n, part, tools)),
    close: tools.close,
    more: [el("button", { type: "button", onclick: tools.close, text: say("bed.ask-by-hand") })],
  });
}

function guessButton(board, sighting, guess, n, part, tools) {
  const picture = svg("svg", { class: "mini", "aria-hidden": "true" });
  const after = afterMoves(board, guess.moves);
  new Bed(picture, `guess${n}`).draw({ ...board, tiles: after, regions: [] }, part);
  const said = guess.moves.map((move) => say(`bed.guess-${move.move}`, { owner: tools.nameOfSide(move.owner), digit: move.digit ?? "" }));
  return el("button", { type: "button", onclick: () => answer(sighting.id, n) }, picture, capital(said.slice(0, 3).join(", ")),
    el("span", { class: "sure", text: `${Math.round(guess.confidence * 100)} %` }));
}

/** The tiles as they would lie after moves; `is` says which are new and which gone. */
function afterMoves(board, moves) {
  const tiles = new Map(board.tiles.map((tile) => [`${tile.owner}${tile.digit}`, tile]));
  for (const move of moves) {
    const name = `${move.owner}${move.digit}`;
    if (move.move === "take-off") tiles.set(name, { ...tiles.get(name), is: "lifted" });
    else if (move.move !== "skip") tiles.set(name, { ...move, cells: covered(board, move), is: "told" });
  }
  return [...tiles.values()].filter((tile) => tile.cells);
}

/** The square part of the bed that holds all that the guesses change, the same for each. */
function partOf(board, guesses) {
  const squares = guesses.flatMap((guess) => afterMoves(board, guess.moves).filter((tile) => tile.is).flatMap((tile) => tile.cells));
  if (!squares.length) return null;
  const [top, left] = [0, 1].map((axis) => Math.min(...squares.map((square) => square[axis])) - 1);
  const [bottom, right] = [0, 1].map((axis) => Math.max(...squares.map((square) => square[axis])) + 2);
  const size = Math.max(bottom - top, right - left, 7);
  return { row: (top + bottom - size) / 2, col: (left + right - size) / 2, rows: size, cols: size };
}

/* The end */

function endSheet(board, ui, tools) {
  const finals = OWNERS.map((owner) => el("div", { class: owner }, face(owner), el("span", { class: "cap", text: tools.nameOfSide(owner) }), el("span", { class: "total", text: board.points[owner].total })));
  openSheet({
    name: "end",
    title: board.outcome.winners.length === 1 ? say("bed.wins", { owner: tools.nameOfSide(board.outcome.winners[0]) }) : say("bed.share"),
    close: () => {
      Object.assign(ui, { endSeen: true, sheet: null });
      tools.again();
    },
    body: [el("div", { class: "stack" }, el("div", { class: "final" }, ...finals),
      el("button", { type: "button", class: "main", onclick: () => { ui.endSeen = true; tools.show({ kind: "step", n: 0 }); }, text: say("bed.end-steps") }))],
  });
}

function stepSheet(board, sheet, tools) {
  const step = board.layout[Math.min(sheet.n, board.layout.length - 1)];
  const last = sheet.n >= board.layout.length - 1;
  const region = board.regions.find((each) => each.id === step.region);
  if (region) tools.bed.choose(region.squares);
  tools.bed.point(step.step === "marker" ? step.square : null);
  const go = (by) => () => tools.show({ kind: "step", n: sheet.n + by });
  openSheet({
    name: "step",
    title: say("bed.step", { n: sheet.n + 1, of: board.layout.length }),
    close: tools.close,
    body: [
      el("div", { class: "stack" },
        el("progress", { max: board.layout.length, value: sheet.n + 1, "aria-label": say("bed.step", { n: sheet.n + 1, of: board.layout.length }) }),
        el("div", { class: "stack steps-said", "aria-live": "polite" }, ...STEPS[step.step](step, tools, board)),
        el("div", { class: "row" },
          el("button", { type: "button", "aria-disabled": sheet.n ? null : "true", onclick: sheet.n ? go(-1) : () => {}, text: say("bed.back") }),
          el("button", { type: "button", class: "main", onclick: last ? tools.close : go(1), text: say(last ? "bed.finish" : "bed.next") }))),
    ],
  });
  if (region) tools.reveal(region.squares);
}

const line = (...inside) => el("div", { class: "step-line" }, ...inside);

const STEPS = {
  marker: (step) => [line(paw(step.owner), el("p", { class: "said-large cap", text: say("layout.marker", { owner: step.owner, row: step.square[0] + 1, col: step.square[1] + 1, points: step.points }) }))],
  toys: (step) => Object.entries(step.toys).map(([toy, number]) =>
    line(toyIcon(toy), el("p", { class: "said-large cap", text: say("layout.toys", { owner: step.owner, toy, number }) }))),
  bonus: (step) => [line(toyIcon(step.toy), el("p", { class: "said-large cap", text: say(step.owner ? "layout.bonus" : "layout.no-bonus", { ...step, owner: step.owner ?? "" }) }))],
  chips: (step) => [
    line(face(step.owner), el("p", { class: "said-large cap", text: say("layout.chips", { owner: step.owner, points: step.points }) })),
    el("div", { class: "coins" }, ...Object.entries(step.chips).sort((one, two) => two[0] - one[0]).flatMap(([value, number]) =>
      Array.from({ length: number }, () => el("span", { class: `coin ${step.owner}`, text: value })))),
    ...(step.short ? [el("p", { class: "cap", text: say("layout.short", { short: step.short, owner: step.owner }) })] : []),
  ],
  winner: (step, tools) => [line(...(step.winners.length ? step.winners : OWNERS).map(face),
    el("p", { class: "said-large cap", text: say(`outcome.${step.reason}`, { winner: step.winners[0] ?? "" }) }))],
};
