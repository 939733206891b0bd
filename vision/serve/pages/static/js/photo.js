// The photo: made small before it is sent, shown with what was read drawn over it, and cut into single tiles.

import { h, s } from "./dom.js";

/** Long side of the photo that is sent, pixels. */
const LONG_SIDE = 2048;
const QUALITY = 0.9;

/**
 * The photo as it is sent: {blob, name, picture}. `picture` is a canvas with the photo upright, or null where the
 * browser cannot open it (HEIC outside Safari): then the file goes as it is, and the server opens it.
 */
export async function prepare(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return { blob: file, name: "photo", picture: null };
  }
  const scale = Math.min(1, LONG_SIDE / Math.max(bitmap.width, bitmap.height));
  const picture = document.createElement("canvas");
  picture.width = Math.max(1, Math.round(bitmap.width * scale));
  picture.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = picture.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, picture.width, picture.height);
  bitmap.close();
  const blob = await new Promise((done) => picture.toBlob(done, "image/jpeg", QUALITY));
  return { blob: blob ?? file, name: "photo.jpg", picture };
}

/** The boxes over the photo, those of the keys `unsure` marked. `open(key)` is called for one that is tapped. */
export function overlay(hand, size, unsure, open) {
  const [width, height] = size;
  const inHand = new Set(hand.tiles.map((tile) => tile.key));
  const boxes = hand.all.filter((tile) => tile.quad);
  return s(
    "svg",
    { class: "overlay", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" },
    boxes.map((tile) => box(tile, inHand.has(tile.key), unsure.has(tile.key), open)),
  );
}

function box(tile, inHand, unsure, open) {
  const middle = (points) =>
    [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);
  const side = Math.hypot(tile.quad[1][0] - tile.quad[0][0], tile.quad[1][1] - tile.quad[0][1]);
  // The name stands below the picture's lowest corners: over the face it would hide what it names.
  const lowest = [...tile.quad].sort((a, b) => b[1] - a[1]).slice(0, 2);
  const [x, y] = middle(lowest);
  return s(
    "g",
    {
      class: `box ${inHand ? "" : "outside"} ${unsure ? "unsure" : ""}`,
      data: { key: tile.key },
      on: { click: () => open(tile.key) },
    },
    s("polygon", { points: tile.quad.map((point) => point.join()).join(" ") }),
    s(
      "text",
      { x, y, "font-size": side * 0.42, dy: ".85em" },
      `${tile.name}${unsure && tile.name !== "?" ? "?" : ""}`,
    ),
  );
}

/** A tile cut from the photo and straightened, as a canvas; null where there is no photo of it. */
export function crop(picture, size, tile, width = 66) {
  if (!picture || !tile.quad) return null;
  const scale = picture.width / size[0];
  const [a, b, , d] = tile.quad.map(([x, y]) => [x * scale, y * scale]);
  const canvas = h("canvas", { class: "crop", width, height: Math.round(width * 1.35) });
  const context = canvas.getContext("2d");
  // The parallelogram of three corners onto the canvas; a little of the surroundings helps the eye.
  const margin = 0.12;
  const [w, t] = [canvas.width, canvas.height];
  const across = [(b[0] - a[0]) / w, (b[1] - a[1]) / w];
  const down = [(d[0] - a[0]) / t, (d[1] - a[1]) / t];
  const area = across[0] * down[1] - across[1] * down[0];
  if (Math.abs(area) < 1e-6) return null;
  context.translate(w / 2, t / 2);
  context.scale(1 - 2 * margin, 1 - 2 * margin);
  context.translate(-w / 2, -t / 2);
  context.transform(down[1] / area, -across[1] / area, -down[0] / area, across[0] / area, 0, 0);
  context.translate(-a[0], -a[1]);
  context.drawImage(picture, 0, 0);
  return canvas;
}
