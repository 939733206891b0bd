// The result as a picture: tiles, total, fans and payment on one card.

import { meldKind } from "./hand.js";
import { signed } from "./result.js";
import { FACE_DOWN, UNNAMED } from "./tiles.js";
import { fanWords, say, windWords } from "./words.js";

const [WIDTH, MARGIN, TILE, GAP, LINE] = [1080, 48, 62, 22, 46];
const TALL = 405.4 / 300;
const INK = "#1d2733";
const FONT = 'system-ui, "PingFang SC", "Noto Sans CJK SC", sans-serif';

/** A canvas with the card. */
export async function picture(hand, answer) {
  const draw = await drawings(hand);
  const rows = tileRows(hand);
  const fans = answer.fans.slice(0, 16);
  const height = MARGIN * 2 + rows.length * (TILE * TALL + 18) + 130 + fans.length * LINE + LINE * 2;
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round(height);
  const context = canvas.getContext("2d");
  context.fillStyle = "#f3efe4";
  context.fillRect(0, 0, canvas.width, canvas.height);
  let y = MARGIN;
  for (const row of rows) {
    let x = MARGIN;
    for (const item of row) {
      if (item === null) x += GAP;
      else {
        context.drawImage(draw.get(item), x, y, TILE, TILE * TALL);
        x += TILE + 3;
      }
    }
    y += TILE * TALL + 18;
  }
  const write = (text, x, size, align = "left", weight = 400) => {
    context.font = `${weight} ${size}px ${FONT}`;
    context.textAlign = align;
    context.fillStyle = INK;
    context.fillText(text, x, y);
  };
  y += 92;
  write(say("headline", { n: answer.total }), MARGIN, 84, "left", 700);
  if (!answer.legal) write(say("below", { minimum: answer.minimum }), WIDTH - MARGIN, 32, "right");
  y += 20;
  for (const fan of fans) {
    y += LINE;
    write(fanWords(fan) + (fan.count > 1 ? ` × ${fan.count}` : ""), MARGIN, 32);
    write(String(fan.points * fan.count), WIDTH - MARGIN, 32, "right", 700);
  }
  y += LINE * 1.4;
  const paid = (answer.payments ?? []).map(
    (row) => `${row.seat ? windWords(row.seat) : say(`role.${row.role}`)} ${signed(row.amount)}`,
  );
  if (answer.legal) write(paid.join("   "), MARGIN, 28);
  return canvas;
}

/** Rows of tile names that fit the width; null is a gap between groups. */
function tileRows(hand) {
  const perRow = Math.floor((WIDTH - 2 * MARGIN - GAP) / (TILE + 3));
  const names = (tiles) => tiles.map((tile) => tile.name);
  const won = hand.concealed.find((tile) => tile.key === hand.winning);
  const concealed = names(hand.concealed.filter((tile) => tile !== won));
  const groups = [
    ...hand.melds.map((meld) =>
      // A face-down kong as it lies on the table: two of it show.
      meldKind(meld) === "concealed-kong"
        ? names(meld.tiles).map((name, place) => (place === 0 || place === 3 ? FACE_DOWN : name))
        : names(meld.tiles),
    ),
    concealed,
    won ? [won.name] : [],
    names(hand.flowers),
  ].filter((group) => group.length);
  const rows = [[]];
  for (const group of groups) {
    const row = rows.at(-1);
    const taken = row.filter((item) => item !== null).length;
    if (row.length && taken + group.length > perRow - 1) rows.push([...group]);
    else row.push(...(row.length ? [null] : []), ...group);
  }
  return rows;
}

/** An image of each tile of the hand, by name, cut from the one file of drawings. */
async function drawings(hand) {
  const text = await (await fetch("/static/tiles.svg")).text();
  const symbols = new DOMParser().parseFromString(text, "image/svg+xml");
  const names = [...new Set([...hand.tiles.map((tile) => tile.name), FACE_DOWN])];
  const images = names.map(async (name) => {
    const symbol = symbols.getElementById(`t-${name === UNNAMED ? "unnamed" : name}`);
    const inside = [...symbol.childNodes].map((node) => new XMLSerializer().serializeToString(node)).join("");
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${symbol.getAttribute("viewBox")}" width="300" height="405">${inside}</svg>`,
    )}`;
    await image.decode();
    return [name, image];
  });
  return new Map(await Promise.all(images));
}
