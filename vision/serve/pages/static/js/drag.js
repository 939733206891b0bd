// Dragging tiles between places, by finger or mouse. All of it can be done with buttons as well (sheet.js).

import { find } from "./dom.js";

/** A finger that rests this long (ms) picks the tile up; before that it scrolls the page. */
const HOLD = 220;
/** Pixels that a mouse moves, or a resting finger may not, before it counts. */
const STEP = 8;

const listening = new WeakSet();

/** Let tiles (`data-key`) inside `root` be dropped on places (`data-place`): drop(key, place, before or null). */
export function draggable(root, drop) {
  root.drop = drop;
  if (listening.has(root)) return;
  listening.add(root);
  let held = null;

  const end = (event) => {
    if (!held) return;
    clearTimeout(held.timer);
    const { active, ghost, key } = held;
    held = null;
    document.body.classList.remove("dragging");
    ghost?.remove();
    mark(null);
    if (!active) return;
    // The click that follows would open the tile's sheet.
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
    if (event.type === "pointerup") {
      const under = below(event);
      if (under.place) root.drop(key, under.place, under.before === key ? null : under.before);
    }
  };

  root.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("[data-key]");
    if (!button || event.button !== 0) return;
    held = { key: button.dataset.key, button, x: event.clientX, y: event.clientY, active: false };
    if (event.pointerType !== "mouse") held.timer = setTimeout(() => held && pickUp(held), HOLD);
  });
  addEventListener("pointermove", (event) => {
    if (!held) return;
    const moved = Math.hypot(event.clientX - held.x, event.clientY - held.y) > STEP;
    if (!held.active && moved) {
      if (event.pointerType === "mouse") pickUp(held);
      else end(event);
    }
    if (!held?.active) return;
    held.ghost.style.transform = `translate(${event.clientX - 22}px, ${event.clientY - 60}px)`;
    mark(below(event).area);
  });
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
  // A finger that holds a tile must not scroll the page.
  root.addEventListener("touchmove", (event) => held?.active && event.preventDefault(), { passive: false });
  root.addEventListener("contextmenu", (event) => held?.active && event.preventDefault());
}

function pickUp(held) {
  held.active = true;
  held.ghost = held.button.cloneNode(true);
  held.ghost.removeAttribute("id");
  held.ghost.setAttribute("aria-hidden", "true");
  held.ghost.tabIndex = -1;
  held.ghost.classList.add("ghost");
  held.ghost.style.transform = `translate(${held.x - 22}px, ${held.y - 60}px)`;
  document.body.append(held.ghost);
  document.body.classList.add("dragging");
}

function below(event) {
  const element = document.elementFromPoint(event.clientX, event.clientY);
  const area = element?.closest("[data-place]") ?? null;
  return { area, place: area?.dataset.place, before: element?.closest("[data-key]")?.dataset.key ?? null };
}

function mark(area) {
  find(".area.over")?.classList.remove("over");
  area?.classList.add("over");
}

function swallow(event) {
  event.preventDefault();
  event.stopPropagation();
}
