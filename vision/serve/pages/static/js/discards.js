// Several winners on one discard: entered one after another, all of one turn.

/** The players who won on the discard of the hand entered last, where the rules let one more win on it. */
export function sharers(hands, ruleSet) {
  const first = hands.findLastIndex((hand) => !hand.same_discard);
  const several = ruleSet?.events.some(({ name }) => name === "three-winners");
  if (!several || first < 0 || hands[first].discarder === null || hands.length - first > 2) return [];
  return hands.slice(first).map((hand) => hand.winner);
}
