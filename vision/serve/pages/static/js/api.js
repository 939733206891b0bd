// The server's JSON API; the pages use nothing else.

import { language } from "./words.js";

/** A refusal, with one sentence for the person. */
export class Refused extends Error {
  constructor(status, detail, code = "", retryAfter = 0) {
    super(detail);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

async function call(path, { method = "GET", body = null, signal = null } = {}) {
  const headers = { "Accept-Language": language(), Accept: "application/json" };
  const sent = body !== null && !(body instanceof FormData);
  if (sent) headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api${path}`, {
    method,
    headers,
    signal,
    body: sent ? JSON.stringify(body) : body,
  });
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  const problem = await answer.json().catch(() => ({}));
  throw new Refused(
    answer.status,
    typeof problem.detail === "string" ? problem.detail : `${answer.status} ${answer.statusText}`,
    problem.code ?? "",
    Number(answer.headers.get("Retry-After") ?? 0),
  );
}

const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
const TRIES = 4; // a busy server says when to come again; a table of four is served long before this

export const rules = () => call("/rules");
export const service = () => call("/service");
export const score = (request, signal) => call("/score", { method: "POST", body: request, signal });

/** Read a photo; waits where the server is busy. */
export async function read(photo, name, said, signal) {
  for (let attempt = 1; ; attempt += 1) {
    const form = new FormData();
    for (const [key, value] of Object.entries(said)) form.append(key, String(value));
    form.append("photo", photo, name);
    try {
      return await call("/read", { method: "POST", body: form, signal });
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 503 || attempt === TRIES) throw error;
      await wait(Math.min(error.retryAfter || 1, 10));
    }
  }
}

/** Keep a corrected photo, for those who asked for that. */
export function keep(photo, name, layout) {
  const form = new FormData();
  form.append("photo", photo, name);
  form.append("layout", JSON.stringify(layout));
  form.append("keep", "true");
  return call("/corrections", { method: "POST", body: form });
}

const path = (table, rest = "") => `/tables/${encodeURIComponent(table)}${rest}`;
export const createTable = (request) => call("/tables", { method: "POST", body: request });
export const table = (id) => call(path(id));
export const addHand = (id, hand) => call(path(id, "/hands"), { method: "POST", body: hand });
export const addDraw = (id, expected) => call(path(id, "/draws"), { method: "POST", body: { expected } });
export const undo = (id, expected) =>
  call(path(id, `/hands/last?expected=${expected}`), { method: "DELETE" });
export const csvLink = (id) => `/api${path(id, "/table.csv")}`;
export const qrLink = (id) => `/api${path(id, "/qr.svg")}`;
