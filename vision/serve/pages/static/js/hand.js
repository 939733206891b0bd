// The hand on the table: tiles in places, as read and as corrected. Knows nothing of the page.

import { FACE_DOWN, inOrder, isFlower, isNamed, UNNAMED } from "./tiles.js";

let made = 0;

/** A tile. belief: of its name; settled: a person has said it; quad: in the photo's pixels; id: of the reading. */
export function newTile(name, read = null) {
  made += 1;
  return {
    key: `tile-${made}`,
    name,
    belief: read ? read.confidence : 1,
    settled: read === null,
    doubted: read ? read.changed_from !== null : false,
    alternatives: read ? read.alternatives : [],
    quad: read ? read.quad : null,
    id: read ? read.id : null,
  };
}

const doubtful = (tile, below) => tile.name === UNNAMED || tile.doubted || tile.belief < below;

export class Hand {
  constructor() {
    this.concealed = [];
    this.melds = []; // {tiles, hidden: whether a kong lies face down, source: 0 to 3, added}
    this.flowers = [];
    this.other = [];
    this.winning = null; // key of a concealed tile
  }

  /** From the answer of POST /api/read. */
  static fromReading(reading) {
    const hand = new Hand();
    const tiles = new Map(reading.tiles.map((read) => [read.id, newTile(read.tile, read)]));
    for (const group of reading.groups) {
      const members = group.tiles.map((id) => tiles.get(id)).filter(Boolean);
      for (const id of group.tiles) tiles.delete(id);
      if (!members.length) continue;
      if (group.kind === "winning") {
        hand.concealed.push(...members);
        hand.winning = members[0].key;
      } else if (group.kind in hand && Array.isArray(hand[group.kind])) {
        hand[group.kind].push(...members);
      } else {
        hand.melds.push({ tiles: members, hidden: group.kind === "concealed-kong", source: 0, added: false });
      }
    }
    hand.other.push(...tiles.values());
    return hand;
  }

  /** Every tile of the hand; `other` lies outside it. */
  get tiles() {
    return [...this.concealed, ...this.melds.flatMap((meld) => meld.tiles), ...this.flowers];
  }

  get all() {
    return [...this.tiles, ...this.other];
  }

  /** Tiles that keep the hand from being scored: without a name, or face down where nothing tells what lies there. */
  nameless() {
    const told = (tiles) => tiles.length === 4 && tiles.some((tile) => isNamed(tile.name));
    const inMelds = this.melds.flatMap(({ tiles }) => {
      const unnamed = told(tiles) ? [] : tiles.filter((tile) => !isNamed(tile.name));
      return tiles.length === 4 ? unnamed.slice(0, 1) : unnamed; // one name tells a whole kong
    });
    return [...this.concealed.filter((tile) => !isNamed(tile.name)), ...inMelds];
  }

  /** Keys of the tiles that a person should look at: believed less than `below`, or nameless. */
  toCheck(below) {
    const doubted = this.tiles.filter((tile) => doubtful(tile, below));
    return new Set([...doubted, ...this.nameless()].map((tile) => tile.key));
  }

  find(key) {
    return this.all.find((tile) => tile.key === key) ?? null;
  }

  /** Where a tile lies: "concealed", "flowers", "other" or "meld-0". */
  placeOf(key) {
    for (const place of this.places()) {
      if (this.list(place).some((tile) => tile.key === key)) return place;
    }
    return null;
  }

  places() {
    return ["concealed", ...this.melds.map((_, number) => `meld-${number}`), "flowers", "other"];
  }

  list(place) {
    return place.startsWith("meld-") ? this.melds[Number(place.slice(5))].tiles : this[place];
  }

  rename(key, name) {
    const tile = this.find(key);
    const place = this.placeOf(key);
    Object.assign(tile, { name, belief: 1, doubted: false, settled: true });
    // A flower cannot lie in a hand, nor a numbered tile among the flowers of most rules.
    if (isFlower(name) && place === "concealed") this.move(key, "flowers");
    if (!isFlower(name) && isNamed(name) && place === "flowers" && !"ESWNCFP".includes(name)) {
      this.move(key, "concealed");
    }
  }

