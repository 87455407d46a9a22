// The colours of the map: from paper to a crowd, from a quiet score to one that stands out.

/** @typedef {number[]} Rgb three numbers from 0 to 255 */

/**
 * As the style sheet has them; `classes` from the ordinary (0) to the last one given out.
 * @typedef {object} Colours
 * @property {Rgb[]} classes
 * @property {Rgb} paper
 * @property {Rgb} crowd
 * @property {Rgb} accent
 * @property {Rgb} ink
 */

/**
 * How dark a pixel with this many points is, from 0 to 1; one point must be seen as well.
 * @param {number} count
 * @param {number} least
 */
const depth = (count, least) =>
  count === 0 ? 0 : Math.min(1, least + (1 - least) * (Math.log2(count) / 7));

/** @param {Rgb} colour */
const packed = ([red, green, blue]) =>
  ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;

/**
 * @param {Rgb} from
 * @param {Rgb} to
 * @param {number} share
 */
const mixed = (from, to, share) => from.map((part, index) => part + (to[index] - part) * share);

/** @param {(level: number) => Rgb} colour */
const table = (colour) => Uint32Array.from({ length: 256 }, (_, level) => packed(colour(level)));

/**
 * From paper to the colour of the crowd by the number of points; `least` is how dark one is.
 * @param {Colours} colours
 * @param {number} least
 */
export const densityTable = ({ paper, crowd }, least) =>
  table((count) => mixed(paper, crowd, depth(count, least)));

/**
 * From the crowd's grey to the accent: a low score is quiet, a high one stands out.
 * @param {Colours} colours
 * @param {number} share
 */
export const scoreColour = ({ paper, crowd, accent }, share) =>
  share < 0.5
    ? mixed(mixed(paper, crowd, 0.35), crowd, share)
    : mixed(crowd, accent, (share - 0.5) * 2);

/**
 * From blue over ochre to vermilion, told apart by those who are colour-blind.
 * @param {Colours} colours
 * @param {number} share
 */
export const columnColour = ({ classes }, share) =>
  share < 0.5
    ? mixed(classes[2], classes[5], share * 2)
    : mixed(classes[5], classes[1], (share - 0.5) * 2);

/**
 * The colour of a category: the most frequent is grey as the ordinary class is.
 * @param {Colours} colours
 * @param {number} number from 0, the most frequent
 */
export const categoryColour = ({ classes }, number) => classes[number % classes.length];

/**
 * The colours of a whole image: level 0 is paper.
 * @param {Colours} colours
 * @param {(level: number) => Rgb} colour
 */
export const shadeTable = ({ paper }, colour) =>
  table((level) => (level === 0 ? paper : colour(level)));
