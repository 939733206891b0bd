// The scoreboard of an evening: who sits where, what was played, the sums.

import * as api from "./api.js";
import { sharers } from "./discards.js";
import { find, findAll, h, refill } from "./dom.js";
import { checkbox, editionWords, field } from "./fields.js";
import { parseHand } from "./notation.js";
import { announce, complain, sentenceOf, startPage } from "./page.js";
import { signed } from "./result.js";
import { pass } from "./share.js";
import { recall, remember } from "./store.js";
import { strip } from "./tiles.js";
import { fanWords, pick, say, windWords } from "./words.js";

const REFRESH = 10_000; // ms; others at the table enter hands too
const REMEMBERED = 8;
const STAYS = ["never", "on-win", "on-win-or-draw"];

const config = JSON.parse(find("#config").textContent);
let table = null;
let ruleSets = [];
let same = false; // the hand typed in was won on the same discard as the one entered last

async function start() {
  startPage();
  document.addEventListener("language", draw);
  try {
    if (config.table) await open();
    else await prepareNew();
    document.body.dataset.ready = "yes";
  } catch (error) {
    complain(sentenceOf(error));
  }
}

// A new table

async function prepareNew() {
  ruleSets = (await api.rules()).rule_sets;
  find("#new-part").hidden = false;
  find("#new").addEventListener("submit", create);
  draw();
}

function drawNew() {
  const chosen = find("#say-rules")?.value ?? recall("circumstances", {}).rules ?? "mcr";
  const set = ruleSets.find((one) => one.name === chosen) ?? ruleSets[0];
  const edition = set.default_edition;
  refill(
    find("#new-rules"),
    field(
      "rules",
      say("rules"),
      ruleSets.map((one) => [one.name, pick(one.title)]),
      set.name,
      draw,
    ),
    set.editions.length > 1
      ? field(
          "edition",
          say("edition"),
          set.editions.map((name) => [name, editionWords(name)]),
          edition,
          () => {},
        )
      : null,
    field(
      "stays",
      say("stays"),
      STAYS.map((name) => [name, say(`stays.${name}`)]),
      set.dealer_stays,
      () => {},
    ),
  );
  const known = recall("tables", []);
  find("#known-part").hidden = known.length === 0;
  refill(
    find("#known"),
    known.map(({ id, names }) =>
      h("li", {}, h("a", { class: "button", href: `/tables/${id}` }, names.join(", "))),
    ),
  );
}

async function create(event) {
  event.preventDefault();
  complain("");
  const names = findAll("#new input[name=name]").map((input) => input.value.trim());
  if (names.some((name) => !name)) {
    complain(say("table.four-names"));
    return;
  }
  try {
    const made = await api.createTable({
      names,
      rules: find("#say-rules").value,
      edition: find("#say-edition")?.value ?? null,
      dealer_stays: find("#say-stays").value,
    });
    know(made);
    location.assign(`/tables/${encodeURIComponent(made.id)}`);
  } catch (error) {
    complain(sentenceOf(error));
  }
}

function know({ id, names }) {
  const others = recall("tables", []).filter((other) => other.id !== id);
  remember("tables", [{ id, names }, ...others].slice(0, REMEMBERED));
  remember("table", id);
}

// A table that is there

async function open() {
  [table, { rule_sets: ruleSets }] = await Promise.all([api.table(config.table), api.rules()]);
  know(table);
  find("#table-part").hidden = false;
  find("#csv").href = api.csvLink(table.id);
  find("#qr").src = api.qrLink(table.id);
  find("#draw").addEventListener("click", () =>
    enter(() => api.addDraw(table.id, table.hands.length), say("table.drawn")),
  );
  find("#undo").addEventListener("click", () =>
    enter(() => api.undo(table.id, table.hands.length), say("table.undone")),
  );
  find("#share").addEventListener("click", async () => announce(await pass("link", location.href)));
  find("#leave").addEventListener("click", () => {
    remember("table", null);
    location.assign("/tables");
  });
  find("#enter").addEventListener("submit", addHand);
  draw();
  setInterval(refresh, REFRESH);
}

async function refresh() {
  if (document.hidden) return;
  try {
    const now = await api.table(table.id);
    if (JSON.stringify(now) === JSON.stringify(table)) return;
    take(now);
    draw();
  } catch {
    // The next one may come through; what is shown stays true until then.
  }
}

