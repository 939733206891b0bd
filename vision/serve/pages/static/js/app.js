// The page of one hand: photo, tiles, circumstances, score.

import * as api from "./api.js";
import { Refused } from "./api.js";
import { drawBoard, lightUp } from "./board.js";
import { drawChecks } from "./check.js";
import { Circumstances } from "./circumstances.js";
import { find, findAll, refill, settled } from "./dom.js";
import { Evening } from "./evening.js";
import { Hand } from "./hand.js";
import { parseHand } from "./notation.js";
import { announce, complain, sentenceOf, startPage } from "./page.js";
import { crop, overlay, prepare } from "./photo.js";
import { drawResult, drawTrouble } from "./result.js";
import { linkOf, pass, passPicture, shared, textOf, typed } from "./share.js";
import { openAdding, openMeld, openTile, watchSheet } from "./sheet.js";
import { remember, recall } from "./store.js";
import { pick, say } from "./words.js";

const QUIET = 60; // ms between a change and scoring it: several changes in one go are scored once

const config = JSON.parse(find("#config").textContent);
const state = {
  hand: null,
  photo: null,
  size: null,
  notes: null, // warnings by language
  answer: null,
  request: null,
  below: 0.9,
  most: Infinity,
};
let circumstances;
let evening;
let reading = null; // AbortController of the photo being read
let scoring = null; // AbortController of the score on its way

const show = (selector, shown) => {
  find(selector).hidden = !shown;
};

async function start() {
  startPage();
  watchSheet();
  listen();
  try {
    const [{ rule_sets }, service] = await Promise.all([api.rules(), api.service()]);
    Object.assign(state, { below: service.check_below, most: service.max_bytes });
    circumstances = new Circumstances(rule_sets, changed);
    evening = new Evening(circumstances, () => state);
    await evening.attach(recall("table", null));
    circumstances.draw();
  } catch (error) {
    complain(sentenceOf(error));
    return;
  }
  document.addEventListener("language", () => {
    circumstances.draw();
    evening.draw();
    if (state.hand) changed();
  });
  openShared();
  addEventListener("hashchange", openShared);
  document.body.dataset.ready = "yes";
}

function listen() {
  for (const input of findAll("input[type=file]")) {
    input.addEventListener("change", () => {
      if (input.files.length) readPhoto(input.files[0]);
      input.value = ""; // so that the same photo can be chosen again
    });
  }
  find("#by-hand").addEventListener("click", () => {
    begin(new Hand(), null, null);
    openAdding(state.hand, "concealed", changed);
  });
  find("#sort").addEventListener("click", () => {
    state.hand.sort();
    changed();
  });
  find("#labels").addEventListener("click", () => {
    remember("labels", !recall("labels", false));
    find("#labels").setAttribute("aria-pressed", String(recall("labels", false)));
    changed();
  });
  find("#to-result").addEventListener("click", () => {
    find("#result-part").scrollIntoView();
    find("#result-title").focus({ preventScroll: true });
  });
  find("#share-link").addEventListener("click", async () =>
    announce(await pass("link", linkOf(state.answer, state.request))),
  );
  find("#share-text").addEventListener("click", async () =>
    announce(await pass("text", textOf(state.answer, linkOf(state.answer, state.request)))),
  );
  find("#share-picture").addEventListener("click", async () =>
    announce(await passPicture(state.hand, state.answer)),
  );
  find("#keep")?.addEventListener("change", (event) => show("#keep-now", event.target.checked));
  find("#keep-now")?.addEventListener("click", keepPhoto);
  document.addEventListener("paste", (event) => takeFrom(event.clipboardData, event));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => takeFrom(event.dataTransfer, event));
}

function takeFrom(transfer, event) {
  const file = [...(transfer?.files ?? [])][0];
  if (!file) return;
  event.preventDefault();
  readPhoto(file);
}

async function readPhoto(file) {
  reading?.abort();
  const mine = new AbortController();
  reading = mine;
  complain("");
  busy(true);
  try {
    const photo = await prepare(file);
    if (photo.blob.size > state.most) throw new Refused(413, say("trouble.large"));
    const answer = await api.read(photo.blob, photo.name, {}, mine.signal);
    if (reading !== mine) return;
    circumstances.nextHand();
    history.replaceState(null, "", location.pathname); // a link's hand is not this one
    begin(Hand.fromReading(answer), photo, answer);
    find("#hand-title").focus({ preventScroll: true });
    find("#photo-part").scrollIntoView();
  } catch (error) {
    if (error.name === "AbortError") return;
    complain(sentenceOf(error));
  } finally {
    if (reading === mine) {
      reading = null;
      busy(false);
    }
  }
}

function busy(on) {
  document.body.classList.toggle("busy", on);
  find("#progress").replaceChildren(on ? say("reading") : "");
  if (on) {
    find("#headline").replaceChildren(say("reading"));
    find("#progress").scrollIntoView({ block: "center" });
  } else if (state.hand) scoreSoon(); // the bar tells the score again
}

/** A new hand on the table; photo and reading are null where there is none. */
function begin(hand, photo, answer) {
  Object.assign(state, { hand, photo, size: answer?.size ?? null, answer: null });
  state.notes = answer?.warnings_in ?? null;
  complain("");
  show("#start", false);
  show("#hand-part", true);
  show("#circumstances-part", true);
  show("#result-part", true);
  show("#bar-result", true);
  show("#photo-part", Boolean(answer));
  show("#keep-part", config.keeps && Boolean(photo));
  if (find("#keep")) {
    find("#keep").checked = false;
    show("#keep-now", false);
  }
  changed();
}

