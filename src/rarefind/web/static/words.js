// Numbers, times and counts as a person would write them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export const count = (number) => whole.format(number ?? 0);
export const figure = (number) => (Number.isFinite(number) ? short.format(number) : "–");

export const counted = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

/** A score keeps its order of magnitude, however small. */
export function score(number) {
  if (!Number.isFinite(number)) return "–";
  const size = Math.abs(number);
  return size !== 0 && (size < 0.001 || size >= 1e5) ? number.toExponential(1) : number.toPrecision(3);
}

export function when(seconds) {
  const ago = Date.now() / 1000 - seconds;
  if (ago < 45) return "just now";
  if (ago < 3600) return `${counted(Math.max(1, Math.round(ago / 60)), "minute")} ago`;
  if (ago < 86400) return `${counted(Math.round(ago / 3600), "hour")} ago`;
  return new Date(seconds * 1000).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

export const moment = (seconds) => new Date(seconds * 1000).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });

export function bytes(number) {
  const units = ["bytes", "KB", "MB", "GB"];
  let step = 0;
  while (number >= 1000 && step < units.length - 1) [number, step] = [number / 1000, step + 1];
  return `${figure(number)} ${units[step]}`;
}

export const shortened = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
