// One picture as the person edits it, and how its decisions reach the server.

import { Refusal, ask } from "./api.js";

/** A picture's boxes and state here, ahead of the server by what is being saved. */
export class Editor {
  #dirty = false;
  #queued = null;

  /** detail: as the server gives it. saver: a Saver. */
  constructor(detail, saver) {
    this.saver = saver;
    this.#take(detail);
  }

  #take({ boxes, ...rest }) {
    Object.assign(this, rest);
    this.boxes = boxes.map((box, was) => ({ ...box, was }));
  }

  /** Save what is so now; edits that come while another save is under way go with it. Resolves with the
   * server's last answer; rejects with a Refusal. */
  save() {
    this.#dirty = true;
    this.#queued ??= this.saver.run(() => this.#send());
    return this.#queued;
  }

  async #send() {
    let answer = null;
    while (this.#dirty) {
      this.#dirty = false;
      try {
        answer = await this.#put();
      } catch (error) {
        this.#dirty = true; // repeated, unless it was refused
        if (error instanceof Refusal) this.#queued = null;
        throw error;
      }
    }
    this.#queued = null;
    return answer;
  }

  async #put() {
    const sent = [...this.boxes];
    const answer = await ask(`/api/images/${this.id}`, "PUT", {
      version: this.version,
      state: ["new", "reviewed", "rejected"].includes(this.state) ? this.state : null,
      boxes: sent.map(({ tile, quad, was }) => ({ tile, quad, was })),
    });
    this.version = answer.image.version;
    this.flags = answer.image.flags;
    // The boxes keep their identity: one may be selected, or edited again already.
    sent.forEach((box, was) => {
      const { tile, quad, ...kept } = answer.image.boxes[was];
      const again = box.tile !== tile || box.quad.some((corner, i) => Math.hypot(
        corner[0] - quad[i][0], corner[1] - quad[i][1]) > 0.1);
      Object.assign(box, kept, { was }, again ? { origin: "human", doubtful: false } : {});
    });
    return answer;
  }
}
