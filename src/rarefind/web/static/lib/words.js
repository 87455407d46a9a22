// Numbers, times and counts as a person would write them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/**
 * @param {number | null | undefined} number
 */
export const count = (number) => whole.format(number ?? 0);
/** @param {number} number */
export const figure = (number) => (Number.isFinite(number) ? short.format(number) : "–");

/**
 * A share of all in percent; tiny ones are told as such.
 * @param {number} share
 */
export const percent = (share) =>
  share > 0 && share < 0.001 ? "< 0.1 %" : `${figure(Math.round(1000 * share) / 10)} %`;

/**
 * @param {number} number
 * @param {string} one
 */
export const counted = (number, one, many = `${one}s`) =>
  `${count(number)} ${number === 1 ? one : many}`;

/**
 * A score keeps its order of magnitude, however small.
 * @param {number} number
 */
export function score(number) {
  if (!Number.isFinite(number)) return "–";
  const size = Math.abs(number);
  return size !== 0 && (size < 0.001 || size >= 1e5)
    ? number.toExponential(1)
    : number.toPrecision(3);
}

/** @param {number} seconds */
export function when(seconds) {
  const ago = Date.now() / 1000 - seconds;
  if (ago < 45) return "just now";
  if (ago < 3600) return `${counted(Math.max(1, Math.round(ago / 60)), "minute")} ago`;
  if (ago < 86400) return `${counted(Math.round(ago / 3600), "hour")} ago`;
  return new Date(seconds * 1000).toLocaleDateString("en", {
    day: "numeric",
    month: "short",
    year: "numeric",
  });
}

/**
 * How long something lasts, as exactly as an estimate is.
 * @param {number} seconds
 */
export function lasting(seconds) {
  if (seconds < 10) return counted(Math.max(1, Math.round(seconds)), "second");
  if (seconds < 90) return counted(5 * Math.round(seconds / 5), "second");
  if (seconds < 5400) return counted(Math.round(seconds / 60), "minute");
  return counted(Math.round(seconds / 3600), "hour");
}

/** @param {number} seconds */
export const moment = (seconds) =>
  new Date(seconds * 1000).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });

/** @param {number} number */
export function bytes(number) {
  const units = ["bytes", "KB", "MB", "GB"];
  let step = 0;
  while (number >= 1000 && step < units.length - 1) [number, step] = [number / 1000, step + 1];
  return `${figure(number)} ${units[step]}`;
}

/**
 * A name without what people do not see: capitals, and blanks more than one.
 * @param {string} name
 */
export const folded = (name) => name.trim().toLowerCase().split(/\s+/).join(" ");

/** What parts the words of a name: not digits, since 1-2 is not 12, and not at an end, as in a-. */
const APART = /(?<=[\p{L}\p{N}])[\s_-]+(?=\p{L})|(?<=\p{L})[\s_-]+(?=[\p{L}\p{N}])/gu;

/**
 * A name without what parts its words either: giftcard, gift-card and gift card are one.
 * @param {string} name
 */
export const joined = (name) => folded(name).replace(APART, "");

/**
 * The name that this one may be a slip of the finger for.
 * @param {string} typed
 * @param {string[]} names
 */
export function mistyped(typed, names) {
  const words = apart(typed);
  return names.find((name) => {
    const others = apart(name);
    return others.length === words.length
      ? words.every((word, place) => isSlip(word, others[place]))
      : isSlip(words.join(""), others.join("")); // a blank too many or too few besides
  });
}

/** @param {string} name */
const apart = (name) => folded(name).replace(APART, " ").split(" ");

/**
 * @param {string} word
 * @param {string} other
 */
function isSlip(word, other) {
  if (word === other) return true;
  const short = Math.min(word.length, other.length);
  if (short < 4 || word[0] !== other[0] || !/^\p{L}+$/u.test(word + other)) return false;
  return slips(word, other) <= (short >= 8 ? 2 : 1);
}

/**
 * How many letters are missing, added, changed or swapped with their neighbour.
 * @param {string} word
 * @param {string} other
 */
function slips(word, other) {
  const table = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= word.length; i++) {
    table.push([i]);
    for (let j = 1; j <= other.length; j++) {
      const changed = table[i - 1][j - 1] + (word[i - 1] === other[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1];
      table[i].push(
        Math.min(
          changed,
          table[i - 1][j] + 1,
          table[i][j - 1] + 1,
          swapped ? table[i - 2][j - 2] + 1 : Infinity,
        ),
      );
    }
  }
  return table[word.length][other.length];
}
