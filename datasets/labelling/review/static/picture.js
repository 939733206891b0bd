// The picture with its boxes: zoom, pan, select, move, stretch, turn, draw.

import { middle, moved, rounded, sides, stretched, turned, upright, within } from "./geometry.js";

const SVG = "http://www.w3.org/2000/svg";
const SLIP = 3; // screen pixels that a pointer may move and still only press
const CLOSEST = 40; // screen pixels a picture pixel takes at most
const LARGE = 4000; // the longest side that the server gives

export class PictureView {
  #stage;
  #canvas = document.createElement("div");
  #img = document.createElement("img");
  #svg = document.createElementNS(SVG, "svg");
  #absent;
  #image = null;
  #selected = null;
  #scale = 1;
  #at = [0, 0];
  #side = 0;
  #drawing = false;
  #fitted = true;

  /** told: {select(box), edit(box, quad), draw(quad)}, called for what the person does. */
  constructor(stage, told) {
    this.#stage = stage;
    this.told = told;
    this.#absent = stage.querySelector("#absent");
    this.#canvas.className = "canvas";
    this.#img.draggable = false;
    this.#canvas.append(this.#img, this.#svg);
    stage.append(this.#canvas);
    this.#img.addEventListener("error", () => this.#explain());
    stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    stage.addEventListener("pointerdown", (event) => this.#press(event));
    new ResizeObserver(() => this.#fitted && this.fit()).observe(stage);
  }

  get drawing() {
    return this.#drawing;
  }

  /** While on, a drag on the picture draws a box. */
  set drawing(on) {
    this.#drawing = on;
    this.#stage.classList.toggle("drawing", on);
  }

  /** Show an image, or nothing (null). */
  show(image) {
    const another = image?.id !== this.#image?.id;
    this.#image = image;
    this.#absent.hidden = !image?.missing && Boolean(image?.width);
    this.#absent.textContent = image ? image.missing ?? image.reason ?? "" : "";
    this.#canvas.hidden = !image?.width;
    if (another) {
      this.drawing = false;
      this.#side = 0;
      this.#selected = null;
      this.#img.removeAttribute("src");
      if (image?.width) {
        this.#img.alt = `The picture ${image.source}`;
        this.#svg.setAttribute("viewBox", `0 0 ${image.width} ${image.height}`);
        for (const element of [this.#canvas, this.#img, this.#svg]) {
          element.style.width = `${image.width}px`;
          element.style.height = `${image.height}px`;
        }
        this.fit();
      }
    }
    this.draw();
  }

  select(box) {
    this.#selected = box;
    this.draw();
    if (box) this.#reveal(box);
  }

  /** Hide the boxes, to look at the faces. */
  toggleBoxes() {
    return !this.#svg.classList.toggle("bare");
  }

  fit() {
    if (!this.#image?.width) return;
    const { clientWidth: width, clientHeight: height } = this.#stage;
    this.#scale = Math.min(width / this.#image.width, height / this.#image.height) || 1;
    this.#at = [(width - this.#image.width * this.#scale) / 2, (height - this.#image.height * this.#scale) / 2];
    this.#fitted = true;
    this.#place();
  }

  /** Zoom by a factor about a point of the stage, by default its middle. */
  zoom(factor, x = this.#stage.clientWidth / 2, y = this.#stage.clientHeight / 2) {
    const scale = Math.min(CLOSEST, Math.max(0.02, this.#scale * factor));
    const times = scale / this.#scale;
    this.#at = [x - (x - this.#at[0]) * times, y - (y - this.#at[1]) * times];
    this.#scale = scale;
    this.#fitted = false;
    this.#place();
  }

  /** Bring a box close. */
  closeUp(box) {
    const [width, height] = sides(box.quad);
    const wanted = Math.min(this.#stage.clientWidth, this.#stage.clientHeight) / 3 / Math.max(width, height);
    this.zoom(wanted / this.#scale);
    this.#centre(middle(box.quad));
  }

  pan(dx, dy) {
    this.#at = [this.#at[0] + dx, this.#at[1] + dy];
    this.#fitted = false;
    this.#place();
  }

  /** The point of the picture in the middle of the stage. */
  centre() {
    return this.#toPicture(this.#stage.clientWidth / 2, this.#stage.clientHeight / 2);
  }

  draw() {
    const unit = 1 / this.#scale;
    this.#svg.style.setProperty("--unit", unit);
    const shapes = (this.#image?.boxes ?? []).map((box) => this.#shape(box));
    if (this.#selected) shapes.push(this.#handles(this.#selected.quad, unit));
    this.#svg.replaceChildren(...shapes);
  }

  #shape(box) {
    const group = element("g", { class: "box", "data-tile": box.tile });
    group.classList.toggle("doubtful", box.doubtful);
    group.classList.toggle("human", box.origin === "human");
    group.classList.toggle("selected", box === this.#selected);
    const [a, b] = box.quad;
    const top = box.quad.reduce((best, corner) => (corner[1] < best[1] ? corner : best));
    const label = element("text", { x: middle(box.quad)[0], y: top[1] });
    label.textContent = box.tile;
    group.append(
      element("polygon", { points: box.quad.join(" ") }),
      element("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }),
      label,
    );
    group.box = box;
    return group;
  }

  #handles(quad, unit) {
    const group = element("g", { class: "handles" });
    const corners = quad.map(([x, y], i) => element("circle", { cx: x, cy: y, r: 6 * unit, "data-corner": i }));
    const [x, y] = this.#knob(quad, unit);
    group.append(...corners, element("circle", { cx: x, cy: y, r: 6 * unit, "data-turn": "" }));
    return group;
  }

  // Where the box is turned by: beyond the middle of the face's top.
  #knob(quad, unit) {
    const [mx, my] = middle(quad);
    const [x, y] = [(quad[0][0] + quad[1][0]) / 2, (quad[0][1] + quad[1][1]) / 2];
    const long = Math.hypot(x - mx, y - my) || 1;
    return [x + ((x - mx) / long) * 26 * unit, y + ((y - my) / long) * 26 * unit];
  }

  #toPicture(x, y) {
    return [(x - this.#at[0]) / this.#scale, (y - this.#at[1]) / this.#scale];
  }

  #pointer(event) {
    const { left, top } = this.#stage.getBoundingClientRect();
    return this.#toPicture(event.clientX - left - this.#stage.clientLeft, event.clientY - top - this.#stage.clientTop);
  }

  #place() {
    this.#canvas.style.transform = `translate(${this.#at[0]}px, ${this.#at[1]}px) scale(${this.#scale})`;
    this.#load();
    this.draw();
  }

  // As many pixels as the screen shows; more when zoomed in.
  #load() {
    const image = this.#image;
    if (!image?.width || image.missing) return;
    const long = Math.max(image.width, image.height);
    const side = Math.ceil(Math.min(long, LARGE, long * this.#scale * devicePixelRatio));
    if (side <= this.#side || (this.#side >= Math.min(long, LARGE))) return;
    this.#side = Math.max(side, Math.min(480, long));
    this.#img.src = `/api/images/${image.id}/picture?side=${this.#side}`;
  }

  async #explain() {
    const image = this.#image;
    const answer = await fetch(this.#img.src).catch(() => null);
    const said = answer && !answer.ok ? (await answer.json().catch(() => ({}))).detail : null;
    if (image !== this.#image) return;
    this.#absent.hidden = false;
    this.#absent.textContent = said ?? "The picture did not come; the server does not answer.";
  }

  #centre([x, y]) {
    this.pan(this.#stage.clientWidth / 2 - x * this.#scale - this.#at[0],
             this.#stage.clientHeight / 2 - y * this.#scale - this.#at[1]);
  }

  #reveal(box) {
    const [x, y] = middle(box.quad).map((value, axis) => value * this.#scale + this.#at[axis]);
    if (x < 0 || y < 0 || x > this.#stage.clientWidth || y > this.#stage.clientHeight) this.#centre(middle(box.quad));
  }

  #wheel(event) {
    event.preventDefault();
    const { left, top } = this.#stage.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - left, event.clientY - top);
  }

  #press(event) {
    if (event.button > 1 || !this.#image?.width) return;
    const start = this.#pointer(event);
    const screen = [event.clientX, event.clientY];
    const box = this.#drawing ? null : event.target.closest?.(".box")?.box ?? null;
    const drag = this.#gesture(event, box, start);
    if (box && box !== this.#selected) this.told.select(box);
    this.#stage.setPointerCapture(event.pointerId);
    let begun = false;
    const move = (next) => {
      begun ||= Math.hypot(next.clientX - screen[0], next.clientY - screen[1]) > SLIP;
      if (begun) drag.move(this.#pointer(next), next);
    };
    const end = (last) => {
      this.#stage.removeEventListener("pointermove", move);
      this.#stage.removeEventListener("pointerup", end);
      this.#stage.removeEventListener("pointercancel", end);
      if (begun && last.type === "pointerup") drag.end();
      else if (begun) drag.cancel?.();
      else if (!box && !drag.kept) this.told.select(null);
    };
    this.#stage.addEventListener("pointermove", move);
    this.#stage.addEventListener("pointerup", end);
    this.#stage.addEventListener("pointercancel", end);
  }

  // What a drag that begins here does.
  #gesture(event, box, start) {
    if (this.#drawing) return this.#drawBox(start);
    const { corner, turn } = event.target.dataset ?? {};
    const selected = this.#selected;
    if (selected && turn !== undefined) {
      const [x, y] = middle(selected.quad);
      const angle = (p) => (Math.atan2(p[1] - y, p[0] - x) * 180) / Math.PI;
      return this.#reshape(selected, (quad, point) => turned(quad, angle(point) - angle(start)));
    }
    if (selected && corner !== undefined) {
      const i = Number(corner);
      return this.#reshape(selected, (quad, point, free) =>
        free ? quad.map((place, k) => (k === i ? point : place)) : stretched(quad, i, point));
    }
    if (box && event.button === 0) {
      return this.#reshape(box, (quad, [x, y]) => moved(quad, x - start[0], y - start[1]));
    }
    return this.#panning(event);
  }

  #reshape(box, change) {
    const before = box.quad;
    return {
      kept: true,
      move: (point, event) => {
        box.quad = within(change(before, point, event.shiftKey), this.#image.width, this.#image.height);
        this.draw();
      },
      end: () => {
        const after = rounded(box.quad);
        box.quad = before;
        this.told.edit(box, after);
      },
      cancel: () => {
        box.quad = before;
        this.draw();
      },
    };
  }

  #drawBox(start) {
    let quad = null;
    return {
      kept: true,
      move: (point) => {
        quad = upright(start, point);
        this.draw();
        this.#svg.append(element("polygon", { class: "draft", points: quad.join(" ") }));
      },
      end: () => {
        this.drawing = false;
        this.told.draw(rounded(quad));
      },
      cancel: () => this.draw(),
    };
  }

  #panning(event) {
    let last = [event.clientX, event.clientY];
    return {
      move: (_, next) => {
        this.pan(next.clientX - last[0], next.clientY - last[1]);
        last = [next.clientX, next.clientY];
      },
      end: () => {},
    };
  }
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
