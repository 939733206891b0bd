// The keys, in one table: what each does, for the help too. Capitals and a to h are names of tiles.

/** [keys as pressed, keys as shown, what they do, name of the action] */
export const KEYS = [
  [["Enter"], "Enter", "accept the picture, go to the next", "accept"],
  [["x"], "x", "reject the picture, go to the next", "reject"],
  [["r"], "r", "back to do", "reopen"],
  [["j"], "j", "next picture", "nextPicture"],
  [["k"], "k", "previous picture", "previousPicture"],
  [["n"], "n", "next doubtful tile", "nextDoubtful"],
  [["p"], "p", "previous doubtful tile", "previousDoubtful"],
  [[], "5 m, C, a …", "name the selected tile", null],
  [["t"], "t", "choose a name, likeliest first", "rename"],
  [["q"], "q", "not legible (the name ?)", "unnamed"],
  [["i"], "i", "add a box: drag it, or press i again for one in the middle", "add"],
  [["Delete", "Backspace"], "Del", "delete the selected box", "delete"],
  [["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], "← → ↑ ↓",
    "move the selected box (Shift: by 10); without one, the picture", "arrow"],
  [["<", ">"], "< >", "narrower, wider", "widen"],
  [["(", ")"], "( )", "lower, higher", "heighten"],
  [["[", "]"], "[ ]", "turn by a degree", "turn"],
  [["{", "}"], "{ }", "which side of the face is its top", "roll"],
  [["+", "="], "+", "zoom in (or the wheel)", "zoomIn"],
  [["-"], "-", "zoom out", "zoomOut"],
  [["0"], "0", "whole picture", "fit"],
  [["v"], "v", "the selected box from near", "closeUp"],
  [["o"], "o", "boxes on and off", "toggleBoxes"],
  [["u"], "u, Ctrl+Z", "undo, on whatever picture it was", "undo"],
  [["y"], "y, Ctrl+Y", "redo", "redo"],
  [["w"], "w", "wall of tiles, and back", "toggleWall"],
  [["Escape"], "Esc", "select nothing", "escape"],
  [["?"], "?", "these keys", "help"],
];

const ACTIONS = new Map(KEYS.flatMap(([pressed, , , action]) => pressed.map((key) => [key, action])));
const TEXT = "input:not([type=checkbox]), select, textarea, [contenteditable], dialog";

/** Call actions[name](event) for the keys, and named(tile) for a tile that is typed.
 *
 * typed: a Typed. on(): whether single keys work. */
export function listen(actions, typed, named, on) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    if (event.target.closest?.(TEXT)) return;
    if (event.ctrlKey || event.metaKey) {
      const key = event.key.toLowerCase();
      if (key === "z") run(event, event.shiftKey ? "redo" : "undo");
      else if (key === "y") run(event, "redo");
      return;
    }
    if (!on()) return;
    // A button that has the focus is pressed by Enter, and not the picture accepted.
    if (event.key === "Enter" && event.target.closest?.("button, a")) return;
    const tile = typed.feed(event.key);
    if (tile === null) {
      if (ACTIONS.has(event.key)) run(event, ACTIONS.get(event.key));
    } else if (named(tile)) {
      event.preventDefault();
    }
  });

  function run(event, action) {
    event.preventDefault();
    actions[action](event);
  }
}
