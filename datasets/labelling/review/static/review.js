// The review page: puts the parts together.

import { Refusal, Saver, ask } from "./api.js";
import { Details, describe } from "./details.js";
import { Editor } from "./editor.js";
import { grown, moved, rolled, rounded, sides, turned, upright, within } from "./geometry.js";
import { KEYS, listen } from "./keys.js";
import { Palette } from "./palette.js";
import { PictureView } from "./picture.js";
import { Queue } from "./queue.js";
import { TILES, Typed, title } from "./tiles.js";
import { Wall } from "./wall.js";

const by = (id) => document.getElementById(id);
const form = by("filters");
const say = (text) => { by("live").textContent = text; };

let image = null;
let selected = null;
let standing = { undo: null, redo: null };
let opening = 0;

const saver = new Saver((text, failed) => {
  by("saving").textContent = text;
  by("saving").classList.toggle("failed", failed);
});
const palette = new Palette();
const view = new PictureView(by("stage"), { select, edit, draw });
const details = new Details({ select });
const queue = new Queue({ filters, open, refused });
const wall = new Wall(saver, {
  filters,
  choose: (tile, others) => palette.choose(tile, others),
  saved: stand,
  refused,
  say,
  open: (id, position) => {
    showView("pictures");
    open(id, position);
  },
});

// What the server says

function notice(text) {
  by("notice").textContent = text ?? "";
  by("notice").hidden = !text;
}

function refused(error) {
  notice(error instanceof Refusal ? error.message : `The server does not answer: ${error.message}`);
}

function stand(answer) {
  standing = { undo: answer.undo, redo: answer.redo };
  const { doubtful, left } = answer.progress;
  by("progress").textContent = `${left} of ${doubtful} doubtful left`;
  for (const action of ["undo", "redo"]) {
    by(action).disabled = !standing[action];
    by(action).title = standing[action]?.source ?? "";
  }
  if (answer.image) queue.update(answer.image);
}

// Which pictures

function filters() {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    // A tile that is named wrong and surely is what the wall is for.
    if (name === "doubtful") wallShown() || query.set(name, "true");
    else if (value) query.set(name, value);
  }
  return query;
}

function offer(overview) {
  by("folder").textContent = overview.folder;
  document.title = `${overview.folder.split(/[\\/]/).pop()} – hupai review`;
  const fill = (select, values, label) => {
    const kept = select.value;
    select.replaceChildren(new Option("any", ""), ...values.map((value) => new Option(label(value), value)));
    if (values.includes(kept)) select.value = kept;
    select.parentElement.hidden = !values.length;
  };
  fill(form.elements.flag, Object.keys(overview.flags), (flag) => `${flag} (${overview.flags[flag]})`);
  fill(form.elements.tile, [...TILES.keys()].filter((tile) => overview.tiles[tile]), title);
  fill(form.elements.split, Object.keys(overview.splits), (split) => `${split} (${overview.splits[split]})`);
  wall.offer(overview.tiles);
  stand(overview);
}

async function refresh() {
  try {
    offer(await ask("/api/overview"));
  } catch (error) {
    refused(error);
  }
}

async function filterAnew() {
  notice(null);
  if (wallShown()) {
    wall.show();
    return;
  }
  const first = await queue.reload();
  if (first !== null) await open(first);
  else {
    show(null);
    notice("No picture is like that; choose others above.");
  }
}

// One picture

/** Open a picture; at a box, or at its first doubtful one (its last, for `at` -1). */
async function open(id, at = null) {
  const load = (opening += 1);
  try {
    const detail = await ask(`/api/images/${id}`);
    if (load !== opening) return;
    show(new Editor(detail, saver), at);
    preload();
  } catch (error) {
    refused(error);
  }
}

function show(next, at = null) {
  image = next;
  selected = null;
  view.show(image);
  queue.mark(image?.id ?? null);
  if (image) history.replaceState(null, "", `#picture=${image.id}`);
  const doubtful = image?.boxes.filter((box) => box.doubtful) ?? [];
  select(at !== null && at >= 0 ? image.boxes[at] ?? null : (at === -1 ? doubtful.at(-1) : doubtful[0]) ?? null);
}

