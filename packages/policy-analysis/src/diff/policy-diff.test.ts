import { decidingDocument } from "@svc/engine/document-parts";
import { readPolicy } from "@svc/engine/read-policy";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffPolicies } from "./policy-diff.ts";
import { renderChanges } from "./render-diff.ts";

const RULES = [
  { id: "ask", priority: 10, match: { tool: "pay.*", condition: over("args.amount", 500) }, action: "deny" },
  {
    id: "team/x",
    match: { all: [over("args.a", 1), { field: "args.b", operator: "in", value: ["x", "y"] }] },
    action: "require_approval",
  },
  { id: "hide", match: { tool: "mail.*" }, action: "redact", redact: { fields: ["args.a", "args.b"] } },
  { id: "cap", action: "constrain", match: {}, constrain: { max: { "args.amount": 5 }, remove: ["args.z"] } },
];

const DOCUMENT = {
  id: "p",
  name: "Payments",
  agent_id: "a",
  governance_mode: "shadow",
  fail_closed: false,
  session: { max_steps: 10 },
  cost: { max_usd_per_session: "2.50", tool_prices: { "pay.*": 0.1, "*": "0.01" } },
  tools: { allowed: ["a.*", "b"], denied: ["c"] },
  rules: RULES,
};

function over(field: string, value: number): JsonObject {
  return { field, operator: ">", value };
}

/** Sets one member of a copy; undefined removes it. */
function withChange(path: readonly (string | number)[], value: JsonValue | undefined): JsonObject {
  const copy = structuredClone(DOCUMENT) as JsonObject;
  let at: Record<string | number, unknown> = copy;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  const last = path.at(-1) ?? "";
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

type Mutation = [(string | number)[], JsonValue | undefined, string, string];

const MUTATIONS: Mutation[] = [
  [["name"], "Other", "changed field", "/name"],
  [["name"], undefined, "removed field", "/name"],
  [["agent_id"], "b", "changed field", "/agent_id"],
  [["governance_mode"], "audit_only", "changed mode", "/governance_mode"],
  [["governance_mode"], undefined, "changed mode", "/governance_mode"],
  [["fail_closed"], true, "changed field", "/fail_closed"],
  [["fail_closed"], undefined, "changed field", "/fail_closed"],
  [["session", "max_steps"], 11, "changed ceiling", "/session/max_steps"],
  [["session"], undefined, "removed ceiling", "/session/max_steps"],
  [["cost", "max_usd_per_session"], 2.6, "changed ceiling", "/cost/max_usd_per_session"],
  [["cost", "max_usd_per_session"], undefined, "removed ceiling", "/cost/max_usd_per_session"],
  [["cost", "tool_prices", "pay.*"], 0.2, "changed price", "/cost/tool_prices/pay.*"],
  [["cost", "tool_prices", "x/y"], 1, "added price", "/cost/tool_prices/x~1y"],
  [["tools", "allowed", 2], "z", "added tools", "/tools/allowed"],
  [["tools", "denied"], undefined, "removed tools", "/tools/denied"],
  [["rules", 0, "priority"], 11, "changed rule", "/rules/ask/priority"],
  [["rules", 0, "match", "tool"], "pay.x", "changed rule", "/rules/ask/match/tool"],
  [["rules", 0, "match", "tool"], undefined, "changed rule", "/rules/ask/match/tool"],
  [["rules", 0, "match", "condition", "value"], 501, "changed rule", "/rules/ask/match/condition/value"],
  [["rules", 0, "action"], "allow", "changed rule", "/rules/ask/action"],
  [["rules", 1, "match", "all", 0, "value"], 2, "changed rule", "/rules/team~1x/match/all/0/value"],
  [["rules", 1, "match", "all", 1, "value", 0], "z", "changed rule", "/rules/team~1x/match/all/1/value/0"],
  [["rules", 1, "match", "all", 1, "value", 2], "z", "changed rule", "/rules/team~1x/match/all/1/value"],
  [["rules", 2, "redact", "fields", 1], "args.c", "changed rule", "/rules/hide/redact/fields/1"],
  [["rules", 2, "redact", "mask"], "last4", "added rule", "/rules/hide/redact/mask"],
  [
    ["rules", 3, "constrain", "max", "args.amount"],
    6,
    "changed rule",
    "/rules/cap/constrain/max/args.amount",
  ],
  [["rules", 4], { id: "new", match: {}, action: "deny" }, "added rule", "/rules/new"],
  [["rules"], RULES.slice(0, 3), "removed rule", "/rules/cap"],
  [["rules"], [...RULES.slice(0, 2), ...RULES.slice(2).toReversed()], "moved rule", "/rules/hide"],
];

const SAME: [string, (string | number)[], JsonValue | undefined][] = [
  ["the order of a tool list", ["tools", "allowed"], ["b", "a.*", "b"]],
  ["another spelling of an amount", ["cost", "max_usd_per_session"], 2.5],
  ["another spelling of a price", ["cost", "tool_prices", "*"], 0.01],
  ["a list of one condition", ["rules", 0, "match"], { tool: "pay.*", any: [over("args.amount", 500)] }],
  ["a default priority", ["rules", 2, "priority"], 100],
  ["a default tool", ["rules", 3, "match", "tool"], "*"],
  ["the order of rules of different priorities", ["rules"], [...RULES.slice(1), ...RULES.slice(0, 1)]],
];

describe("two versions of a policy", () => {
  // proves POL-63
  it.each(MUTATIONS)("that differ in %j: %j", (path, value, what, changed) => {
    const found = diffPolicies(DOCUMENT, withChange(path, value));
    expect(found.map((each) => [`${each.kind} ${each.section}`, each.path])).toEqual([[what, changed]]);
    expect(diffPolicies(withChange(path, value), DOCUMENT)).toHaveLength(1);
  });

  // proves POL-63
  it.each(SAME)("do not differ by %s", (_name, path, value) => {
    expect(diffPolicies(DOCUMENT, withChange(path, value))).toEqual([]);
  });

  it("show what was and what is", () => {
    const changes = [
      ...diffPolicies(DOCUMENT, withChange(["governance_mode"], "enforcement")),
      ...diffPolicies(DOCUMENT, withChange(["tools", "allowed"], ["b", "m\u0000\u202e"])),
      ...diffPolicies(DOCUMENT, withChange(["rules"], RULES.toReversed())),
    ];
    expect(renderChanges(changes).split("\n")).toEqual([
      '~ /governance_mode: "shadow" -> "enforcement"',
      '- /tools/allowed: "a.*"',
      '+ /tools/allowed: "m\\u0000\\u202e"',
      "> /rules/team~1x: place 2 -> 4",
      "> /rules/hide: place 3 -> 3",
      "",
    ]);
  });
});

/** Documents of few fields with few values, so that two of them are often the same but for the order. */
const documents: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      governance_mode: fc.constantFrom("enforcement", "shadow"),
      fail_closed: fc.boolean(),
      session: fc.constantFrom<JsonValue>({ max_steps: 4 }, { max_steps: 3 }),
      tools: fc.record({ allowed: fc.shuffledSubarray(["a.*", "b", "c"], { minLength: 1 }) }),
      rules: fc.shuffledSubarray(
        [
          { id: "one", match: { tool: "a.*" }, action: "allow" },
          { id: "two", match: { tool: "b" }, action: "deny", priority: 100 },
          { id: "three", match: { tool: "*" }, action: "require_approval", priority: 5 },
        ],
        { minLength: 1 },
      ),
    },
    { requiredKeys: [] },
  )
  .map((fields) => ({ id: "p", ...fields }));

