// The hand as drawn tiles, place by place: concealed, melds, flowers, and what lies outside it.

import { find, h, refill } from "./dom.js";
import { meldKind } from "./hand.js";
import { draggable } from "./drag.js";
import { labelled } from "./tiles.js";
import { say, tileWords } from "./words.js";

/**
 * Draw the hand. act: {tile(key), add(place), meld(number), drop(key, place, before)}; unsure: keys of the tiles
 * to be checked.
 */
export function drawBoard(hand, unsure, act) {
  const part = (place, title, tiles, extra = []) =>
    h(
      "section",
      { class: `area area-${place.replace(/-\d+$/, "")}`, data: { place } },
      h("h3", {}, title, extra),
      h(
        "ul",
        { class: "tiles" },
        tiles.map((tile) => h("li", {}, tileButton(hand, tile, unsure.has(tile.key), act))),
        h("li", {}, addButton(place, title, act)),
      ),
    );
  const won = hand.concealed.filter((tile) => tile.key === hand.winning);
  const concealed = hand.concealed.filter((tile) => tile.key !== hand.winning);
  refill(
    find("#board"),
    part("concealed", say("kind.concealed"), [...concealed, ...won]),
    h(
      "div",
      { class: "melds" },
      hand.melds.map((meld, number) =>
        part(`meld-${number}`, say(`kind.${meldKind(meld)}`), meld.tiles, [meldButton(number, act)]),
      ),
      h(
        "section",
        { class: "area area-new", data: { place: "meld-new" } },
        h(
          "button",
          { type: "button", id: "add-meld", class: "dashed", on: { click: () => act.add("meld-new") } },
          say("add.meld"),
        ),
      ),
    ),
    part("flowers", say("kind.flowers"), hand.flowers),
    hand.other.length ? part("other", say("kind.other"), hand.other) : dropOnly("other", say("kind.other")),
  );
  draggable(find("#board"), act.drop);
}

function tileButton(hand, tile, unsure, act) {
  const won = tile.key === hand.winning;
  const said = [tileWords(tile.name), won && say("kind.winning"), unsure && say("check.mark")];
  return h(
    "button",
    {
      type: "button",
      id: tile.key,
      class: `tile-button${unsure ? " unsure" : ""}${won ? " won" : ""}`,
      "aria-label": said.filter(Boolean).join(", "),
      data: { key: tile.key, tile: tile.name },
      on: { click: () => act.tile(tile.key) },
    },
    labelled(tile.name),
    unsure ? h("span", { class: "mark", "aria-hidden": "true" }, "?") : null,
    won ? h("span", { class: "badge", "aria-hidden": "true" }, say("badge.winning")) : null,
  );
}

function addButton(place, title, act) {
  return h(
    "button",
    {
      type: "button",
      id: `add-${place}`,
      class: "add",
      "aria-label": say("add.to", { place: title }),
      on: { click: () => act.add(place) },
    },
    "+",
  );
}

function meldButton(number, act) {
  return h(
    "button",
    {
      type: "button",
      id: `meld-${number}-more`,
      class: "plain more",
      "aria-label": say("meld.change", { number: number + 1 }),
      on: { click: () => act.meld(number) },
    },
    "⋯",
  );
}

/** A place that is empty and seen only while a tile is dragged. */
function dropOnly(place, title) {
  return h("section", { class: "area drop-only", data: { place } }, h("h3", {}, title));
}

/** Light up tiles by key; none lights up all of them again. */
export function lightUp(keys) {
  const board = find("#board");
  board.classList.toggle("lit", keys.size > 0);
  for (const button of board.querySelectorAll("[data-key]")) {
    button.classList.toggle("in", keys.has(button.dataset.key));
  }
}
