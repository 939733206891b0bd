// Names of the tiles: our notation, Chinese and words.

const NUMBERS = [..."一二三四五六七八九"];
const SUITS = { m: ["万", "characters"], p: ["饼", "dots"], s: ["条", "bamboo"] };
const SINGLE = {
  E: ["东", "east wind"], S: ["南", "south wind"], W: ["西", "west wind"], N: ["北", "north wind"],
  C: ["中", "red dragon"], F: ["发", "green dragon"], P: ["白", "white dragon"],
  a: ["春", "spring"], b: ["夏", "summer"], c: ["秋", "autumn"], d: ["冬", "winter"],
  e: ["梅", "plum"], f: ["兰", "orchid"], g: ["竹", "bamboo flower"], h: ["菊", "chrysanthemum"],
  B: ["背", "face down"], "?": ["？", "not legible"],
};

/** Name to [Chinese, words], in the order in which they are shown. */
export const TILES = new Map([
  ...Object.entries(SUITS).flatMap(([suit, [chinese, word]]) =>
    NUMBERS.map((number, i) => [`${i + 1}${suit}`, [number + chinese, `${i + 1} ${word}`]])),
  ...Object.entries(SINGLE),
]);

/** "5m 五万" */
export function title(tile) {
  return `${tile} ${TILES.get(tile)[0]}`;
}

/** A drawing of the tile, an <svg>. */
export function drawing(tile) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 300 405");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("tile");
  const use = document.createElementNS(svg.namespaceURI, "use");
  use.setAttribute("href", `/tiles.svg#t-${tile === "?" ? "unnamed" : tile}`);
  svg.append(use);
  return svg;
}

/** Reads names that are typed key by key: a digit and a suit, or one letter. */
export class Typed {
  #digit = "";
  #since = 0;

  /** The tile that this key completes, "" when it began one, null when it is no part of a name. */
  feed(key) {
    const digit = performance.now() - this.#since < 3000 ? this.#digit : "";
    this.#digit = "";
    if (digit && key in SUITS) return digit + key;
    if (key.length === 1 && key >= "1" && key <= "9") {
      this.#digit = key;
      this.#since = performance.now();
      return "";
    }
    return key !== "?" && key in SINGLE ? key : null;
  }

  forget() {
    this.#digit = "";
  }
}
