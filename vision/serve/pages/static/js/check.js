// What is unsure, each with its picture and likeliest names: one tap settles it.

import { find, h, refill } from "./dom.js";
import { likeliest } from "./sheet.js";
import { labelled } from "./tiles.js";
import { say, tileWords } from "./words.js";

/** Draw the cards of the tiles `unsure`. act: {name(key, name), more(key)}; crop(tile): its picture. */
export function drawChecks(unsure, crop, act) {
  find("#checks").hidden = unsure.length === 0;
  refill(
    find("#check-list"),
    unsure.map((tile) =>
      h(
        "li",
        { class: "check", data: { check: tile.key } },
        crop(tile),
        h(
          "div",
          {
            class: "choices",
            role: "group",
            "aria-label": say("check.which", { tile: tileWords(tile.name) }),
          },
          likeliest(tile).map(([name]) =>
            h(
              "button",
              {
                type: "button",
                class: "choice",
                "aria-label":
                  name === tile.name ? say("check.yes", { tile: tileWords(name) }) : tileWords(name),
                data: { tile: name },
                on: { click: () => act.name(tile.key, name) },
              },
              labelled(name),
              name === tile.name ? h("small", { "aria-hidden": "true" }, "✓") : null,
            ),
          ),
          h(
            "button",
            { type: "button", class: "choice other", on: { click: () => act.more(tile.key) } },
            say("check.other"),
          ),
        ),
      ),
    ),
  );
}
