// Drawings of tiles: symbols of one SVG file.

import { h, s } from "./dom.js";
import { recall } from "./store.js";
import { tileWords } from "./words.js";

const range = (suit) => [..."123456789"].map((number) => number + suit);

/** The palette, row by row. */
export const ROWS = {
  m: range("m"),
  p: range("p"),
  s: range("s"),
  honours: [..."ESWNCFP"],
  flowers: [..."abcdefgh"],
};
export const KINDS = [...ROWS.m, ...ROWS.p, ...ROWS.s, ...ROWS.honours];
const ORDER = new Map([...KINDS, ...ROWS.flowers, "B", "?"].map((name, place) => [name, place]));

export const FACE_DOWN = "B";
export const UNNAMED = "?";
export const isFlower = (name) => ROWS.flowers.includes(name);
/** Whether a tile can be scored: neither face down nor without a name. */
export const isNamed = (name) => name !== FACE_DOWN && name !== UNNAMED;
export const inOrder = (a, b) => ORDER.get(a) - ORDER.get(b);

/** The drawing alone; who uses it says what it is. */
export function drawing(name) {
  const symbol = name === UNNAMED ? "unnamed" : name;
  return s(
    "svg",
    { class: "tile", viewBox: "0 0 300 405.4", "aria-hidden": "true", focusable: "false" },
    s("use", { href: `/static/tiles.svg#t-${symbol}` }),
  );
}

/** The drawing with its short name under it where labels are wanted. */
export function labelled(name) {
  return recall("labels", false) ? [drawing(name), h("span", { class: "short" }, name)] : [drawing(name)];
}

/** A row of small drawings that reads as its names. */
export function strip(names) {
  return h(
    "span",
    { class: "strip", role: "img", "aria-label": names.map(tileWords).join(", ") },
    names.map(drawing),
  );
}
