// The list of pictures, most doubtful first, page by page; where the person is in it.

import { ask } from "./api.js";

const STATES = { new: "to do", reviewed: "accepted", rejected: "rejected", failed: "failed" };

export class Queue {
  #list = document.getElementById("rows");
  #more = document.getElementById("more-rows");
  #total = document.getElementById("total");
  #rows = [];
  #after = null;
  #current = null;
  #load = 0;

  /** told: {filters(), open(id), refused(error)} */
  constructor(told) {
    this.told = told;
    this.#more.addEventListener("click", () => this.#append());
    this.#list.addEventListener("click", (event) => {
      const row = event.target.closest("button");
      if (row) told.open(Number(row.dataset.id));
    });
  }

  /** Load the first page. Resolves with the first picture's id, null where none passes. */
  async reload() {
    this.#rows = [];
    this.#after = null;
    this.#list.replaceChildren();
    await this.#append();
    return this.#rows[0]?.id ?? null;
  }

  async #append() {
    const load = (this.#load += 1);
    this.#more.hidden = true;
    const query = this.told.filters();
    if (this.#after) query.set("after", this.#after);
    try {
      const page = await ask(`/api/images?${query}`);
      if (load !== this.#load) return; // filtered anew meanwhile
      this.#rows.push(...page.rows);
      this.#list.append(...page.rows.map((row) => item(row)));
      this.#after = page.after;
      if (page.total !== undefined) this.#total.textContent = page.total === 1 ? "1 picture" : `${page.total} pictures`;
    } catch (error) {
      this.told.refused(error);
    }
    this.#more.hidden = !this.#after;
    this.mark(this.#current);
  }

  /** The id so many places after (before) the current picture; null past the ends. */
  async neighbour(step) {
    const at = this.#rows.findIndex((row) => row.id === this.#current);
    const to = at + step;
    if (to >= this.#rows.length && this.#after) await this.#append();
    return this.#rows[to]?.id ?? null;
  }

  /** Show which picture is looked at. */
  mark(id) {
    this.#current = id;
    for (const button of this.#list.querySelectorAll("button")) {
      if (Number(button.dataset.id) === id) {
        button.setAttribute("aria-current", "true");
        button.scrollIntoView({ block: "nearest" });
      } else {
        button.removeAttribute("aria-current");
      }
    }
  }

  /** Show a picture's new state. */
  update({ id, state }) {
    const row = this.#rows.find((known) => known.id === id);
    if (!row) return;
    row.state = state;
    const button = this.#list.querySelector(`button[data-id="${id}"]`);
    button.dataset.state = state;
    button.querySelector(".state").textContent = STATES[state];
  }
}

function item(row) {
  const made = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.id = row.id;
  button.dataset.state = row.state;
  const [name, state, flags] = ["name", "state", "flags"].map((kind) => {
    const span = document.createElement("span");
    span.className = kind;
    return span;
  });
  name.textContent = row.source.split(/[\\/]/).pop();
  state.textContent = STATES[row.state];
  flags.textContent = row.flags.join(", ");
  button.title = row.source;
  button.append(name, state, flags);
  made.append(button);
  return made;
}
