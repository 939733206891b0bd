// Requests, and the queue in which decisions are saved one after the other until the server has them.

const RETRY_MS = [500, 1000, 2000, 5000];

/** The server understood and refused; `message` is a sentence for the person. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The JSON answer. Throws Refusal for a 4xx, any other error when the request should be repeated. */
export async function ask(path, method = "GET", body = undefined) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  if (answer.ok) return answer.json();
  const sentence = (await answer.json().catch(() => ({}))).detail ?? `The server answered ${answer.status}.`;
  if (answer.status < 500) throw new Refusal(answer.status, sentence);
  throw new Error(sentence);
}

/** Saves in order. Each work is repeated until the server has answered it. */
export class Saver {
  #last = Promise.resolve();
  #waiting = 0;

  /** tell(text, failed): how it stands, in words. */
  constructor(tell) {
    this.tell = tell;
    addEventListener("beforeunload", (event) => {
      if (this.#waiting) event.preventDefault();
    });
  }

  /** Runs async `work` after all before it. Resolves with its answer, rejects when it is refused. */
  run(work) {
    this.#waiting += 1;
    this.tell("Saving…", false);
    const result = this.#last.then(() => this.#repeat(work));
    this.#last = result.catch(() => {}).finally(() => {
      this.#waiting -= 1;
      if (!this.#waiting) this.tell("All saved", false);
    });
    return result;
  }

  async #repeat(work) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Refusal) throw error;
        const said = error.name === "TypeError" || error.name === "TimeoutError"
          ? "The server does not answer." : error.message;
        this.tell(`Not saved yet. ${said} Trying again…`, true);
        await new Promise((done) => setTimeout(done, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]));
      }
    }
  }
}
