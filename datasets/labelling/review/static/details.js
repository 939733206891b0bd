// What is said beside the picture: its state, its flags, its tiles as a list.

import { title } from "./tiles.js";

const STATES = { new: "To do", reviewed: "Accepted", rejected: "Rejected", failed: "Could not be read" };
const by = (id) => document.getElementById(id);

export class Details {
  /** told: {select(box)} */
  constructor(told) {
    by("boxes").addEventListener("click", (event) => {
      const box = event.target.closest("button")?.box;
      if (box) told.select(box);
    });
  }

  show(image, selected) {
    by("details").hidden = !image;
    if (!image) return;
    by("source").textContent = image.source;
    by("facts").textContent = [
      STATES[image.state], image.width ? `${image.width} × ${image.height}` : null,
      image.split, image.missing ?? image.reason,
    ].filter(Boolean).join(" · ");
    by("flags").replaceChildren(...image.flags.map((flag) => {
      const item = document.createElement("li");
      item.textContent = flag.holds ? flag.means : `${flag.means}: not any more`;
      item.classList.toggle("settled", !flag.holds);
      return item;
    }));
    by("reopen").hidden = !["reviewed", "rejected"].includes(image.state);
    for (const id of ["rename", "delete"]) by(id).disabled = !selected;
    by("add").disabled = !image.width;
    by("accept").disabled = !image.width;
    const doubtful = image.boxes.filter((box) => box.doubtful).length;
    by("box-count").textContent = `${image.boxes.length}${doubtful ? `, ${doubtful} doubtful` : ""}`;
    by("boxes").replaceChildren(...image.boxes.map((box) => row(box, box === selected)));
  }
}

/** A box in words. */
export function describe(box) {
  const sure = box.origin === "human" ? "by hand" : `${Math.round(box.confidence * 100)} %`;
  return `${title(box.tile)}, ${sure}${box.doubtful ? ", doubtful" : ""}`;
}

function row(box, selected) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.box = box;
  button.textContent = describe(box);
  button.classList.toggle("doubtful", box.doubtful);
  button.setAttribute("aria-pressed", String(selected));
  item.append(button);
  return item;
}
