// The sheet that rises from the bottom: name a tile, move it, add one; or change a meld.

import { find, h, refill } from "./dom.js";
import { meldKind } from "./hand.js";
import { drawing, FACE_DOWN, isNamed, labelled, ROWS } from "./tiles.js";
import { say, tileWords } from "./words.js";

const LIKELIEST = 3;

const sheet = () => find("#sheet");

function show(title, content, picture = null) {
  const dialog = sheet();
  refill(
    dialog,
    h(
      "header",
      {},
      picture,
      h("h2", { id: "sheet-title" }, title),
      h(
        "button",
        { type: "button", class: "plain", "aria-label": say("close"), on: { click: closeSheet } },
        "✕",
      ),
    ),
    ...content.filter(Boolean),
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
  const own = Object.keys(ROWS).find((row) => ROWS[row].includes(tile.name));
  show(
    tileWords(tile.name),
    [
      likely.length > 1 || (likely.length && !isNamed(tile.name))
        ? h(
            "div",
            { class: "choices likely", role: "group", "aria-label": say("sheet.likeliest") },
            likely.map(([name, belief], number) =>
              choice(
                name,
                done(() => hand.rename(tile.key, name)),
                {
                  current: name === tile.name,
                  note: tile.settled ? "" : percent(belief),
                  id: `likely-${number}`,
                },
              ),
            ),
          )
        : null,
      actions(hand, tile, place, done),
      palette((name) => done(() => hand.rename(tile.key, name))(), tile.name, own),
    ],
    crop,
  );
}

/** Names that a tile may have, likeliest first: [name, belief], its own among them. */
export function likeliest(tile) {
  const own = isNamed(tile.name) ? [[tile.name, tile.belief]] : [];
  return [...own, ...tile.alternatives.filter(([name]) => name !== tile.name)].slice(0, LIKELIEST);
}

const percent = (belief) =>
  belief >= 0.995 ? ">99 %" : belief < 0.01 ? "<1 %" : `${Math.round(belief * 100)} %`;

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
  const won = hand.winning === tile.key;
  const button = (key, act, pressed = null) =>
    h(
      "button",
      { type: "button", data: { act: key }, "aria-pressed": pressed, on: { click: done(act) } },
      say(key),
    );
  const places = [
    ["concealed", say("kind.concealed")],
    ...hand.melds.map((_, number) => [`meld-${number}`, `${say("kind.meld")} ${number + 1}`]),
    ["meld-new", say("new-meld")],
    ["flowers", say("kind.flowers")],
    ["other", say("kind.other")],
  ];
  return h(
    "div",
    { class: "actions", role: "group", "aria-label": say("sheet.actions") },
    place === "concealed"
      ? button(
          "sheet.winning",
          () => {
            hand.winning = won ? null : tile.key;
          },
          String(won),
        )
      : null,
    button("sheet.remove", () => hand.remove(tile.key)),
    h(
      "select",
      {
        id: "move",
        "aria-label": say("sheet.move"),
        on: { change: (event) => done(() => hand.move(tile.key, event.target.value))() },
      },
      h("option", { value: "", selected: true, disabled: true }, say("sheet.move")),
      places.filter(([to]) => to !== place).map(([to, text]) => h("option", { value: to }, text)),
    ),
  );
}

/** Every tile; the row `first` stands first, for a tile is mostly mistaken within its suit. */
function palette(chosen, current = null, first = "m") {
  const rows = Object.entries(ROWS).sort(([a], [b]) => Number(b === first) - Number(a === first));
  return h(
    "div",
    { class: "palette" },
    rows.map(([row, names]) =>
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
  show(say("sheet.add"), [
    added,
    palette((name) => {
      hand.add(name, to);
      if (to === "meld-new") to = `meld-${hand.melds.length - 1}`;
      added.replaceChildren(say("sheet.added", { tile: tileWords(name) }), drawing(name));
      changed();
    }),
    h("button", { type: "button", class: "primary big", on: { click: closeSheet } }, say("done")),
  ]);
}

/** One tile of a few, for the wild tile and the like. */
export function openChoice(title, chosen, current) {
  const take = (name) => {
    closeSheet();
    chosen(name);
  };
  show(title, [palette(take, current)]);
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
      {
        type: "button",
        id,
        "aria-pressed": pressed === null ? null : String(pressed),
        on: { click: again(act) },
      },
      text,
    );
  const isKong = kind === "kong" || kind === "concealed-kong";
  const fourth = meld.tiles.find((tile) => tile.name !== FACE_DOWN)?.name;
  show(`${say("kind.meld")} ${number + 1}: ${say(`kind.${kind}`)}`, [
    h(
      "div",
      { class: "actions", role: "group", "aria-label": say("sheet.actions") },
      isKong
        ? [
            option("meld-hidden", say("meld.hidden"), meld.hidden, () => {
              Object.assign(meld, { hidden: true, added: false });
            }),
            option("meld-claimed", say("meld.claimed"), !meld.hidden && !meld.added, () => {
              Object.assign(meld, { hidden: false, added: false });
            }),
            option("meld-added", say("meld.added"), !meld.hidden && meld.added, () => {
              Object.assign(meld, { hidden: false, added: true });
            }),
          ]
        : null,
      kind === "pung" && fourth
        ? option("meld-kong", say("meld.kong"), null, () => hand.add(fourth, `meld-${number}`))
        : null,
      h(
        "button",
        { type: "button", on: { click: () => openAdding(hand, `meld-${number}`, changed) } },
        say("sheet.add"),
      ),
      option("meld-open", say("meld.open"), null, () => hand.open(number)),
    ),
  ]);
}
