// Pictures: grey or coloured values from 0 to 1, drawn on a canvas.

import { el, pen } from "../lib/dom.js";

const SMALL = 32 * 32;

/**
 * `shape` is [height, width] or [height, width, 3]; `values` are in reading order.
 * @param {number[]} shape
 * @param {number[]} values
 * @param {string} words for those who cannot see it; none where words stand beside it
 */
export function drawPicture([height, width, channels = 1], values, words) {
  const canvas = el("canvas", {
    class: "picture",
    width,
    height,
    data: { ink: channels === 1 ? "yes" : null },
  });
  if (words) {
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", words);
  } else {
    canvas.setAttribute("aria-hidden", "true");
  }
  const context = pen(canvas);
  const image = context.createImageData(width, height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let part = 0; part < 3; part += 1) {
      const value = values[pixel * channels + Math.min(part, channels - 1)] ?? 0;
      // Ink on paper: digits and spectra are stored with 0 as the empty ground.
      const light = channels === 1 ? 1 - value : value;
      image.data[pixel * 4 + part] = Math.round(255 * Math.min(1, Math.max(0, light)));
    }
    image.data[pixel * 4 + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return width * height <= SMALL ? enlarged(canvas) : canvas;
}

/**
 * The picture of a file, made ready by the server.
 * @param {number[]} shape
 * @param {string} address
 * @param {string} words for those who cannot see it; none where words stand beside it
 */
export function drawPhotograph([height, width], address, words) {
  const small = width * height <= SMALL * 4;
  const data = { photograph: small ? "small" : "yes" };
  return el("img", { class: "picture", src: address, alt: words, width, height, data });
}

/**
 * A few fat squares are hard to recognise: small pictures are enlarged smoothly, as eyes prefer.
 * @param {HTMLCanvasElement} picture
 */
function enlarged(picture) {
  const factor = Math.ceil(224 / Math.max(picture.width, picture.height));
  const canvas = el("canvas");
  for (const { name, value } of picture.attributes) canvas.setAttribute(name, value);
  [canvas.width, canvas.height] = [picture.width * factor, picture.height * factor];
  const context = pen(canvas);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}
