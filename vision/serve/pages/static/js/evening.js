// The scoreboard that this phone takes part in: a scored hand goes there with one tap.

import * as api from "./api.js";
import { sharers } from "./discards.js";
import { find, h, refill } from "./dom.js";
import { checkbox } from "./fields.js";
import { announce, sentenceOf } from "./page.js";
import { signed } from "./result.js";
import { remember } from "./store.js";
import { say, windWords } from "./words.js";

/** Of a hand's request what the table does not know itself. */
const OF_THE_HAND = ["groups", "events", "self_drawn", "last_tile", "last_copy", "kong", "wild", "gold"];

export class Evening {
  #circumstances;
  #state;
  #table = null;
  #winner = null;
  #same = false; // won on the same discard as the hand entered last

  /** state: gives what the page shows now. */
  constructor(circumstances, state) {
    this.#circumstances = circumstances;
    this.#state = state;
  }

  /** Take part in a table; null or one that is gone leaves it. */
  async attach(id) {
    if (!id) return;
    try {
      this.#take(await api.table(id));
    } catch (error) {
      if (error.status === 404) remember("table", null);
    }
  }

  #take(table) {
    this.#table = table;
    this.#same = false;
    this.#sit();
  }

  /** The turn that the hand is of. */
  get #turn() {
    return this.#same ? this.#table.hands.at(-1).turn : this.#table.turn;
  }

  /** Players, winds and rules as they are in the hand's turn. */
  #sit() {
    const table = this.#table;
    const { edition, options, house } = table;
    const rules = house?.name ?? table.rules; // as GET /api/rules calls them
    this.#circumstances.names = Object.fromEntries(
      table.names.map((name, place) => [this.#turn.seats[place], name]),
    );
    this.#circumstances.streak = this.#turn.streak;
    const said = { rules, edition, options: { ...options } };
    if (this.#circumstances.knows(rules))
      this.#circumstances.set({ ...said, round: this.#turn.round }, false);
  }

  draw() {
    const part = find("#evening");
    part.hidden = !this.#table || !this.#state().hand;
    if (part.hidden) return;
    const { names, id } = this.#table;
    const turn = this.#turn;
    const others = sharers(this.#table.hands, this.#circumstances.ruleSet);
    const lost = this.#same ? [...others, this.#table.hands.at(-1).discarder] : [];
    refill(
      find("#evening-body"),
      others.length
        ? checkbox("same_discard", say("evening.same"), this.#same, (on) => this.#share(on))
        : null,
      h(
        "fieldset",
        { class: "radios" },
        h("legend", {}, say("evening.winner")),
        names.map((name, place) =>
          h(
            "label",
            { class: "chip" },
            h("input", {
              type: "radio",
              name: "winner",
              id: `winner-${place}`,
              checked: this.#winner === place,
              disabled: lost.includes(place),
              on: { change: () => this.#won(place) },
            }),
            h("span", {}, `${name} · ${windWords(turn.seats[place])}`),
          ),
        ),
      ),
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          {
            type: "button",
            id: "evening-add",
            class: "primary",
            disabled: this.#winner === null || !this.#state().answer?.legal || turn.over,
            on: { click: () => this.#add() },
          },
          say("evening.add"),
        ),
        h("a", { href: `/tables/${id}`, class: "button" }, say("evening.open")),
      ),
    );
  }

  #won(place) {
    this.#winner = place;
    const { seats, round } = this.#turn;
    this.#circumstances.set({ seat: seats[place], round });
    this.draw();
  }

  #share(on) {
    this.#same = on;
    this.#winner = null;
    this.#sit();
    const { discarder } = this.#table.hands.at(-1);
    this.#circumstances.set(on ? { self_drawn: false, discarder: this.#turn.seats[discarder] } : {});
    this.draw();
  }

  async #add() {
    const { id, hands } = this.#table;
    const turn = this.#turn;
    const { request } = this.#state();
    if (!request.self_drawn && !request.discarder) {
      announce(say("evening.from-whom"));
      return;
    }
    const hand = Object.fromEntries(
      OF_THE_HAND.filter((name) => name in request).map((name) => [name, request[name]]),
    );
    try {
      const table = await api.addHand(id, {
        ...hand,
        winner: this.#winner,
        responsible_player: request.responsible ? turn.seats.indexOf(request.responsible) : null,
        from_player: request.self_drawn ? null : turn.seats.indexOf(request.discarder),
        same_discard: this.#same,
        expected: hands.length,
      });
      this.#winner = null;
      this.#take(table);
      const sums = table.names.map((name, place) => `${name} ${signed(table.totals[place])}`);
      announce(say("evening.added", { sums: sums.join(", ") }));
    } catch (error) {
      announce(sentenceOf(error));
      if (error.status === 409) await this.attach(id);
    }
    this.draw();
  }
}
