// Pictures: grey or coloured values from 0 to 1, drawn on a canvas.

import { el } from "./dom.js";

const SMALL = 32 * 32;

/** `shape` is [height, width] or [height, width, 3]; `values` are in reading order. */
export function drawPicture({ shape, values }, words) {
  const [height, width, channels = 1] = shape;
  const flat = values.flat(Infinity);
  const canvas = el("canvas", { class: "picture", width, height, data: { ink: channels === 1 ? "yes" : null } });
  if (words) {
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", words);
  } else {
    canvas.setAttribute("aria-hidden", "true");
  }
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let part = 0; part < 3; part += 1) {
      const value = flat[pixel * channels + Math.min(part, channels - 1)] ?? 0;
      // Ink on paper: digits and spectra are stored with 0 as the empty ground.
      const light = channels === 1 ? 1 - value : value;
      image.data[pixel * 4 + part] = Math.round(255 * Math.min(1, Math.max(0, light)));
    }
    image.data[pixel * 4 + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return width * height <= SMALL ? enlarged(canvas) : canvas;
}

/** A few fat squares are hard to recognise: small pictures are enlarged smoothly, as eyes prefer. */
function enlarged(picture) {
  const factor = Math.ceil(224 / Math.max(picture.width, picture.height));
  const canvas = picture.cloneNode();
  [canvas.width, canvas.height] = [picture.width * factor, picture.height * factor];
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}
