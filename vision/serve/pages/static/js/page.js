// What all pages share: language, light and dark, labels, messages.

import { find, h } from "./dom.js";
import { recall, remember } from "./store.js";
import { language, say, setLanguage, translate } from "./words.js";

/** For which media the dark colours are. */
const DARK = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };
const THEMES = Object.keys(DARK);

export function startPage() {
  applyTheme();
  translate();
  find("#language").addEventListener("click", () => setLanguage(language() === "zh" ? "en" : "zh"));
  find("#theme").addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(recall("theme", "auto")) + 1) % THEMES.length];
    remember("theme", next);
    applyTheme();
    announce(say(`theme.${next}`));
  });
  document.addEventListener("language", applyTheme);
}

function applyTheme() {
  const theme = recall("theme", "auto");
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  find("#dark").media = DARK[theme];
  find("#theme").setAttribute("aria-label", say(`theme.${theme}`));
}

/** Say something to everybody: seen for a few seconds, and read out. */
export function announce(text) {
  if (!text) return;
  const line = find("#toast");
  line.replaceChildren(text);
  line.classList.add("shown");
  clearTimeout(line.timer);
  line.timer = setTimeout(() => line.classList.remove("shown"), 4000);
}

/** Show what went wrong until the next try; "" takes it away. */
export function complain(text) {
  const place = find("#trouble");
  place.hidden = !text;
  place.replaceChildren(text ? h("p", {}, text) : "");
  if (text) place.scrollIntoView({ block: "center" });
}

/** One sentence for an error of any kind. */
export function sentenceOf(error) {
  return error.status ? error.message : say("trouble.network");
}
