import type { JsonObject, JsonValue } from "@svc/text/json-value";
import fc from "fast-check";

/** Small policies and calls that often meet, for property tests. */

export const NAMES = ["amount", "path", "list", "a"] as const;
const TOOLS = ["pay.refund", "pay", "mail.send", "x"] as const;

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 9 }),
  fc.constantFrom("dev", "prod", "/srv/x", "a@b.example", "7", ""),
  fc.boolean(),
);
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("any")),
  ),
})).any;
export const args = fc.dictionary(fc.constantFrom(...NAMES), json) as fc.Arbitrary<JsonObject>;
export const tool = fc.constantFrom(...TOOLS);
export const callOn = fc.tuple(tool, args);

const field = fc.constantFrom("args.amount", "args.path", "args.list.0", "args.a.amount");
export const condition: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    field,
    operator: fc.constantFrom(">", ">=", "<", "<="),
    value: fc.integer({ min: -3, max: 9 }),
  }),
  fc.record({ field, operator: fc.constantFrom("==", "!=", "contains"), value: scalar }),
  fc.record({
    field,
    operator: fc.constantFrom("in", "not_in"),
    value: fc.constantFrom<JsonValue[]>(["dev", "7"], [1, 7], [true]),
  }),
  fc.record({
    field,
    operator: fc.constantFrom("starts_with", "ends_with"),
    value: fc.constantFrom("d", "/srv"),
  }),
  fc.record({ field, operator: fc.constant("matches"), value: fc.constantFrom("^d", "[0-9]+") }),
  fc.record({ field, operator: fc.constant("path_within"), value: fc.constantFrom("/srv", "x") }),
  fc.record({ field, operator: fc.constant("detects"), value: fc.constantFrom("pii.email", "secret.jwt") }),
);
export const presence: fc.Arbitrary<JsonObject> = fc.record({
  field,
  operator: fc.constantFrom("exists", "not_exists"),
});
const glob = fc.constantFrom("*", "pay.*", "*.send", "mail.send", "x");

const match = (of: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    fc.record({ tool: glob }),
    fc.record({ tool: glob, condition: of }),
    fc.record({ tool: glob, all: fc.array(of, { minLength: 1, maxLength: 2 }) }),
    fc.record({ tool: glob, any: fc.array(of, { minLength: 1, maxLength: 2 }) }),
  );
export interface Action extends JsonObject {
  readonly action: string;
}

export const ending = fc.constantFrom<Action>(
  { action: "deny" },
  { action: "require_approval" },
  { action: "allow" },
);
const rewriting = fc.constantFrom<Action>(
  { action: "redact", redact: { fields: ["args.path", "args.a.amount"], mask: "last4" } },
  { action: "redact", redact: { detectors: ["pii.email"] } },
  { action: "constrain", constrain: { max: { "args.amount": 3 }, set: { "args.a.path": "x" } } },
  { action: "constrain", constrain: { remove: ["args.list.0"], min: { "args.amount": 0 } } },
);

export const rulesOf = (
  actions: fc.Arbitrary<Action>,
  conditions: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<Action[]> =>
  fc
    .array(fc.tuple(match(conditions), actions, fc.integer({ min: 0, max: 3 })), { maxLength: 6 })
    .map((all) =>
      all.map(
        ([matching, action, priority], at): Action => ({
          id: `r${String(at)}`,
          priority,
          match: matching,
          ...action,
        }),
      ),
    );

export const anyRules = rulesOf(fc.oneof(ending, rewriting), fc.oneof(condition, presence));
export const policyOf = (rules: fc.Arbitrary<Action[]>) =>
  fc.record({
    id: fc.constant("p"),
    fail_closed: fc.boolean(),
    tools: fc.record({
      allowed: fc.array(glob, { maxLength: 2 }),
      denied: fc.array(fc.constantFrom("x", "mail.*"), { maxLength: 1 }),
    }),
    rules,
  });