function readingOf(source: string) {
  const reading = readPolicy(source);
  if (!reading.ok) throw new Error("expected a valid document");
  return reading;
}

/** What a document means, in one spelling. */
function meaning(document: JsonObject): string {
  const reading = readingOf(JSON.stringify(document));
  const { head, allowed, denied, rules } = decidingDocument(reading.document);
  const parts = { head, allowed: allowed.toSorted(), denied: denied.toSorted(), rules: [...rules] };
  return canonicalJson(JSON.parse(JSON.stringify(parts)) as JsonValue);
}

describe("any two documents", () => {
  // proves POL-63
  it("have no difference exactly when they mean the same", () => {
    fc.assert(
      fc.property(documents, documents, (one, other) => {
        expect(diffPolicies(one, one)).toEqual([]);
        expect(diffPolicies(one, other).length === 0).toBe(meaning(one) === meaning(other));
      }),
      { numRuns: runs(2_000, 20_000) },
    );
  });
});

describe("lists that have a name", () => {
  const POLICY = `
id: p
lists:
  team: [ann@acme.example]
  known: [{list: team}, bob@acme.example]
tools: {allowed: [mail.send]}
rules:
  - id: strangers
    match: {tool: mail.send, condition: {field: args.to, operator: not_in, value: {list: known}}}
    action: deny
`;

  // proves POL-76
  it("differ where their values do, and not by their name", () => {
    const valueOf = (text: string) => readingOf(text).value;
    const before = valueOf(POLICY);
    expect(diffPolicies(before, valueOf(POLICY.replaceAll("team", "staff")))).toEqual([]);
    const changes = diffPolicies(before, valueOf(POLICY.replace("[ann@", "[eve@")));
    expect(changes.map(({ path }) => path)).toEqual(["/rules/strangers/match/condition/value/0"]);
  });
});
