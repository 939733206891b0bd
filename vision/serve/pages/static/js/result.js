// The score: the total in large type, each fan with the sets that make it, what was left out, who pays what.

import { find, h, refill } from "./dom.js";
import { drawing, strip } from "./tiles.js";
import { fanWords, has, language, say, tileWords, windWords } from "./words.js";

/**
 * Draw an answer of POST /api/score. act: {light(sets or null), exchange(replace, with), winning(name)};
 * english: what fans are called, by their Chinese name.
 * Returns the one line that says it all.
 */
export function drawResult(answer, act, english) {
  const headline = headlineOf(answer);
  refill(
    find("#result"),
    h(
      "p",
      { class: `total ${answer.legal ? "legal" : "not"}`, id: "total" },
      answer.wins
        ? [h("b", {}, String(answer.total)), ` ${say("points", { n: answer.total })}`]
        : say("no-win"),
    ),
    verdict(answer, act),
    answer.by_winning_tile ? candidates(answer, act) : null,
    answer.fans.length ? fans(answer, act) : null,
    answer.stands_for?.length ? wilds(answer) : null,
    answer.excluded.length ? leftOut(answer, english) : null,
    answer.legal && answer.payments?.length ? payments(answer) : null,
  );
  return headline;
}

/** An answer that could not be had, in one sentence. */
export function drawTrouble(sentence) {
  refill(
    find("#result"),
    h("p", { class: "total not", id: "total" }, say("no-score")),
    h("p", { class: "verdict" }, sentence),
  );
  return sentence;
}

export function headlineOf(answer) {
  if (!answer.wins) return say("no-win");
  const points = say("headline", { n: answer.total });
  return answer.legal ? points : `${points}, ${say("below", { minimum: answer.minimum })}`;
}

function verdict(answer, act) {
  const counted = [
    "fan" in answer && say("count.fan", { n: answer.fan }),
    "flowers" in answer && say("count.flowers", { n: answer.flowers }),
  ].filter(Boolean);
  if (answer.legal) return counted.length ? h("p", { class: "verdict" }, counted.join(" · ")) : null;
  const reasons = answer.problems.map((problem) =>
    has(`problem.${problem.code}`) ? say(`problem.${problem.code}`) : problem.message,
  );
  const sentences = answer.missing ? [answer.missing.message] : reasons;
  if (answer.wins && !answer.missing) sentences.push(say("below", { minimum: answer.minimum }));
  return h(
    "div",
    { class: "verdict" },
    [...new Set(sentences)].map((sentence) => h("p", {}, sentence)),
    answer.missing?.exchanges?.length ? exchanges(answer.missing.exchanges, act) : null,
  );
}

/** One tile away: each exchange that makes the hand win is one tap. */
function exchanges(list, act) {
  return h(
    "ul",
    { class: "exchanges", "aria-label": say("exchanges") },
    list.slice(0, 6).map((exchange) =>
      h(
        "li",
        {},
        exchange.replace ? [drawing(exchange.replace), " → "] : "+ ",
        exchange.with.map((name) =>
          h(
            "button",
            {
              type: "button",
              class: "choice",
              "aria-label": exchange.replace
                ? say("exchange", { from: tileWords(exchange.replace), to: tileWords(name) })
                : say("sheet.add-tile", { tile: tileWords(name) }),
              data: { tile: name },
              on: { click: () => act.exchange(exchange.replace, name) },
            },
            drawing(name),
          ),
        ),
      ),
    ),
  );
}

/** The photo does not tell which tile came last: the total for each that may have. */
function candidates(answer, act) {
  return h(
    "section",
    { class: "candidates" },
    h("h3", {}, say("which-won")),
    h(
      "div",
      { class: "choices", role: "group", "aria-label": say("which-won") },
      Object.entries(answer.by_winning_tile).map(([name, total]) =>
        h(
          "button",
          {
            type: "button",
            class: "choice",
            "aria-label": `${tileWords(name)}: ${say("headline", { n: total })}`,
            data: { tile: name },
            on: { click: () => act.winning(name) },
          },
          drawing(name),
          h("small", {}, String(total)),
        ),
      ),
    ),
  );
}

function fans(answer, act) {
  return h(
    "ol",
    { class: "fans", "aria-label": say("fans") },
    answer.fans.map((fan, number) => h("li", {}, fanRow(fan, number, act))),
  );
}

function fanRow(fan, number, act) {
  const why = h("span", { class: "why", id: `why-${number}`, hidden: true }, fan.tiles.map(strip));
  const points = fan.points * fan.count;
  const button = h(
    "button",
    {
      type: "button",
      id: `fan-${number}`,
      class: "fan",
      "aria-expanded": "false",
      "aria-controls": `why-${number}`,
      on: {
        click: () => {
          why.hidden = !why.hidden;
          button.setAttribute("aria-expanded", String(!why.hidden));
          act.light(why.hidden ? null : fan.tiles);
        },
        pointerenter: (event) => event.pointerType === "mouse" && act.light(fan.tiles),
        pointerleave: (event) => event.pointerType === "mouse" && act.light(null),
        focus: () => act.light(fan.tiles),
        blur: () => act.light(null),
      },
    },
    h("b", { class: "points" }, String(points)),
    h(
      "span",
      { class: "name" },
      fanWords(fan),
      fan.count > 1 ? ` × ${fan.count}` : "",
      h(
        "small",
        { lang: language() === "zh" ? "en" : "zh-Hans" },
        language() === "zh" ? fan.english : fan.name,
      ),
    ),
  );
  return [button, why];
}

function wilds(answer) {
  return h(
    "p",
    { class: "hint" },
    answer.stands_for
      .map(([wild, kind]) => say("stands-for", { wild: tileWords(wild), kind: tileWords(kind) }))
      .join("; "),
  );
}

function leftOut(answer, english) {
  const called = (name) => (language() === "zh" ? name : (english.get(name) ?? name));
  return h(
    "details",
    { id: "left-out", open: find("#left-out")?.open },
    h("summary", {}, say("left-out", { n: answer.excluded.length })),
    h(
      "ul",
      { class: "excluded" },
      answer.excluded.map((item) =>
        h(
          "li",
          {},
          h("b", {}, called(item.name)),
          item.by ? ` ${say("left-out.by", { by: called(item.by) })}` : "",
          // The rule is told in English; where it only repeats what stands before it, Chinese does without.
          language() === "zh" && item.by ? null : h("small", {}, item.rule),
        ),
      ),
    ),
  );
}

function payments(answer) {
  return h(
    "table",
    { class: "payments" },
    h("caption", {}, say("payments")),
    h(
      "tbody",
      {},
      answer.payments.map((row) =>
        h(
          "tr",
          { class: row.role },
          h(
            "th",
            { scope: "row" },
            [row.seat ? windWords(row.seat) : null, say(`role.${row.role}`)].filter(Boolean).join(" · "),
          ),
          h("td", {}, signed(row.amount)),
        ),
      ),
    ),
  );
}

export const signed = (amount) => (amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0");
