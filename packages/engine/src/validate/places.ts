/** Every place of a policy document that is a mapping with a closed list of keys. */
export const PLACES = {
  policy: {
    called: "the policy",
    keys: ["id", "name", "agent_id", "governance_mode", "fail_closed", "session", "cost", "tools", "rules"],
  },
  session: { called: "session", keys: ["max_steps"] },
  cost: { called: "cost", keys: ["max_usd_per_session", "tool_prices"] },
  tools: { called: "tools", keys: ["allowed", "denied"] },
  rule: {
    called: "a rule",
    keys: ["id", "priority", "valid_until", "match", "action", "message", "approval", "redact", "constrain"],
  },
  approval: { called: "approval", keys: ["workflow"] },
  match: { called: "match", keys: ["tool", "condition", "all", "any", "not"] },
  condition: {
    called: "a condition",
    keys: [
      "field",
      "fields",
      "operator",
      "value",
      "value_field",
      "ignore_case",
      "when_missing",
      "null",
      "every",
      "any",
      "count",
      "schemes",
      "ports",
      "base",
      "redirect",
      "variables",
    ],
  },
  group: { called: "a group of conditions", keys: ["all", "any", "not"] },
  element: {
    called: "what is asked of elements",
    keys: [
      "operator",
      "value",
      "value_field",
      "ignore_case",
      "schemes",
      "ports",
      "base",
      "redirect",
      "variables",
    ],
  },
  time: { called: "a time", keys: ["days", "from", "to", "zone", "after", "before"] },
  sql: {
    called: "the value of sql_only",
    keys: ["dialect", "statements", "tables", "where", "functions", "multiple"],
  },
  redact: { called: "redact", keys: ["fields", "detectors", "mask", "with", "audit"] },
  constrain: { called: "constrain", keys: ["max", "min", "set", "remove"] },
} as const satisfies Record<string, { readonly called: string; readonly keys: readonly string[] }>;

export type PlaceName = keyof typeof PLACES;

export function keysOf(place: PlaceName): readonly string[] {
  return PLACES[place].keys;
}

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

const { policy, session, cost, tools, rule, match, condition, redact, constrain } = PLACES;

function below(path: readonly string[], { keys }: { readonly keys: readonly string[] }): KnownPlace {
  return { written: `under ${path.join(".")}`, path, keys };
}

function outside(written: string, keys: readonly string[]): KnownPlace {
  return { written, path: [], keys };
}

const TOP = outside("to the top of the document", policy.keys);

const PROPER_PLACES: { readonly [place in PlaceName]?: readonly KnownPlace[] } = {
  policy: [
    below(["session"], session),
    below(["cost"], cost),
    below(["tools"], tools),
    outside("into a rule of the list rules", rule.keys),
    outside("into match of a rule", match.keys),
  ],
  session: [outside("under cost", cost.keys), TOP],
  cost: [outside("under session", session.keys), TOP],
  tools: [outside("under cost", cost.keys), TOP],
  rule: [
    below(["match"], match),
    below(["redact"], redact),
    below(["constrain"], constrain),
    below(["match", "condition"], condition),
    TOP,
  ],
  match: [below(["condition"], condition), outside("out of match, beside it", rule.keys)],
  condition: [
    outside("out of condition, beside it", ["tool"]),
    outside("out of match, beside it", rule.keys),
  ],
  redact: [outside("out of redact, beside it", rule.keys)],
  constrain: [outside("out of constrain, beside it", rule.keys)],
};
