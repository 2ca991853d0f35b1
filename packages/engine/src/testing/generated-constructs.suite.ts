import type { JsonObject, JsonValue } from "@svc/text/json-value";
import fc from "fast-check";

/** Policies of every construct of the language, and calls that often meet them. */

const MEMBERS = ["amount", "path", "list", "a", "x.y", "cc"] as const;
const TEXTS = [
  "dev",
  "DEV",
  "prod",
  "/srv/x",
  "a@b.example",
  "CHK-7",
  "7",
  "",
  " ",
  "de",
  "v",
  "k",
  "{}",
  "\u212a",
  "true",
] as const;

const scalar = fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constantFrom(...TEXTS), fc.boolean());
const json: fc.Arbitrary<JsonValue> = fc.letrec<{ any: JsonValue }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.constant(null),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.array(fc.constantFrom(...TEXTS), { maxLength: 3 }),
    fc.array(fc.dictionary(fc.constantFrom("amount", "path"), scalar), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...MEMBERS), tie("any")),
  ),
})).any;

export const anyArgs = fc.dictionary(fc.constantFrom(...MEMBERS), json) as fc.Arbitrary<JsonObject>;
export const anyTool = fc.constantFrom("pay.refund", "pay", "mail.send", "x");

const place = fc.constantFrom(
  "args.amount",
  "args.path",
  "args.list.0",
  "args.a.amount",
  'args.a."x.y"',
  "args.cc",
);
const fold = fc.constantFrom<JsonObject>({}, {}, { ignore_case: true }, { ignore_case: false });
const text = fc.constantFrom("dev", "De", "/srv", "a@", "7", "k", "v");
const oneOrMore = (one: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> =>
  fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 3 }));
const patterns = oneOrMore(fc.constantFrom("^d", "[0-9]+", "dev|prod", "v"));

const detector = fc.constantFrom("pii.email", "secret.jwt", "chk", "seven");

const order = fc.constantFrom(">", ">=", "<", "<=");
const merged = (...parts: readonly fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as JsonObject);

const onlyNames = fc.record({
  operator: fc.constant("only_names"),
  value: fc.constantFrom<JsonValue>("amount", ["amount", "path"], [...MEMBERS.slice(0, 4), '"x.y"'], []),
});

/** What an operator asks, without the field. */
const tests = fc.oneof(
  fc.record({ operator: order, value: fc.integer({ min: -3, max: 9 }) }),
  merged(fc.record({ operator: fc.constantFrom("==", "!="), value: scalar }), fold),
  merged(
    fc.record({
      operator: fc.constantFrom("in", "not_in"),
      value: fc.constantFrom<JsonValue[]>(["dev", "7"], [1, 7], [true], ["k"]),
    }),
    fold,
  ),
  merged(fc.record({ operator: fc.constant("contains"), value: oneOrMore(scalar) }), fold),
  merged(fc.record({ operator: fc.constantFrom("starts_with", "ends_with"), value: oneOrMore(text) }), fold),
  merged(fc.record({ operator: fc.constantFrom("matches", "matches_all"), value: patterns }), fold),
  fc.record({ operator: fc.constant("path_within"), value: fc.constantFrom("/srv", "x") }),
  fc.record({
    operator: fc.constant("path_within"),
    value: fc.constantFrom("/srv", "/srv/x/dev"),
    base_field: place,
  }),
  fc.record({ operator: fc.constant("detects"), value: oneOrMore(detector) }),
  fc.record({ operator: fc.constantFrom("exists", "not_exists", "not_empty") }),
  onlyNames,
  fc.record({ operator: fc.oneof(order, fc.constantFrom("==", "!=")), value_field: place }),
  merged(
    fc.record({
      operator: fc.constantFrom("==", "contains", "starts_with", "ends_with"),
      value_field: place,
    }),
    fold,
  ),
);

