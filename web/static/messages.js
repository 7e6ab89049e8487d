/** The words of this page in the reader's language, as the server put them into it. */

/** @type {Record<string, string>} */
const words = JSON.parse(document.getElementById("words")?.textContent || "{}");

/**
 * The sentence for `key` with `facts` put in; a fact that names a key `name.<fact>` is said too.
 * @param {string} key
 * @param {Record<string, string | number>} [facts]
 */
export function say(key, facts = {}) {
  const sentence = words[key];
  if (sentence === undefined) return key;
  return sentence.replace(/\{(\w+)\}/g, (open, name) => {
    const fact = facts[name];
    return fact === undefined ? open : words[`name.${fact}`] ?? String(fact);
  });
}

/** @param {string} key whether there is a sentence for it */
export const known = (key) => key in words;

/** A label's first letter as a capital, where a script has such. */
export const capital = (/** @type {string} */ text) => text.slice(0, 1).toUpperCase() + text.slice(1);