  /** Put a tile at another place ("meld-new": a meld of its own), before the tile `before` if that is given. */
  move(key, place, before = null) {
    const tile = this.find(key);
    const list = place === "meld-new" ? this.#newMeld() : this.list(place);
    this.#take(key);
    const at = before === null ? -1 : list.findIndex((other) => other.key === before);
    if (at < 0) list.push(tile);
    else list.splice(at, 0, tile);
    if (this.winning === key && place !== "concealed") this.winning = null;
    this.#tidy();
  }

  add(name, place) {
    const tile = newTile(name);
    const list = place === "meld-new" ? this.#newMeld() : this.list(place);
    if (isFlower(name) && place === "concealed") this.flowers.push(tile);
    else list.push(tile);
    return tile;
  }

  remove(key) {
    this.#take(key);
    if (this.winning === key) this.winning = null;
    this.#tidy();
  }

  /** A meld back into the hand. */
  open(number) {
    this.concealed.push(...this.melds[number].tiles);
    this.melds.splice(number, 1);
  }

  sort() {
    this.concealed.sort((a, b) => inOrder(a.name, b.name));
  }

  /** The groups of POST /api/score. */
  groups() {
    const names = (tiles) => tiles.map((tile) => tile.name);
    const won = this.concealed.find((tile) => tile.key === this.winning);
    const groups = [
      { kind: "concealed", tiles: names(this.concealed.filter((tile) => tile !== won)) },
      { kind: "winning", tiles: won ? [won.name] : [] },
      ...this.melds.map((meld) => ({
        kind: meldKind(meld),
        tiles: names(meld.tiles),
        source: meld.source,
        added: meld.added,
      })),
      { kind: "flowers", tiles: names(this.flowers) },
    ];
    return groups.filter((group) => group.tiles.length);
  }

  /** The layout of POST /api/corrections: the tiles that are on the photo. */
  layout() {
    const read = (tiles) => tiles.filter((tile) => tile.quad);
    const won = this.concealed.find((tile) => tile.key === this.winning);
    const groups = [
      ["concealed", this.concealed.filter((tile) => tile !== won)],
      ["winning", won ? [won] : []],
      ...this.melds.map((meld) => [meldKind(meld), meld.tiles]),
      ["flowers", this.flowers],
      ["other", this.other],
    ];
    return {
      tiles: read(this.all).map(({ id, name, quad }) => ({ id, tile: name, quad })),
      groups: groups
        .map(([kind, tiles]) => ({ kind, tiles: read(tiles).map((tile) => tile.id) }))
        .filter((group) => group.tiles.length),
    };
  }

  /** The tiles that make sets of a fan, by key; each tile is taken once, whole melds first. */
  tilesOf(sets) {
    const taken = new Set();
    for (const names of sets) {
      const wanted = [...names].sort().join();
      const meld = this.melds.find(
        ({ tiles }) =>
          !taken.has(tiles[0]?.key) &&
          tiles
            .map((tile) => tile.name)
            .sort()
            .join() === wanted,
      );
      if (meld) {
        for (const tile of meld.tiles) taken.add(tile.key);
        continue;
      }
      for (const name of names) {
        const tile = [...this.concealed, ...this.flowers, ...this.melds.flatMap((m) => m.tiles)].find(
          (other) => other.name === name && !taken.has(other.key),
        );
        if (tile) taken.add(tile.key);
      }
    }
    return taken;
  }

  #newMeld() {
    const meld = { tiles: [], hidden: false, source: 0, added: false };
    this.melds.push(meld);
    return meld.tiles;
  }

  #take(key) {
    for (const place of this.places()) {
      const list = this.list(place);
      const at = list.findIndex((tile) => tile.key === key);
      if (at >= 0) list.splice(at, 1);
    }
  }

  #tidy() {
    this.melds = this.melds.filter((meld) => meld.tiles.length);
  }
}

/** chow, pung, kong or concealed-kong, by the tiles. */
export function meldKind(meld) {
  if (meld.tiles.length > 3) return meld.hidden ? "concealed-kong" : "kong";
  const names = new Set(meld.tiles.map((tile) => tile.name).filter((name) => name !== FACE_DOWN));
  return names.size === 1 ? "pung" : "chow";
}
