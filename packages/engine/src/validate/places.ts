/** What a condition asks of a field, or of each element of a list. */
const ASKED = {
  value: "What the operator compares with.",
  value_field: "Another field of the call to compare with, in place of value.",
  ignore_case: "Compares texts without regard to case.",
  schemes: "Schemes of URLs, for host_within. Default: http, https, ws and wss.",
  scheme: "optional: for host_within a text may begin with its host, such as example.com/a.",
  ports: "Ports of URLs, for host_within. Default: every port.",
  base: "The folder in which relative paths begin, for path_within.",
  base_field: "The argument that names the folder in which relative paths begin, in place of base.",
  redirect: "allow: commands may redirect, for runs and runs_only.",
  variables: "Variables that commands may assign to, for runs_only.",
  options: "listed: commands have no options but those that value names, for runs_only.",
} as const;

const GROUPS = {
  all: "Conditions that must all hold.",
  any: "Conditions of which one must hold.",
  not: "A condition that must not hold.",
} as const;

/**
 * Every place of a policy document that is a mapping with a closed list of keys. Each key has what an editor
 * tells people about it.
 */
export const PLACES = {
  policy: {
    called: "the policy",
    keys: {
      id: "Names the policy for good.",
      name: "A label for people.",
      agent_id: "Binds the policy to one agent when the policy is created.",
      governance_mode: "Whether decisions apply (enforcement), or are only recorded. Default: enforcement.",
      fail_closed: "Whether a tool that nothing allows is denied. Default: true.",
      lists:
        "Lists of values, by name. {list: <name>} stands for the values wherever a list of values may stand.",
      session: "Limits of one session.",
      cost: "Limits on what one session costs, and the prices of tools.",
      tools: "The tools that may be called, and those that may never be called.",
      detectors: "Own detectors, by name, for detects and redact.",
      rules: "Conditional rules, walked by priority.",
      rego: "A module in Rego, as text or as a mapping. Its messages deny calls, or ask for approvals.",
    },
  },
  rego: {
    called: "rego",
    keys: {
      module: "The module, as text. Its rules deny and require_approval yield messages.",
      data: "What the module reads as data.",
      workflow: "The id of the workflow that says who must approve what the module asks for.",
    },
  },
  session: {
    called: "session",
    keys: { max_steps: "Maximum number of allowed calls of one session." },
  },
  cost: {
    called: "cost",
    keys: {
      max_usd_per_session: "Maximum USD of one session, with at most 6 decimals.",
      tool_prices: "The price of one call in USD, by tool name or glob. The most specific glob counts.",
    },
  },
  tools: {
    called: "tools",
    keys: {
      allowed: "Globs of tools that may be called.",
      denied: "Globs of tools that may never be called, whatever a rule says.",
      read_only: "Globs of tools that an agent in quarantine may still call. It allows nothing by itself.",
    },
  },
  rule: {
    called: "a rule",
    keys: {
      id: "Names the rule in verdicts and audit rows. No two rules of a policy have the same id.",
      priority: "Rules with lower numbers come first. Default: 100.",
      valid_until: "The rule stops to apply at this time (RFC 3339).",
      match: "The calls that the rule is about.",
      action: "What happens to a call that matches.",
      message:
        "One line that ends the reason of a deny or a pause. It tells people and models what to do instead.",
      approval: "Who must approve, beside action: require_approval.",
      redact: "What to hide, beside action: redact.",
      constrain: "What to bound, set or remove, beside action: constrain.",
    },
  },
  detector: {
    called: "a detector",
    keys: { matches: "What it finds: a regular expression in RE2 syntax, or a list of them." },
  },
  guardrail: {
    called: "a guardrail",
    keys: {
      description: "What it is for.",
      detectors: "Built-in detectors that are part of it.",
      patterns: "Patterns of your own, each with a name and with texts to try it on.",
      allow: "Texts that count for nothing when they are all of a finding, such as numbers for tests.",
    },
  },
  guardrail_pattern: {
    called: "a pattern of a guardrail",
    keys: {
      name: "Names the pattern in what a test of the guardrail finds.",
      matches: "What it finds: a regular expression in RE2 syntax.",
      must_match: "Texts in which it must find something.",
      must_not_match: "Texts in which it must find nothing.",
    },
  },
  approval: {
    called: "approval",
    keys: {
      scope: "session: an approval holds in the session of the call (default). agent: in every session.",
      covers: "Arguments. An approval then holds for later calls with the same values of them, too.",
      workflow: "The id of the workflow that says who must approve.",
    },
  },
  match: {
    called: "match",
    keys: {
      tool: "A tool name or glob, or a list of them of which one must match. Default: every tool.",
      condition: "One condition.",
      ...GROUPS,
    },
  },
  condition: {
    called: "a condition",
    keys: {
      field: "What the condition looks at: args.<name>, args for all arguments, or a field of the call.",
      fields: "Several lists, whose elements every, any or count asks about.",
      operator: "How the field is judged.",
      value: ASKED.value,
      value_field: ASKED.value_field,
      ignore_case: ASKED.ignore_case,
      when_missing: "Whether a missing field counts as a match (match) or not (skip).",
      null: "missing: a null counts as a missing field.",
      every: "The operator must hold for all elements of the list. It holds for an empty list.",
      any: "The operator must hold for at least one element of the list.",
      count: "Judges how many elements the list has.",
      schemes: ASKED.schemes,
      scheme: ASKED.scheme,
      ports: ASKED.ports,
      base: ASKED.base,
      base_field: ASKED.base_field,
      redirect: ASKED.redirect,
      variables: ASKED.variables,
      options: ASKED.options,
    },
  },
  group: { called: "a group of conditions", keys: GROUPS },
  element: {
    called: "what is asked of elements",
    keys: {
      operator: "How each element, or their number, is judged.",
      ...ASKED,
    },
  },
  time: {
    called: "a time",
    keys: {
      days: "Days of the week, such as mon or mon-fri. Default: every day.",
      from: "The time of day at which the window begins, in quotes.",
      to: "The time of day at which the window ends, in quotes.",
      zone: "The time zone whose clocks count, such as Europe/Berlin.",
      after: "The time holds from here on (RFC 3339).",
      before: "The time holds until here (RFC 3339).",
    },
  },
  sql: {
    called: "the value of sql_only",
    keys: {
      dialect:
        "The dialect that the database speaks. Default: any, which judges what all dialects read alike.",
      statements: "The statements that are permitted.",
      tables: "The tables that statements may name. Default: every table.",
      functions: "Functions that statements may call, beside those that only compute.",
      columns:
        "Columns that statements may name after a dot, where PostgreSQL could call a function instead.",
      where: "required: an update or a delete must have a condition.",
      multiple: "allow: a text may hold more than one statement.",
    },
  },
  redact: {
    called: "redact",
    keys: {
      fields: "Arguments to hide. * is one member or element, ** any depth.",
      detectors: "What to look for in all arguments.",
      mask: "How a hidden value is written.",
      with: "The text that takes the place of a hidden value. Default: [redacted].",
      audit: "Whether the audit row masks the value as well (mask) or keeps it (keep). Default: mask.",
    },
  },
  constrain: {
    called: "constrain",
    keys: {
      max: "Upper bounds of numbers, by argument.",
      min: "Lower bounds of numbers, by argument.",
      set: "Values to set, by argument.",
      remove: "Arguments to remove. * is one member or element, ** any depth.",
    },
  },
} as const satisfies Record<
  string,
  { readonly called: string; readonly keys: Readonly<Record<string, string>> }
>;

export type PlaceName = keyof typeof PLACES;

export type KeyOf<Place extends PlaceName> = keyof (typeof PLACES)[Place]["keys"];

export function keysOf(place: PlaceName): readonly string[] {
  return KEYS.get(place) ?? [];
}

const KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(PLACES).map(([place, { keys }]) => [place, Object.keys(keys)]),
);

/** What a key says to people. */
export function descriptionOf(place: PlaceName, key: string): string {
  const descriptions: Readonly<Record<string, string>> = PLACES[place].keys;
  return descriptions[key] ?? "";
}
