// The form of what no photo shows: winds, how the hand was won, events, and the table's rules.

import { find, h, refill } from "./dom.js";
import { recall, remember } from "./store.js";
import { checkbox, editionWords, field, optionField, radios } from "./fields.js";
import { pick, say, windWords } from "./words.js";

const WINDS = [..."ESWN"];
const FLAGS = ["last_tile", "last_copy", "kong"];
/** Options with a place of their own in a request; the others go under `options`. */
const NAMED = ["wild", "gold", "dealer", "streak", "discarder", "responsible"];
/** Options that change from hand to hand and lie open; the rest are the house's and fold away. */
const OPEN = ["wild", "gold", "dealer", "streak", "responsible"];
/** What is of one hand and must not stay for the next one. */
const OF_ONE_HAND = {
  self_drawn: null,
  discarder: null,
  last_tile: false,
  last_copy: false,
  kong: false,
  events: [],
};

/** The house's options: those that stay from hand to hand. */
const lasting = (options) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !OPEN.includes(name)));

const FRESH = { rules: "mcr", edition: null, options: {}, seat: "E", round: "E", ...OF_ONE_HAND };

export class Circumstances {
  #ruleSets;
  #changed;

  /** ruleSets: of GET /api/rules; changed: called after every change. */
  constructor(ruleSets, changed) {
    this.#ruleSets = ruleSets;
    this.#changed = changed;
    this.names = {}; // of the players by wind, where there is a scoreboard
    this.streak = null; // how often the dealer has stayed, where a scoreboard says it
    this.said = { ...FRESH, ...recall("circumstances", {}), ...OF_ONE_HAND };
    if (!this.ruleSet) Object.assign(this.said, { rules: "mcr", edition: null, options: {} });
  }

  knows(name) {
    return this.#ruleSets.some((set) => set.name === name);
  }

  get ruleSet() {
    return this.#ruleSets.find((set) => set.name === this.said.rules);
  }

  /** What fans are called in English, by their Chinese name. */
  get english() {
    const fans = this.ruleSet.fans[this.said.edition ?? this.ruleSet.default_edition] ?? [];
    return new Map(fans.map((fan) => [fan.name, fan.english]));
  }

  /** The request of POST /api/score, hand aside. */
  request() {
    const { rules, edition, seat, round, self_drawn, last_tile, last_copy, kong, events } = this.said;
    const options = Object.entries(this.#given());
    const named = Object.fromEntries(options.filter(([name]) => NAMED.includes(name)));
    return {
      rules,
      edition,
      events: events.filter((name) => this.ruleSet.events.some((event) => event.name === name)),
      seat,
      round,
      self_drawn: self_drawn ?? false,
      last_tile,
      last_copy,
      kong,
      ...named,
      options: Object.fromEntries(options.filter(([name]) => !NAMED.includes(name))),
    };
  }

  /** The options that were said and that the rule set has. */
  #given() {
    const given = { ...this.said.options };
    if (this.streak !== null) given.streak = this.streak;
    if (!this.said.self_drawn && this.said.discarder && this.said.discarder !== this.said.seat) {
      given.discarder = this.said.discarder;
    }
    const known = new Set(this.ruleSet.options.map((option) => option.name));
    return Object.fromEntries(
      Object.entries(given).filter(([name, value]) => known.has(name) && value !== null && value !== ""),
    );
  }

  /** Forget what was of the last hand. */
  nextHand() {
    this.set({ ...structuredClone(OF_ONE_HAND), options: lasting(this.said.options) }, false);
  }

  set(changes, tell = true) {
    Object.assign(this.said, changes);
    const { rules, edition, options, seat, round } = this.said;
    remember("circumstances", { rules, edition, options: lasting(options), seat, round });
    this.draw();
    if (tell) this.#changed();
  }

  draw() {
    const { said } = this;
    refill(
      find("#circumstances"),
      this.#winds("seat", say("seat"), said.seat),
      this.#winds("round", say("round"), said.round),
      this.#won(),
      this.#from(),
      h(
        "fieldset",
        { class: "flags" },
        h("legend", {}, say("also")),
        FLAGS.map((name) =>
          checkbox(
            name,
            say(name === "kong" ? `kong.${said.self_drawn ? "drawn" : "robbed"}` : name),
            said[name],
            (on) => this.set({ [name]: on }),
          ),
        ),
        this.ruleSet.events.map((event) => this.#event(event)),
      ),
      this.#rules(),
      this.#options((name) => OPEN.includes(name)),
      this.#house(),
    );
  }

  #winds(name, title, chosen) {
    const text = (wind) => (name === "seat" ? this.#player(wind) : windWords(wind));
    return radios(
      name,
      title,
      WINDS.map((wind) => [wind, text(wind)]),
      chosen,
      (wind) => this.set({ [name]: wind }),
    );
  }

  #player(wind) {
    return wind in this.names ? `${windWords(wind)} · ${this.names[wind]}` : windWords(wind);
  }

  #won() {
    const { self_drawn } = this.said;
    return radios(
      "won",
      say("won"),
      [
        ["self", say("won.self")],
        ["discard", say("won.discard")],
      ],
      self_drawn ? "self" : "discard",
      (how) => this.set({ self_drawn: how === "self" }),
    );
  }

  #from() {
    const { self_drawn, discarder, seat } = this.said;
    if (self_drawn || !this.ruleSet.options.some(({ name }) => name === "discarder")) return null;
    const others = WINDS.filter((wind) => wind !== seat).map((wind) => [wind, this.#player(wind)]);
    return radios("from", say("from"), others, discarder, (wind) => this.set({ discarder: wind }));
  }

  #event(event) {
    const { events } = this.said;
    return checkbox(
      event.name,
      pick({ en: event.english, zh: event.chinese[0] }),
      events.includes(event.name),
      (on) =>
        this.set({ events: on ? [...events, event.name] : events.filter((name) => name !== event.name) }),
    );
  }

  #rules() {
    const set = this.ruleSet;
    return h(
      "div",
      { class: "fields" },
      field(
        "rules",
        say("rules"),
        this.#ruleSets.map((other) => [other.name, pick(other.title)]),
        set.name,
        // Another rule set has other options; what was said of this one would mean something else there.
        (name) => this.set({ rules: name, edition: null, options: {}, events: [] }),
      ),
      set.editions.length > 1
        ? field(
            "edition",
            say("edition"),
            set.editions.map((edition) => [edition, editionWords(edition)]),
            this.said.edition ?? set.default_edition,
            (edition) => this.set({ edition: edition === set.default_edition ? null : edition }),
          )
        : null,
    );
  }

  /** discarder is asked for with how the hand was won. */
  #options(wanted) {
    const options = this.ruleSet.options.filter(({ name }) => name !== "discarder" && wanted(name));
    return options.length
      ? h(
          "div",
          { class: "fields" },
          options.map((option) =>
            optionField(option, this.said.options[option.name] ?? null, (chosen) =>
              this.set({ options: { ...this.said.options, [option.name]: chosen } }),
            ),
          ),
        )
      : null;
  }

  #house() {
    const inside = this.#options((name) => !OPEN.includes(name));
    const open = find("#house")?.open ?? false;
    return h(
      "details",
      { id: "house", open },
      h("summary", {}, say("house")),
      h("p", { class: "hint" }, pick(this.ruleSet.summary)),
      inside ?? "",
    );
  }
}