const elements = fc.oneof(
  fc.record({ field: fc.constantFrom("args.list", "args.list.*.amount", "args.a.*", "args.cc.*.path") }),
  fc.record({
    fields: fc.constantFrom<JsonValue[]>(["args.list", "args.cc"], ["args.list.*.path", "args.cc"]),
  }),
);
const counts = fc.record({
  operator: fc.oneof(order, fc.constant("==")),
  value: fc.integer({ min: 0, max: 3 }),
});
const quantified = fc.oneof(
  fc.record({ every: tests }),
  fc.record({ any: tests }),
  fc.record({ count: counts }),
);

const allArguments = merged(fc.record({ field: fc.constant("args") }), onlyNames);

const onNull = fc.constantFrom<JsonObject>({}, {}, { null: "missing" });
const question = fc.oneof(
  { weight: 3, arbitrary: merged(fc.record({ field: place }), tests, onNull) },
  { weight: 2, arbitrary: merged(elements, quantified, onNull) },
  allArguments,
  merged(
    fc.record({ field: fc.constantFrom("agent_id", "tool") }),
    fc.constantFrom<JsonObject>(
      { operator: "==", value: "a" },
      { operator: "starts_with", value: ["pay", "b"] },
    ),
  ),
);
const whenMissing = fc.constantFrom<JsonObject>({}, { when_missing: "match" }, { when_missing: "skip" });
const anywhere = merged(
  fc.record({ field: fc.constant("args") }),
  fc.oneof(
    merged(fc.record({ operator: fc.constant("contains"), value: oneOrMore(scalar) }), fold),
    merged(fc.record({ operator: fc.constantFrom("matches", "matches_all"), value: patterns }), fold),
    fc.record({ operator: fc.constant("detects"), value: oneOrMore(detector) }),
  ),
);
const restricting = fc.oneof({ weight: 4, arbitrary: merged(question, whenMissing) }, anywhere);

const nested = (leaf: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.letrec<{ any: JsonObject }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.record({ all: fc.array(tie("any"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ any: fc.array(tie("any"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie("any") }),
    ),
  })).any;

const glob = fc.constantFrom("*", "pay.*", "*.send", "mail.send", "x");
const tools = fc.record({ tool: oneOrMore(glob) });

/** `match` takes groups as they are, and one question under `condition`. */
const matchOf = (condition: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.oneof(tools, {
    weight: 4,
    arbitrary: merged(
      tools,
      condition.map((one) => ("field" in one || "fields" in one ? { condition: one } : one)),
    ),
  });

const answering = fc.constantFrom<JsonObject>(
  { action: "deny" },
  { action: "require_approval" },
  { action: "require_approval", approval: { workflow: "finance" } },
  { action: "require_approval", approval: { workflow: "board" } },
);
const rewriting = fc.constantFrom<JsonObject>(
  { action: "redact", redact: { fields: ["args.path", "args.a.amount"], mask: "last4" } },
  { action: "redact", redact: { detectors: ["pii.email"] } },
  { action: "redact", redact: { detectors: ["pii.email", "chk"] } },
  { action: "redact", redact: { detectors: "seven" } },
  { action: "constrain", constrain: { max: { "args.amount": 3 }, set: { "args.a.path": "x" } } },
  { action: "constrain", constrain: { remove: ["args.list.0"], min: { "args.amount": 0 } } },
);
const rule = fc.oneof(
  merged(
    fc.record({ match: matchOf(nested(restricting)) }),
    fc.oneof({ weight: 2, arbitrary: answering }, rewriting),
  ),
  fc.record({ match: matchOf(nested(question)), action: fc.constant("allow") }),
);

export const anyPolicy = fc.record({
  id: fc.constant("p"),
  fail_closed: fc.boolean(),
  detectors: fc.constant({ chk: { matches: "CHK-[0-9]+|de" }, seven: { matches: ["7"] } }),
  tools: fc.record({
    allowed: fc.array(glob, { maxLength: 2 }),
    denied: fc.array(fc.constantFrom("x", "mail.*"), { maxLength: 1 }),
  }),
  rules: fc
    .array(fc.tuple(rule, fc.integer({ min: 0, max: 3 })), { maxLength: 6 })
    .map((all) => all.map(([one, priority], at): JsonObject => ({ id: `r${String(at)}`, priority, ...one }))),
});