async function preload() {
  const next = await queue.neighbour(1);
  if (next === null) return;
  const side = Math.ceil(Math.max(by("stage").clientWidth, by("stage").clientHeight) * devicePixelRatio);
  new Image().src = `/api/images/${next}/picture?side=${side}`;
}

function select(box) {
  selected = box;
  typed.forget();
  view.select(box);
  details.show(image, selected);
  if (box) say(`Tile ${image.boxes.indexOf(box) + 1} of ${image.boxes.length}: ${describe(box)}`);
}

async function go(step, at = null) {
  const next = await queue.neighbour(step);
  if (next !== null) await open(next, at);
  else notice(step > 0 ? "That was the last of these pictures." : "That was the first of these pictures.");
  return next !== null;
}

// Decisions

async function save(of = image) {
  view.draw();
  details.show(image, selected);
  try {
    const answer = await of.save();
    if (answer) stand(answer);
    if (of === image) {
      view.draw();
      details.show(image, selected);
    }
  } catch (error) {
    refused(error);
    if (error instanceof Refusal) await open(of.id);
  }
}

function edit(box, quad) {
  box.quad = within(quad, image.width, image.height);
  box.origin = "human";
  box.doubtful = false;
  save();
}

function name(box, tile) {
  if (box.tile === tile) return;
  box.tile = tile;
  box.origin = "human";
  box.doubtful = false;
  say(`Named ${title(tile)}`);
  save();
}

function draw(quad) {
  const box = { tile: "?", quad: within(quad, image.width, image.height), was: null, confidence: 1,
                alternatives: [], origin: "human", doubtful: true };
  image.boxes.push(box);
  select(box);
  save();
}

async function decide(state) {
  if (!image) return;
  const of = image;
  of.state = state;
  save(of);
  queue.update(of);
  say(state === "reviewed" ? "Accepted" : "Rejected");
  await go(1);
}

async function step(action) {
  try {
    // What is next is known when all that is on its way has been saved.
    const answer = await saver.run(async () =>
      standing[action] && ask(`/api/${action}`, "POST", { decision: standing[action].decision }));
    if (!answer) {
      notice(`There is nothing to ${action}.`);
      return;
    }
    notice(null);
    stand(answer);
    say(`${action === "undo" ? "Undone" : "Done again"} on ${answer.image.source}`);
    if (wallShown()) wall.show();
    else {
      opening += 1;
      show(new Editor(answer.image, saver));
    }
  } catch (error) {
    refused(error);
    await refresh();
  }
}

async function doubtfulBox(step) {
  const boxes = image?.boxes ?? [];
  const from = selected ? boxes.indexOf(selected) : step > 0 ? -1 : boxes.length;
  for (let i = from + step; i >= 0 && i < boxes.length; i += step) {
    if (boxes[i].doubtful) {
      select(boxes[i]);
      return;
    }
  }
  await go(step, step > 0 ? null : -1);
}

// What the keys and buttons do

