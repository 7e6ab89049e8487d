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
 */
export function sounds(onNews, isOn) {
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
    return answer(Object.keys(match.standing).length ? "standing" : "turn").then(voice);
  });
  hearAsked(onNews, (text) => isOn() && voice(text));
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

/** The table's answer to a question; empty where it does not hear. @param {string} question @param {string} [place] @returns {Promise<string>} */
export async function answer(question, place = "") {
  try {
    return (await (await fetch(`/api/ask?${new URLSearchParams({ question, place })}`)).json()).says;
  } catch {
    return "";
  }
}

/** Answer what a button of the panel asks from now on. @param {(tell: (now: TableNow) => void) => void} onNews @param {(text: string) => unknown} tell */
export function hearAsked(onNews, tell) {
  /** @type {unknown} */
  let heard;
  onNews(({ notices }) => {
    const { question, at } = notices.find(({ key }) => key === "asked")?.facts ?? {};
    if (question && heard !== undefined && heard !== at) void answer(String(question)).then(tell);
    heard = at ?? null;
  });
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