/** The table as it is now; "the same discard" was said of the hand entered last before. */
function take(now) {
  if (now.hands.length !== table.hands.length) same = false;
  table = now;
}

async function enter(change, said) {
  complain("");
  try {
    take(await change());
    announce(said);
  } catch (error) {
    complain(sentenceOf(error));
    if (error.status === 409) take(await api.table(table.id));
  }
  draw();
}

async function addHand(event) {
  event.preventDefault();
  const form = new FormData(event.target);
  const [winner, from] = [Number(form.get("winner")), form.get("from")];
  const text = String(form.get("hand")).trim();
  const parsed = parseHand(text);
  if (!parsed) {
    complain(say("table.no-hand"));
    return;
  }
  if (Number(from) === winner) {
    complain(say("table.not-from-winner"));
    return;
  }
  const { last_tile, last_copy, kong } = parsed.said;
  await enter(
    () =>
      api.addHand(table.id, {
        groups: parsed.hand.groups(),
        self_drawn: from === "self",
        last_tile,
        last_copy,
        kong,
        winner,
        from_player: from === "self" ? null : Number(from),
        same_discard: same,
        expected: table.hands.length,
      }),
    say("table.added"),
  );
}

function draw() {
  if (!table) {
    if (ruleSets.length) drawNew();
    return;
  }
  const { turn, names, totals, hands } = table;
  refill(
    find("#turn"),
    turn.over ? say("table.over") : say("table.turn", { number: turn.number, round: windWords(turn.round) }),
    turn.streak ? ` · ${say("table.streak", { n: turn.streak })}` : "",
  );
  refill(
    find("#players"),
    names.map((name, place) =>
      h(
        "li",
        { class: place === turn.dealer ? "dealer" : "" },
        h("span", { class: "wind" }, windWords(turn.seats[place])),
        h("span", { class: "who" }, name, place === turn.dealer ? h("small", {}, say("role.dealer")) : null),
        h("b", {}, signed(totals[place])),
      ),
    ),
  );
  drawWho();
  find("#draw").disabled = turn.over;
  find("#undo").disabled = hands.length === 0;
  refill(
    find("#history-head"),
    ["#", ...names].map((text) => h("th", { scope: "col" }, text)),
  );
  refill(
    find("#history"),
    [...hands].reverse().map((hand) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, String(hand.turn.number), h("small", {}, what(hand))),
        hand.amounts.map((amount) =>
          h("td", { class: amount > 0 ? "up" : amount < 0 ? "down" : "" }, signed(amount)),
        ),
      ),
    ),
  );
  find("#history-part").hidden = hands.length === 0;
}

/** Who won the hand that is typed in, and on whose tile. */
function drawWho() {
  const { names, hands, turn: next } = table;
  const others = sharers(hands, ruleSetOf(table));
  const last = same ? hands.at(-1) : null;
  const { seats, over } = last?.turn ?? next;
  const people = names.map((name, place) => [String(place), `${name} · ${windWords(seats[place])}`]);
  const givers = people.filter((_, place) => !last || place === last.discarder);
  refill(
    find("#enter-who"),
    others.length
      ? checkbox("same_discard", say("evening.same"), same, (on) => {
          same = on;
          drawWho();
        })
      : null,
    select(
      "winner",
      say("evening.winner"),
      people.filter((_, place) => !last || ![...others, last.discarder].includes(place)),
    ),
    select("from", say("won"), [
      ...(last ? [] : [["self", say("won.self")]]),
      ...givers.map(([place, name]) => [place, say("won.from", { wind: name })]),
    ]),
  );
  find("#enter button").disabled = over;
}

/** The table's rules as GET /api/rules describes them. */
const ruleSetOf = ({ house, rules }) =>
  ruleSets.find(({ name }) => name === house?.name) ?? ruleSets.find(({ name }) => name === rules);

function what(hand) {
  if (hand.kind === "draw") return say("table.draw");
  const best = [...hand.fans].sort((a, b) => b.points - a.points)[0];
  const parsed = parseHand(hand.hand);
  return [
    say("headline", { n: hand.total }),
    best ? ` ${fanWords(best)}` : "",
    parsed ? strip(parsed.hand.tiles.map((tile) => tile.name)) : "",
  ];
}

function select(name, title, choices) {
  const chosen = find(`#enter [name=${name}]`)?.value;
  return h(
    "label",
    { class: "field" },
    h("span", {}, title),
    h(
      "select",
      { name, id: `enter-${name}` },
      choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
    ),
  );
}

start();