/** The hand or what was said of it changed: draw, and score again. */
function changed(focus = null) {
  if (!state.hand) return;
  drawHand();
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  scoreSoon();
}

function drawHand() {
  const { hand, below, photo, size } = state;
  const tile = (key) =>
    openTile(hand, hand.find(key), crop(photo?.picture, size, hand.find(key), 88), changed);
  const unsure = hand.toCheck(below);
  drawBoard(hand, unsure, {
    tile,
    add: (place) => openAdding(hand, place, changed),
    meld: (number) => openMeld(hand, number, changed),
    drop: (key, place, before) => {
      hand.move(key, place, before);
      changed();
    },
  });
  const cards = hand.tiles.filter((one) => unsure.has(one.key));
  drawChecks(cards, (one) => crop(photo?.picture, size, one), {
    name: (key, name) => {
      hand.rename(key, name);
      changed(key);
    },
    more: tile,
  });
  drawPhoto(unsure, tile);
  const counts = [say("count", { n: hand.tiles.length - hand.flowers.length })];
  if (hand.flowers.length) counts.push(say("count.with-flowers", { n: hand.flowers.length }));
  if (unsure.size) counts.push(say("count.check", { n: unsure.size }));
  refill(find("#count"), counts.join(say("comma")));
  find("#count").classList.toggle("unsure", unsure.size > 0);
  refill(
    find("#notes"),
    (pick(state.notes) || []).map((note) => {
      const item = document.createElement("li");
      item.textContent = note;
      return item;
    }),
  );
}

function drawPhoto(unsure, tile) {
  const { hand, photo, size } = state;
  if (!size) return;
  const figure = find("#photo");
  figure.style.aspectRatio = `${size[0]} / ${size[1]}`;
  if (photo.picture && !figure.contains(photo.picture)) {
    photo.picture.setAttribute("role", "img");
    photo.picture.setAttribute("aria-label", say("photo.label"));
  }
  figure.replaceChildren(...[photo.picture, overlay(hand, size, unsure, tile)].filter(Boolean));
}

const soon = settled(rescore, QUIET);

function scoreSoon() {
  delete document.body.dataset.scored; // what is shown is of the hand before
  scoring?.abort(); // an answer on its way is, too
  scoring = null;
  soon();
}

async function rescore() {
  const mine = new AbortController();
  scoring = mine;
  const { hand } = state;
  const nameless = hand.nameless().length;
  if (!hand.tiles.length || nameless) {
    settle(null, nameless ? say("name-first", { n: nameless }) : say("no-tiles"));
    return;
  }
  const request = { groups: hand.groups(), ...circumstances.request() };
  try {
    const answer = await api.score(request, mine.signal);
    if (scoring === mine && state.hand === hand) settle(answer, "", request);
  } catch (error) {
    if (scoring === mine && error.name !== "AbortError") settle(null, sentenceOf(error));
  }
}

function settle(answer, trouble, request = null) {
  Object.assign(state, { answer, request });
  const line = answer ? drawResult(answer, resultActs, circumstances.english) : drawTrouble(trouble);
  find("#headline").replaceChildren(line);
  find("#to-result").classList.toggle("not", !answer?.legal);
  find("#said").replaceChildren(answer ? `${line}. ${answer.missing?.message ?? ""}` : `${line}`);
  show("#share-part", Boolean(answer?.wins));
  evening.draw();
  document.body.dataset.scored = answer ? answer.hand : "none";
}

const resultActs = {
  light: (sets) => lightUp(sets ? state.hand.tilesOf(sets) : new Set()),
  exchange: (replace, name) => {
    const { hand } = state;
    const tile = replace && [...hand.concealed].reverse().find((one) => one.name === replace);
    if (tile) hand.rename(tile.key, name);
    else hand.add(name, "concealed");
    changed();
  },
  winning: (name) => {
    const { hand } = state;
    hand.winning = hand.concealed.findLast((tile) => tile.name === name)?.key ?? null;
    changed();
  },
};

async function keepPhoto() {
  const { photo, hand, size } = state;
  if (hand.toCheck(state.below).size) {
    announce(say("keep.check-first"));
    return;
  }
  try {
    const kept = await api.keep(photo.blob, photo.name, { size, ...hand.layout() });
    announce(say("keep.done", { name: kept.name }));
    find("#keep").checked = false;
    show("#keep-now", false);
  } catch (error) {
    announce(sentenceOf(error));
  }
}

/** A link that somebody shared: the hand is in the address. */
function openShared() {
  const kept = shared(location.hash);
  const parsed = kept && parseHand(kept.hand);
  if (!kept) return;
  if (!parsed) {
    complain(say("trouble.link"));
    return;
  }
  const { rules, edition, events, options } = kept;
  circumstances.nextHand();
  circumstances.set({ rules, edition, events, ...parsed.said }, false);
  if (!circumstances.ruleSet) circumstances.set({ rules: "mcr", edition: null }, false);
  circumstances.set(
    { options: typed(options, circumstances.ruleSet), discarder: options.discarder ?? null },
    false,
  );
  begin(parsed.hand, null, null);
}

start();