const reshape = (change) => selected && edit(selected, rounded(change(selected.quad)));
const firstKey = (event, key) => (event.key === key ? -1 : 1);
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const actions = {
  accept: () => image?.width && decide("reviewed"),
  reject: () => decide("rejected"),
  reopen: () => {
    if (!image || !["reviewed", "rejected"].includes(image.state)) return;
    image.state = "new";
    queue.update(image);
    save();
  },
  nextPicture: () => go(1),
  previousPicture: () => go(-1),
  nextDoubtful: () => doubtfulBox(1),
  previousDoubtful: () => doubtfulBox(-1),
  rename: async () => {
    const [of, box] = [image, selected];
    if (!box) return;
    const tile = await palette.choose(box.tile, box.alternatives);
    by("stage").focus();
    if (tile && of === image) name(box, tile);
  },
  unnamed: () => selected && name(selected, "?"),
  add: () => {
    if (!image?.width) return;
    if (!view.drawing) {
      view.drawing = true;
      say("Drag a box, or press i again for one in the middle.");
      return;
    }
    view.drawing = false;
    const usual = image.boxes.map((box) => sides(box.quad)).sort((a, b) => a[0] - b[0]);
    const [width, height] = usual[usual.length >> 1] ?? [image.width / 12, image.width / 9];
    const [x, y] = view.centre();
    draw(rounded(upright([x - width / 2, y - height / 2], [x + width / 2, y + height / 2])));
  },
  delete: () => {
    if (!selected) return;
    const at = image.boxes.indexOf(selected);
    image.boxes.splice(at, 1);
    say(`Deleted ${title(selected.tile)}`);
    select(image.boxes[Math.min(at, image.boxes.length - 1)] ?? null);
    save();
  },
  arrow: (event) => {
    const [x, y] = ARROWS[event.key];
    const far = event.shiftKey ? 10 : 1;
    if (selected) reshape((quad) => moved(quad, x * far, y * far));
    else view.pan(-40 * x * far, -40 * y * far);
  },
  widen: (event) => reshape((quad) => grown(quad, 1 + firstKey(event, "<") * 0.03, 1)),
  heighten: (event) => reshape((quad) => grown(quad, 1, 1 + firstKey(event, "(") * 0.03)),
  turn: (event) => reshape((quad) => turned(quad, firstKey(event, "["))),
  roll: (event) => reshape((quad) => rolled(quad, firstKey(event, "{"))),
  zoomIn: () => view.zoom(1.25),
  zoomOut: () => view.zoom(0.8),
  fit: () => view.fit(),
  closeUp: () => selected && view.closeUp(selected),
  toggleBoxes: () => say(view.toggleBoxes() ? "Boxes shown" : "Boxes hidden"),
  undo: () => step("undo"),
  redo: () => step("redo"),
  toggleWall: () => showView(wallShown() ? "pictures" : "wall"),
  escape: () => {
    notice(null);
    if (view.drawing) view.drawing = false;
    else select(null);
  },
  help: () => by("help").showModal(),
};

const typed = new Typed();
const PICTURE_ONLY = new Set(["undo", "redo", "toggleWall", "help"]);
const guarded = Object.fromEntries(Object.entries(actions).map(([action, run]) =>
  [action, (event) => (PICTURE_ONLY.has(action) || !wallShown()) && run(event)]));

listen(guarded, typed, (tile) => {
  if (wallShown() || !selected) return false;
  if (tile) name(selected, tile);
  return true;
}, () => by("keys-on").checked);

for (const id of ["accept", "reject", "reopen", "rename", "delete", "add", "undo", "redo"]) {
  by(id).addEventListener("click", () => actions[id]());
}
by("show-help").addEventListener("click", actions.help);
by("show-pictures").addEventListener("click", () => showView("pictures"));
by("show-wall").addEventListener("click", () => showView("wall"));
form.addEventListener("change", filterAnew);
form.addEventListener("submit", (event) => event.preventDefault());
by("help-keys").append(...KEYS.map(([, shown, does]) => {
  const row = document.createElement("tr");
  const [key, what] = [document.createElement("th"), document.createElement("td")];
  const kbd = document.createElement("kbd");
  key.scope = "row";
  kbd.textContent = shown;
  key.append(kbd);
  what.textContent = does;
  row.append(key, what);
  return row;
}));

// Views

function wallShown() {
  return !by("wall").hidden;
}

function showView(which) {
  const before = wallShown();
  by("pictures").hidden = which === "wall";
  for (const element of document.querySelectorAll(".pictures-only")) element.hidden = which === "wall";
  by("wall").hidden = which !== "wall";
  by("show-pictures").setAttribute("aria-pressed", String(which === "pictures"));
  by("show-wall").setAttribute("aria-pressed", String(which === "wall"));
  if (which === "wall" && !before) {
    refresh().then(() => wall.show());
    history.replaceState(null, "", "#wall");
  } else if (which === "pictures" && before && image) {
    open(image.id); // the wall may have changed it
  }
}

async function start() {
  await refresh();
  const place = new URLSearchParams(location.hash.slice(1));
  const first = await queue.reload();
  const id = Number(place.get("picture")) || first;
  if (id) await open(id);
  else notice("Nothing doubtful is left. Choose other pictures above to look at the rest.");
  if (place.has("wall")) showView("wall");
}

start();
