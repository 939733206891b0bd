// The wall: every tile of one name beside each other, the least sure first, so that the odd one is seen.

import { Refusal, ask } from "./api.js";
import { TILES, Typed, title } from "./tiles.js";

export class Wall {
  #select = document.getElementById("wall-tile");
  #list = document.getElementById("crops");
  #more = document.getElementById("more-crops");
  #total = document.getElementById("wall-total");
  #after = null;
  #versions = new Map();
  #typed = new Typed();
  #load = 0;

  /** told: {filters(), choose(tile, others), saved(answer), refused(error), open(image, position), say(text)} */
  constructor(saver, told) {
    this.saver = saver;
    this.told = told;
    this.#select.addEventListener("change", () => this.show(this.#select.value));
    this.#more.addEventListener("click", () => this.#append());
    this.#list.addEventListener("click", (event) => this.#press(event));
    this.#list.addEventListener("keydown", (event) => this.#key(event));
  }

  get tile() {
    return this.#select.value;
  }

  /** counts: boxes of each name. */
  offer(counts) {
    const kept = this.#select.value;
    const names = [...TILES.keys()].filter((tile) => counts[tile]);
    this.#select.replaceChildren(...names.map((tile) => new Option(`${title(tile)} (${counts[tile]})`, tile)));
    if (names.includes(kept)) this.#select.value = kept;
  }

  async show(tile = this.#select.value) {
    if (tile) this.#select.value = tile;
    this.#after = null;
    this.#versions.clear();
    this.#list.replaceChildren();
    await this.#append();
  }

  async #append() {
    const load = (this.#load += 1);
    const tile = this.#select.value;
    this.#more.hidden = true;
    if (!tile) return;
    const query = this.told.filters();
    query.set("wall", tile);
    if (this.#after) query.set("after", this.#after);
    let page;
    try {
      page = await ask(`/api/wall?${query}`);
    } catch (error) {
      this.told.refused(error);
      return;
    }
    if (load !== this.#load) return; // another name was chosen meanwhile
    for (const row of page.rows) this.#versions.set(row.image, row.version);
    const first = !this.#list.children.length;
    this.#list.append(...page.rows.map((row) => crop(row)));
    if (first && this.#list.firstElementChild) this.#list.firstElementChild.firstElementChild.tabIndex = 0;
    this.#after = page.after;
    this.#more.hidden = !page.after;
    const shown = this.#list.children.length;
    this.#total.textContent = shown ? `${shown} shown${page.after ? ", more below" : ""}` : "None in these pictures";
  }

  #press(event) {
    const button = event.target.closest("button.crop");
    const link = event.target.closest("button.open");
    if (link) this.told.open(Number(link.dataset.image), Number(link.previousElementSibling.dataset.position));
    else if (button) this.#choose(button);
  }

  #key(event) {
    const button = event.target.closest("button.crop");
    if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.#columns(), ArrowUp: -this.#columns() }[event.key];
    if (step !== undefined) {
      const all = [...this.#list.querySelectorAll("button.crop")];
      this.#focus(all[Math.max(0, Math.min(all.length - 1, all.indexOf(button) + step))]);
    } else if (event.key === "t") {
      this.#choose(button);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.#name(button, null);
    } else if (event.key === "o") {
      this.told.open(Number(button.dataset.image), Number(button.dataset.position));
    } else {
      const tile = this.#typed.feed(event.key);
      if (tile === null) return;
      if (tile) this.#name(button, tile);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #focus(button) {
    for (const other of this.#list.querySelectorAll("button.crop[tabindex='0']")) other.tabIndex = -1;
    button.tabIndex = 0;
    button.focus();
  }

  #columns() {
    const all = [...this.#list.children];
    const next = all.findIndex((item) => item.offsetTop > all[0].offsetTop);
    return next < 0 ? all.length : next;
  }

  async #choose(button) {
    if (button.disabled) return;
    const detail = await ask(`/api/images/${button.dataset.image}`).catch(() => null);
    const others = detail?.boxes[button.dataset.position]?.alternatives ?? [];
    const tile = await this.told.choose(button.dataset.tile, others);
    button.focus();
    if (tile) this.#name(button, tile);
  }

  async #name(button, tile) {
    if (tile === button.dataset.tile || button.classList.contains("gone")) return;
    const image = Number(button.dataset.image);
    mark(button, tile);
    this.told.say(tile ? `Named ${title(tile)}` : "Deleted");
    try {
      // Version and position are those of the moment when it is sent: others may be on their way.
      const answer = await this.saver.run(() =>
        ask(`/api/images/${image}/boxes/${button.dataset.position}`, "PUT",
            { version: this.#versions.get(image), tile }));
      this.#versions.set(image, answer.image.version);
      if (tile === null) this.#close(image, Number(button.dataset.position));
      this.told.saved(answer);
    } catch (error) {
      this.told.refused(error);
      if (error instanceof Refusal) this.show();
    }
  }

  // Boxes after one that was taken away have moved up.
  #close(image, position) {
    for (const other of this.#list.querySelectorAll(`button.crop[data-image="${image}"]`)) {
      if (Number(other.dataset.position) <= position) continue;
      other.dataset.position -= 1;
      other.querySelector("img").src = cropPath(image, other.dataset.position);
    }
  }
}

function crop(row) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "crop";
  button.tabIndex = -1;
  Object.assign(button.dataset, { image: row.image, position: row.position, tile: row.tile });
  const picture = document.createElement("img");
  picture.loading = "lazy";
  picture.alt = "";
  picture.src = cropPath(row.image, row.position);
  const label = document.createElement("span");
  const sure = row.origin === "human" ? "by hand" : `${Math.round(row.confidence * 100)} %`;
  label.textContent = sure;
  button.setAttribute("aria-label", `${title(row.tile)}, ${sure}, in ${row.source}`);
  button.title = row.source;
  button.append(picture, label);
  const open = document.createElement("button");
  open.type = "button";
  open.className = "open";
  open.dataset.image = row.image;
  open.textContent = "picture";
  open.tabIndex = -1;
  open.setAttribute("aria-label", `Open ${row.source}`);
  item.append(button, open);
  return item;
}

function cropPath(image, position) {
  return `/api/images/${image}/boxes/${position}/crop`;
}

function mark(button, tile) {
  button.classList.toggle("gone", tile === null);
  button.classList.add("changed");
  button.dataset.tile = tile ?? button.dataset.tile;
  button.querySelector("span").textContent = tile ? `→ ${tile}` : "deleted";
  button.setAttribute("aria-label", tile ? `${title(tile)}, named by you` : "Deleted");
}
