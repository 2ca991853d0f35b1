import { keysOf, type PlaceName } from "./places.ts";

/** Where a key belongs. */
export interface ProperPlace {
  /** As told to people. */
  readonly written: string;
  /** The keys that lead there from where it was found; empty for a place above or beside it. */
  readonly path: readonly string[];
}

/**
 * Where a key belongs that stands at the wrong place, as people write it; null when it belongs nowhere else.
 */
export function properPlace(key: string, found: PlaceName): ProperPlace | null {
  return PROPER_PLACES[found]?.find(({ keys }) => keys.includes(key)) ?? null;
}

interface KnownPlace extends ProperPlace {
  readonly keys: readonly string[];
}

function below(path: readonly string[], place: PlaceName): KnownPlace {
  return { written: `under ${path.join(".")}`, path, keys: keysOf(place) };
}

function outside(written: string, keys: readonly string[]): KnownPlace {
  return { written, path: [], keys };
}

const TOP = outside("to the top of the document", keysOf("policy"));

const PROPER_PLACES: { readonly [place in PlaceName]?: readonly KnownPlace[] } = {
  policy: [
    below(["session"], "session"),
    below(["cost"], "cost"),
    below(["tools"], "tools"),
    outside("into a rule of the list rules", keysOf("rule")),
    outside("into match of a rule", keysOf("match")),
  ],
  session: [outside("under cost", keysOf("cost")), TOP],
  cost: [outside("under session", keysOf("session")), TOP],
  tools: [outside("under cost", keysOf("cost")), TOP],
  rule: [
    below(["match"], "match"),
    below(["redact"], "redact"),
    below(["constrain"], "constrain"),
    below(["approval"], "approval"),
    below(["match", "condition"], "condition"),
    TOP,
  ],
  match: [below(["condition"], "condition"), outside("out of match, beside it", keysOf("rule"))],
  condition: [
    outside("out of condition, beside it", ["tool"]),
    outside("out of match, beside it", keysOf("rule")),
  ],
  redact: [outside("out of redact, beside it", keysOf("rule"))],
  constrain: [outside("out of constrain, beside it", keysOf("rule"))],
};
