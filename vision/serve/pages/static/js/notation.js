// GB notation of a shared link, back into a hand: `[456s,1][PPPP]5s5s|EE1000|abf`.

import { Hand, newTile } from "./hand.js";

const RUN = /([1-9]+)([mps])|([ESWNCFP])|([a-h])/g;
const FLAGS = ["self_drawn", "last_copy", "last_tile", "kong"];
const ADDED = 4; // a kong added to a pung from 1, 2, 3 is written 5, 6, 7

function names(text) {
  return [...text.matchAll(RUN)].flatMap(([whole, ranks, suit]) =>
    ranks ? [...ranks].map((rank) => rank + suit) : [whole],
  );
}

/** The hand and its circumstances, or null for text that is none. The server checks it properly. */
export function parseHand(text) {
  const [body, circumstances = "", flowers = ""] = text.split("|");
  if (!/^[\s1-9mpsESWNCFPa-h[\],]+$/.test(body)) return null;
  const hand = new Hand();
  const concealed = body.replace(/\[([^\]]*)\]/g, (_, inside) => {
    const [tiles, digit = "0"] = inside.split(",");
    const members = names(tiles).map((name) => newTile(name));
    const source = Number(digit);
    const hidden = members.length === 4 && source === 0;
    hand.melds.push({ tiles: members, hidden, source: source % ADDED, added: source > ADDED });
    return "";
  });
  hand.concealed = names(concealed).map((name) => newTile(name));
  if (!hand.concealed.length) return null;
  hand.winning = hand.concealed.at(-1).key;
  hand.flowers = names(flowers).map((name) => newTile(name));
  const match = /^([ESWN])([ESWN])([01]{4})?$/.exec(circumstances.trim());
  const said = match ? { round: match[1], seat: match[2] } : {};
  FLAGS.forEach((flag, place) => {
    said[flag] = match?.[3]?.[place] === "1";
  });
  return { hand, said };
}
