// A result to pass on: a link that holds the hand, plain text, or a picture. Never the photo.

import { picture } from "./picture.js";
import { signed } from "./result.js";
import { fanWords, say, windWords } from "./words.js";

/** The page's address with the hand behind `#`: no server sees it before the page is opened. */
export function linkOf(answer, request) {
  const kept = new URLSearchParams({ hand: answer.hand, rules: request.rules });
  if (request.edition) kept.set("edition", request.edition);
  for (const event of request.events) kept.append("event", event);
  const { wild, gold, dealer, streak, discarder, responsible } = request;
  const named = { wild, gold, dealer, streak, discarder, responsible };
  for (const [name, value] of Object.entries({ ...named, ...request.options })) {
    if (value !== undefined && value !== null) kept.set(`option.${name}`, String(value));
  }
  return `${location.origin}/#${kept}`;
}

/** What `linkOf` put behind `#`, or null: {hand, rules, edition, events, options}. */
export function shared(fragment) {
  const kept = new URLSearchParams(fragment.replace(/^#/, ""));
  if (!kept.get("hand")) return null;
  const options = [...kept].filter(([key]) => key.startsWith("option."));
  return {
    hand: kept.get("hand"),
    rules: kept.get("rules") ?? "mcr",
    edition: kept.get("edition"),
    events: kept.getAll("event"),
    options: Object.fromEntries(options.map(([key, value]) => [key.slice(7), value])),
  };
}

/** Options from a link have come as text: those that the rule set has, in their own types. */
export function typed(options, ruleSet) {
  const kinds = new Map(ruleSet.options.map((option) => [option.name, option.kind]));
  return Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => kinds.has(name) && name !== "discarder")
      .map(([name, text]) => {
        const kind = kinds.get(name);
        return [name, kind === "number" ? Number(text) : kind === "flag" ? text === "true" : text];
      }),
  );
}

/** The result in words. */
export function textOf(answer, link) {
  const fans = answer.fans.map(
    (fan) => `${fan.points * fan.count}  ${fanWords(fan)}${fan.count > 1 ? ` × ${fan.count}` : ""}`,
  );
  const paid = (answer.payments ?? []).map(
    (row) => `${row.seat ? windWords(row.seat) : say(`role.${row.role}`)} ${signed(row.amount)}`,
  );
  return [
    say("headline", { n: answer.total }),
    answer.hand,
    ...fans,
    answer.legal ? paid.join(", ") : say("below", { minimum: answer.minimum }),
    link,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Hand on with the phone's own means, else to the clipboard. Resolves to what to tell the person, or "". */
export async function pass(what, text) {
  if (navigator.share) {
    try {
      await navigator.share(what === "link" ? { title: "hupai", url: text } : { title: "hupai", text });
      return "";
    } catch (error) {
      if (error.name === "AbortError") return "";
    }
  }
  return (await copy(text)) ? say("copied") : say("not-copied");
}

/** The picture: shared where files can be, else saved. */
export async function passPicture(hand, answer) {
  const canvas = await picture(hand, answer);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const file = new File([blob], "hupai.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: "hupai" });
      return "";
    } catch (error) {
      if (error.name === "AbortError") return "";
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return say("saved");
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers give the clipboard to secure pages only; on a LAN address the old way is left.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
