// The sheet that rises from the bottom: name a tile, move it, add one; or change a meld.

import { find, h, refill } from "./dom.js";
import { meldKind } from "./hand.js";
import { drawing, FACE_DOWN, labelled, ROWS, UNNAMED } from "./tiles.js";
import { say, tileWords } from "./words.js";

const LIKELIEST = 3;

const sheet = () => find("#sheet");

function show(title, ...content) {
  const dialog = sheet();
  refill(
    dialog,
    h(
      "header",
      {},
      h("h2", { id: "sheet-title" }, title),
      h(
        "button",
        { type: "button", class: "plain", "aria-label": say("close"), on: { click: closeSheet } },
        "✕",
      ),
    ),
    ...content,
  );
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

export function closeSheet() {
  sheet().close();
}

/** A tap beside the sheet closes it. */
export function watchSheet() {
  sheet().addEventListener("click", (event) => {
    if (event.target === sheet()) closeSheet();
  });
}

/** Of a tile: what else it may be, then every tile, then what else can be done with it. */
export function openTile(hand, tile, crop, changed) {
  const done = (act) => () => {
    act();
    closeSheet();
    changed(tile.key);
  };
  const place = hand.placeOf(tile.key);
  const likely = likeliest(tile);
  show(
    tileWords(tile.name),
    crop ? h("figure", { class: "closeup" }, crop, h("figcaption", {}, say("sheet.on-photo"))) : null,
    likely.length > 1 || tile.name === UNNAMED
      ? h(
          "div",
          { class: "choices", role: "group", "aria-label": say("sheet.likeliest") },
          likely.map(([name, belief], number) =>
            choice(name, done(() => hand.rename(tile.key, name)), {
              current: name === tile.name,
              note: tile.settled ? "" : percent(belief),
              id: `likely-${number}`,
            }),
          ),
        )
      : null,
    actions(hand, tile, place, done),
    palette((name) => done(() => hand.rename(tile.key, name))(), tile.name),
  );
}

/** Names that a tile may have, likeliest first: [name, belief], its own among them. */
export function likeliest(tile) {
  const own = tile.name === UNNAMED ? [] : [[tile.name, tile.belief]];
  return [...own, ...tile.alternatives.filter(([name]) => name !== tile.name)].slice(0, LIKELIEST);
}

const percent = (belief) => (belief >= 0.995 ? ">99 %" : belief < 0.01 ? "<1 %" : `${Math.round(belief * 100)} %`);

function choice(name, click, { current = false, note = "", id = null } = {}) {
  return h(
    "button",
    {
      type: "button",
      id,
      class: "choice",
      "aria-pressed": current ? "true" : null,
      "aria-label": [tileWords(name), note].filter(Boolean).join(", "),
      data: { tile: name },
      on: { click },
    },
    labelled(name),
    note ? h("small", {}, note) : null,
  );
}

function actions(hand, tile, place, done) {
  const button = (key, act, attributes = {}) =>
    h("button", { type: "button", data: { act: key }, ...attributes, on: { click: done(act) } }, say(key));
  const moves = [
    ["move.concealed", "concealed"],
    ...hand.melds.map((_, number) => ["move.meld", `meld-${number}`]),
    ["move.meld-new", "meld-new"],
    ["move.flowers", "flowers"],
    ["move.other", "other"],
  ].filter(([, to]) => to !== place);
  return h(
    "div",
    { class: "actions", role: "group", "aria-label": say("sheet.actions") },
    place === "concealed"
      ? button("sheet.winning", () => {
          hand.winning = hand.winning === tile.key ? null : tile.key;
        }, { "aria-pressed": hand.winning === tile.key ? "true" : "false" })
      : null,
    button("sheet.remove", () => hand.remove(tile.key)),
    moves.map(([key, to]) =>
      h(
        "button",
        { type: "button", data: { move: to }, on: { click: done(() => hand.move(tile.key, to)) } },
        say(key, { number: Number(to.slice(5)) + 1 }),
      ),
    ),
  );
}

function palette(chosen, current = null) {
  return h(
    "div",
    { class: "palette" },
    Object.entries(ROWS).map(([row, names]) =>
      h(
        "div",
        { class: `row row-${row}`, role: "group", "aria-label": say(`row.${row}`) },
        [...names, ...(row === "honours" ? [FACE_DOWN] : [])].map((name) =>
          choice(name, () => chosen(name), { current: name === current }),
        ),
      ),
    ),
  );
}

/** Add tiles at a place; stays open, so that a whole hand can be entered. */
export function openAdding(hand, place, changed) {
  const added = h("p", { class: "added", role: "status" });
  // A new meld begins with its first tile; the next ones follow it there.
  let to = place;
  show(
    say("sheet.add"),
    added,
    palette((name) => {
      hand.add(name, to);
      if (to === "meld-new") to = `meld-${hand.melds.length - 1}`;
      added.replaceChildren(say("sheet.added", { tile: tileWords(name) }), drawing(name));
      changed();
    }),
    h("button", { type: "button", class: "primary", on: { click: closeSheet } }, say("done")),
  );
}

/** One tile of a few, for the wild tile and the like. */
export function openChoice(title, chosen, current) {
  show(title, palette((name) => {
    closeSheet();
    chosen(name);
  }, current));
}

/** Of a meld: face down or claimed, from whom, one tile more, back into the hand. */
export function openMeld(hand, number, changed) {
  const meld = hand.melds[number];
  const kind = meldKind(meld);
  const again = (act) => () => {
    act();
    changed();
    if (hand.melds[number] === meld) openMeld(hand, number, changed);
    else closeSheet();
  };
  const option = (id, text, pressed, act) =>
    h(
      "button",
      { type: "button", id, "aria-pressed": String(pressed), on: { click: again(act) } },
      text,
    );
  const isKong = kind === "kong" || kind === "concealed-kong";
  const fourth = meld.tiles.find((tile) => tile.name !== FACE_DOWN)?.name;
  show(
    `${say("kind.meld")} ${number + 1}: ${say(`kind.${kind}`)}`,
    h(
      "div",
      { class: "actions", role: "group", "aria-label": say("sheet.actions") },
      isKong
        ? [
            option("meld-hidden", say("meld.hidden"), meld.hidden, () => {
              meld.hidden = true;
              meld.added = false;
            }),
            option("meld-claimed", say("meld.claimed"), !meld.hidden && !meld.added, () => {
              meld.hidden = false;
              meld.added = false;
            }),
            option("meld-added", say("meld.added"), !meld.hidden && meld.added, () => {
              meld.hidden = false;
              meld.added = true;
            }),
          ]
        : null,
      kind === "pung" && fourth
        ? option("meld-kong", say("meld.kong"), false, () => hand.add(fourth, `meld-${number}`))
        : null,
      h(
        "button",
        { type: "button", on: { click: () => openAdding(hand, `meld-${number}`, changed) } },
        say("sheet.add"),
      ),
      h("button", { type: "button", data: { act: "open" }, on: { click: again(() => hand.open(number)) } }, say("meld.open")),
    ),
  );
}
