// The dialog in which a tile's name is chosen: likeliest first, by typing, arrows or pressing.

import { TILES, drawing, title } from "./tiles.js";

const LIKELIEST = 3;

export class Palette {
  #dialog = document.getElementById("palette");
  #text = document.getElementById("palette-text");
  #list = document.getElementById("palette-list");
  #first = [];
  #options = [];
  #active = 0;
  #done = () => {};

  constructor() {
    this.#text.addEventListener("input", () => this.#fill());
    this.#text.addEventListener("keydown", (event) => this.#key(event));
    this.#list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]");
      if (option) this.#choose(option.dataset.tile);
    });
    this.#dialog.addEventListener("close", () => this.#done(null));
  }

  /** The name that the person chooses, null when they do not. */
  choose(tile, alternatives) {
    const others = alternatives.map(([name]) => name).filter((name) => name !== tile && TILES.has(name));
    this.#first = [...new Set(others)].slice(0, LIKELIEST);
    this.#text.value = "";
    this.#fill();
    this.#dialog.showModal();
    this.#text.focus();
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  #choose(tile) {
    this.#done(tile);
    this.#dialog.close();
  }

  #fill() {
    const wanted = this.#text.value.trim();
    const order = [...this.#first, ...[...TILES.keys()].filter((tile) => !this.#first.includes(tile))];
    this.#options = order.filter((tile) => matches(tile, wanted));
    // A name that is typed in full comes first: `e` is the plum, and not the east.
    this.#options.sort((a, b) => (b === wanted) - (a === wanted));
    this.#list.replaceChildren(...this.#options.map((tile, i) => this.#option(tile, i)));
    this.#activate(0);
  }

  #option(tile, i) {
    const option = document.createElement("li");
    option.id = `option-${i}`;
    option.role = "option";
    option.dataset.tile = tile;
    option.classList.toggle("likely", this.#first.includes(tile));
    option.setAttribute("aria-label", `${title(tile)}, ${TILES.get(tile)[1]}`);
    const name = document.createElement("span");
    name.textContent = title(tile);
    option.append(drawing(tile), name);
    return option;
  }

  #activate(index) {
    this.#list.children[this.#active]?.removeAttribute("aria-selected");
    this.#active = Math.max(0, Math.min(index, this.#options.length - 1));
    const option = this.#list.children[this.#active];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.#text.setAttribute("aria-activedescendant", option.id);
    else this.#text.removeAttribute("aria-activedescendant");
  }

  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.#columns(), ArrowUp: -this.#columns() }[event.key];
    if (step !== undefined) {
      this.#activate(this.#active + step);
    } else if (event.key === "Enter") {
      if (this.#options.length) this.#choose(this.#options[this.#active]);
    } else {
      return;
    }
    event.preventDefault();
  }

  #columns() {
    const [first, ...rest] = this.#list.children;
    const next = rest.findIndex((option) => option.offsetTop > first.offsetTop);
    return next < 0 ? 1 : next + 1;
  }
}

function matches(tile, wanted) {
  const [chinese, words] = TILES.get(tile);
  const small = wanted.toLowerCase();
  return tile.toLowerCase().startsWith(small) || chinese.includes(wanted) || words.includes(small);
}
