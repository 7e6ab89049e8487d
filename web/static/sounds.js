/** What a phone says of the match without being looked at: a click for a move, a chime and a buzz for its turn, the score. */

/** @import { TableNow } from "./types.js" */

const SPOKEN = /** @type {Record<string, string>} */ ({ "zh-Hant": "zh-TW" }); // how voices name a language of ours
const CHIME_HZ = [659, 880];
const CLICK_HZ = 1800;
const BUZZ_MS = 200;

/** @type {AudioContext | null} */
let sound = null;
/** @type {TableNow["match"] | null} */
let before = null;
/** What the table asks a person to do for its own seat, as JSON; "null" for nothing. */
let asked = "null";

/**
 * Sound from now on, while the switch is on.
 * @param {(tell: (now: TableNow) => void) => void} onNews
 * @param {() => boolean} isOn
 * @param {{label: (seat: string) => string, say: (key: string, facts: Record<string, string>) => string}} words
 */
export function sounds(onNews, isOn, words) {
  // A browser lets a page sound after a tap alone; that on the switch counts.
  addEventListener("click", () => isOn() && void (sound ??= new AudioContext()).resume());
  onNews(({ match, seat, opponent }) => {
    const last = before;
    before = match;
    const asks = JSON.stringify(opponent?.move ?? null);
    const isNew = asks !== asked && asks !== "null";
    asked = asks;
    if (isNew && isOn()) return voice(document.getElementById("status")?.textContent ?? "");
    if (!last || !isOn() || last.id !== match.id || (last.moves === match.moves && last.turn === match.turn)) return undefined;
    const own = seat !== null && match.turn === seat && last.turn !== seat;
    if (own) navigator.vibrate?.(BUZZ_MS);
    if (own) CHIME_HZ.forEach((hz, n) => tone(hz, n * 0.16, 0.5));
    else tone(CLICK_HZ, 0, 0.04);
    return voice(standingSaid(match, words));
  });
}

/** @param {number} hz @param {number} after seconds from now @param {number} lasts seconds */
function tone(hz, after, lasts) {
  if (!sound) return;
  const [source, loudness] = [sound.createOscillator(), sound.createGain()];
  const at = sound.currentTime + after;
  source.frequency.value = hz;
  loudness.gain.setValueAtTime(0.2, at);
  loudness.gain.exponentialRampToValueAtTime(0.001, at + lasts);
  source.connect(loudness).connect(sound.destination);
  source.start(at);
  source.stop(at + lasts);
}

/**
 * The score and whose turn it is.
 * @param {TableNow["match"]} match
 * @param {{label: (seat: string) => string, say: (key: string, facts: Record<string, string>) => string}} words
 */
function standingSaid({ standing, turn, outcome }, { label, say }) {
  const score = Object.entries(standing).map(([seat, is]) => `${label(seat)}: ${is}`).join(", ");
  const next = turn && !outcome ? say("web.turn", { seat: label(turn) }) : "";
  return [score, next].filter(Boolean).join(". ");
}

/** Say this; what was being said before stops. @param {string} text */
export function voice(text) {
  if (!("speechSynthesis" in globalThis)) return;
  const { lang } = document.documentElement;
  const said = new SpeechSynthesisUtterance(text);
  said.lang = SPOKEN[lang] ?? lang;
  speechSynthesis.cancel();
  if (said.text) speechSynthesis.speak(said);
}
