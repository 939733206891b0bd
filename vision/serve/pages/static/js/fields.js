// Fields of forms: chips, lists, numbers, tiles.

import { h } from "./dom.js";
import { openChoice } from "./sheet.js";
import { drawing, KINDS } from "./tiles.js";
import { has, pick, say, tileWords, windWords } from "./words.js";

export function checkbox(name, text, checked, set) {
  return h(
    "label",
    { class: "chip" },
    h("input", {
      type: "checkbox",
      id: `say-${name}`,
      checked,
      on: { change: (event) => set(event.target.checked) },
    }),
    h("span", {}, text),
  );
}

/** What an option of a rule set is chosen with; set(value or null) is called with the choice. */
export function optionField(option, value, set) {
  const title = has(`option.${option.name}`) ? say(`option.${option.name}`) : option.name;
  const about = pick(option.about);
  const unsaid =
    option.default === null ? say("unsaid") : say("default", { value: choiceWords(option.default) });
  if (option.takes.length > 4 && option.takes.every((name) => KINDS.includes(name))) {
    return tileField(option, title, about, value, set);
  }
  if (option.kind === "number") {
    return number(option.name, title, about, option, value, set);
  }
  const takes = option.kind === "flag" ? ["true", "false"] : option.takes;
  return field(
    option.name,
    title,
    [["", unsaid], ...takes.map((name) => [name, choiceWords(name)])],
    value === null ? "" : String(value),
    (chosen) => set(chosen === "" ? null : option.kind === "flag" ? chosen === "true" : chosen),
    about,
  );
}

function tileField(option, title, about, value, set) {
  return h(
    "div",
    { class: "field" },
    h("span", { id: `label-${option.name}` }, title),
    h(
      "button",
      {
        type: "button",
        id: `say-${option.name}`,
        class: "pick",
        "aria-label": `${title}: ${value ? tileWords(value) : say("unsaid")}`,
        on: {
          click: () => openChoice(title, (name) => set(option.takes.includes(name) ? name : null), value),
        },
      },
      value ? drawing(value) : say("unsaid"),
    ),
    value
      ? h(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-label": say("clear", { what: title }),
            on: { click: () => set(null) },
          },
          "✕",
        )
      : null,
    h("small", { class: "hint" }, about),
  );
}

export const editionWords = (name) => (has(`edition.${name}`) ? say(`edition.${name}`) : name);

function choiceWords(value) {
  const text = String(value);
  if (text === "true" || text === "false") return say(text === "true" ? "yes" : "no");
  return "ESWN".includes(text) ? windWords(text) : text;
}

export function radios(name, title, choices, chosen, set) {
  return h(
    "fieldset",
    { class: "radios" },
    h("legend", {}, title),
    choices.map(([value, text]) =>
      h(
        "label",
        { class: "chip" },
        h("input", {
          type: "radio",
          name,
          value,
          id: `say-${name}-${value}`,
          checked: value === chosen,
          on: { change: () => set(value) },
        }),
        h("span", {}, text),
      ),
    ),
  );
}

export function field(name, title, choices, chosen, set, about = "") {
  return h(
    "label",
    { class: "field" },
    h("span", {}, title),
    h(
      "select",
      { id: `say-${name}`, on: { change: (event) => set(event.target.value) } },
      choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
    ),
    about ? h("small", { class: "hint" }, about) : null,
  );
}

function number(name, title, about, option, value, set) {
  return h(
    "label",
    { class: "field" },
    h("span", {}, title),
    h("input", {
      type: "number",
      inputmode: "numeric",
      id: `say-${name}`,
      min: option.lowest,
      step: 1,
      placeholder: option.default ?? "",
      value: value ?? "",
      on: {
        change: (event) => {
          const typed =
            event.target.value === ""
              ? null
              : Math.max(option.lowest, Math.round(Number(event.target.value)));
          set(Number.isFinite(typed) ? typed : null);
        },
      },
    }),
    h("small", { class: "hint" }, about),
  );
}
