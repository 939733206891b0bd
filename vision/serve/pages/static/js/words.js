// The page's words in the visitor's language, and the names of tiles.

import { find, findAll } from "./dom.js";

let words = JSON.parse(find("#words").textContent);
let current = document.documentElement.dataset.lang;

export const language = () => current;

/** A text; `{n}` in it is replaced by `values.n`, and `key.one` is taken where there is one and n is 1. */
export function say(key, values = {}) {
  const text = (values.n === 1 && words[`${key}.one`]) || words[key];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Whether there is a text of this key. */
export const has = (key) => key in words;

/** Of `{en, zh}` the text of the language. */
export const pick = (texts) => texts?.[current] ?? texts?.en ?? "";

/** Write the words into what the server rendered: `data-t` is the text, `data-t-*` an attribute. */
export function translate(root = document) {
  for (const element of findAll("[data-t]", root)) element.textContent = say(element.dataset.t);
  for (const element of findAll("[data-t-label]", root)) {
    element.setAttribute("aria-label", say(element.dataset.tLabel));
  }
  for (const element of findAll("[data-t-placeholder]", root)) {
    element.setAttribute("placeholder", say(element.dataset.tPlaceholder));
  }
}

/** Change the language without losing the hand; the cookie tells the server for the next page. */
export async function setLanguage(wanted) {
  const answer = await fetch(`/static/i18n/${wanted}.json`);
  if (!answer.ok) return;
  words = await answer.json();
  current = wanted;
  document.cookie = `lang=${wanted};path=/;max-age=31536000;samesite=lax`;
  document.documentElement.dataset.lang = wanted;
  document.documentElement.lang = wanted === "zh" ? "zh-Hans" : wanted;
  translate();
  document.dispatchEvent(new CustomEvent("language"));
}

/** What a tile is called: "5 of dots", 五饼. */
export function tileWords(name) {
  if (/^[1-9][mps]$/.test(name)) {
    const number = say("numerals").split(",")[Number(name[0]) - 1];
    return say("tile.suited", { number, suit: say(`suit.${name[1]}`) });
  }
  return say(`tile.${name === "?" ? "unnamed" : name}`);
}

export const windWords = (wind) => say(`wind.${wind}`);

/** A fan's name in the language, with the other one behind it where players know both. */
export const fanWords = (fan) => (current === "zh" ? fan.name : fan.english);
