/** How numbers are written, the same on every page. */

/**
 * A chance in percent, without the sign: `9`, `0.4`, `99.6`. What can happen is never `0`, and what is not
 * certain never `100`.
 * @param {number} chance from 0 to 1
 */
export function percentNumber(chance) {
  if (chance <= 0) return "0";
  if (chance >= 1) return "100";
  const percent = 100 * chance;
  if (percent < 0.1) return "< 0.1";
  if (percent > 99.9) return "> 99.9";
  return percent < 1 || percent > 99 ? String(Number(percent.toFixed(1))) : percent.toFixed(0);
}

/** @param {number} chance from 0 to 1 */
export const percent = (chance) => `${percentNumber(chance)} %`;

/** @param {number} number with its sign, also a plus */
export const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);
