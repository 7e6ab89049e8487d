/** The words of this page in the reader's language: they come in a file of their own, which runs first. */

/** @type {Record<string, string>} */
const words = Reflect.get(globalThis, "words") ?? {};

const language = document.documentElement.lang;

/** `{fact}`, or `{fact:first|second}` for one of two words by that fact, as companion/messages.py has it. */
const PLACE = /\{(\w+)(?::([^|{}]*)\|([^|{}]*))?\}/g;
const HAN_THEN_LATIN = /^(?:[\u3400-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u3400-\u9fff])$/;
/** Digits and last letters that a Korean reader ends with a consonant; those with ㄹ, after which 로 stands. */
const CLOSED_WHEN_READ = "013678bcklmnpt";
const READ_WITH_L = "178l";
/** What may stand behind the last sound and is not read. */
const CLOSING_MARKS = /[”’」』)）\]`'"]+$/;
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
/** Syllables that differ by their last sound alone stand together: 28 of them, the first open, the ninth on ㄹ. */
const LAST_SOUNDS = 28;
const SOUND_OF_L = 8;

/**
 * The sentence for `key` with `facts` put in; a fact that names a key `name.<fact>` is said too.
 * @param {string} key
 * @param {Record<string, string | number>} [facts]
 */
export function say(key, facts = {}) {
  const sentence = words[key];
  if (sentence === undefined) return key;
  let text = "";
  let end = 0;
  for (const place of sentence.matchAll(PLACE)) {
    const [open, name, first, second] = place;
    const fact = facts[name] === undefined ? undefined : words[`name.${facts[name]}`] ?? String(facts[name]);
    text = joined(text, sentence.slice(end, place.index));
    text = joined(text, fact === undefined ? open : first === undefined ? fact : chosen(fact, first, second));
    end = place.index + open.length;
  }
  return joined(text, sentence.slice(end));
}

/**
 * The sentence where `facts` fill all of its places, else `otherwise`: a person reads no braces.
 * @param {string} key
 * @param {Record<string, string | number>} facts
 * @param {string} otherwise
 */
export function sayWhole(key, facts, otherwise) {
  const places = [...(words[key] ?? "").matchAll(PLACE)];
  return key in words && places.every(([, name]) => facts[name] !== undefined) ? say(key, facts) : otherwise;
}

/**
 * One of two words: by number in English, by the last sound before it in Korean.
 * @param {string} fact
 * @param {string} one
 * @param {string} other
 */
function chosen(fact, one, other) {
  if (language !== "ko") return fact === "1" ? one : other;
  const last = fact.replace(CLOSING_MARKS, "").slice(-1).toLowerCase();
  const syllable = last.charCodeAt(0);
  let closed = last !== "" && CLOSED_WHEN_READ.includes(last);
  let withL = last !== "" && READ_WITH_L.includes(last);
  if (syllable >= FIRST_SYLLABLE && syllable <= LAST_SYLLABLE) {
    const sound = (syllable - FIRST_SYLLABLE) % LAST_SOUNDS;
    closed = sound !== 0;
    withL = sound === SOUND_OF_L;
  }
  return closed && !(withL && other === "로") ? one : other;
}

/**
 * Two pieces of a sentence; in Chinese with a space where Latin letters or digits meet Chinese characters.
 * @param {string} before
 * @param {string} after
 */
function joined(before, after) {
  const meet = before.slice(-1) + after.slice(0, 1);
  return before + (language === "zh-Hant" && HAN_THEN_LATIN.test(meet) ? " " : "") + after;
}

/** @param {string} key whether there is a sentence for it */
export const known = (key) => key in words;

/**
 * A name for what shows only `seen`: it begins with that, so that who speaks to the phone can say what they see.
 * @param {string} seen
 * @param {string} name
 */
export const nameFor = (seen, name) => (bare(name).startsWith(bare(seen)) ? name : `${seen}: ${name}`);

/** @param {string} text */
const bare = (text) => text.replace(/\s/g, "").toLowerCase();

/** A label's first letter as a capital, where a script has such. */
export const capital = (/** @type {string} */ text) => text.slice(0, 1).toUpperCase() + text.slice(1);
