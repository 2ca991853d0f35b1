import type { JsonObject, JsonValue } from "@svc/text/json-value";
import fc from "fast-check";
import { AGENTS, STOPPED_SESSION, TOOLS } from "./policies.ts";

/** A call before it is given to a seam. */
export interface GeneratedCall {
  readonly agent: string;
  /** Null: none. Each seam puts its own name before it, so that none spends another's ceilings. */
  readonly session: string | null;
  readonly namespace: string | null;
  readonly tool: string;
  readonly args: JsonObject;
  /** Null: none. */
  readonly costUsd: string | null;
}

/** Conversations of a run, as count: each gets enough calls to meet its ceilings. */
const SESSIONS = 30;

/** Largest arguments as bytes of JSON: what fits the header of an auth hook, in base64. */
const MAX_ARGS_BYTES = 4_000;

/** Names that no JSON object may have here. */
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** The same calls for the same seed. */
export function generateCalls(seed: number, count: number): readonly GeneratedCall[] {
  return fc.sample(calls, { seed, numRuns: count });
}

const EDGE_TEXTS = [
  "",
  " ",
  "\u0000",
  "\ufeff",
  "\u2028\u2029",
  '"\\/\b\f\n\r\t',
  "e\u0301 and \u00e9",
  "名前",
  "🙂👩‍👩‍👧",
  "Straße",
  "STRASSE",
  "\u202etxt.exe",
  "4111 1111 1111 1111",
  "card 4111111111111111, naïve",
  "ask zoë@exämple.org or a@b.example",
  "AKIAIOSFODNN7EXAMPLE",
  "ghp_0123456789abcdefghijABCDEFGHIJ012345",
  "<script>&amp;</script>",
];
const EDGE_NUMBERS = [0, 1, -1, 0.1, 0.1 + 0.2, 500, 500.000001, 100.5, 5e-324, 2 ** 53 - 1, 1e-7];

const text = fc.oneof(
  fc.constantFrom(...EDGE_TEXTS),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const number = fc.oneof(
  fc.constantFrom(...EDGE_NUMBERS),
  fc.integer({ min: -1_000, max: 2_000 }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact),
);
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(text, number, fc.boolean(), fc.constant(null));

const KNOWN_NAMES = ["amount", "card", "text", "note", "args", "tool", "0", "length", "toString", ""];
const name = fc
  .oneof(fc.constantFrom(...KNOWN_NAMES, ...EDGE_TEXTS), fc.string({ unit: "grapheme", maxLength: 8 }))
  .filter((candidate) => !FORBIDDEN.has(candidate));

const { anything } = fc.letrec<{ anything: JsonValue }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie("anything"), { maxLength: 3 }),
    fc.dictionary(name, tie("anything"), { maxKeys: 3 }),
  ),
}));

/** Mostly of the type that rules expect, at times of any. */
function mostly(expected: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.oneof({ weight: 9, arbitrary: expected }, { weight: 1, arbitrary: anything });
}

const known: fc.Arbitrary<JsonObject> = fc.record(
  {
    amount: mostly(number),
    card: mostly(fc.constantFrom<JsonValue>("4111 1111 1111 1111", 4_111_111_111_111_111, "none")),
    text: mostly(text),
    note: mostly(text),
    country: mostly(fc.constantFrom("DE", "FR", "US", "de")),
    flag: mostly(fc.boolean()),
    tags: mostly(fc.array(text, { maxLength: 3 })),
    secret: mostly(text),
    customer: mostly(fc.record({ ssn: text, name: text }, { requiredKeys: [] })),
    items: mostly(fc.array(fc.record({ price: number }, { requiredKeys: [] }), { maxLength: 3 })),
    limits: mostly(fc.record({ daily: number }, { requiredKeys: [] })),
    path: mostly(fc.constantFrom("/srv/work/a", "/srv/work/../x", "/srv/work/%2e%2e/x", "a/b", "/srv/work")),
  },
  { requiredKeys: [] },
);

/** Without what most rules reach into: such a call often passes. */
const plain: fc.Arbitrary<JsonObject> = fc.record({ text, amount: fc.integer({ min: 1, max: 600 }) });

const args = fc
  .oneof(
    plain,
    known,
    fc
      .tuple(known, fc.dictionary(name, anything, { maxKeys: 3 }))
      .map(([left, right]) => ({ ...right, ...left })),
  )
  .filter((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_ARGS_BYTES);

const calls: fc.Arbitrary<GeneratedCall> = fc.record({
  agent: fc.oneof(
    { weight: 5, arbitrary: fc.constant("clerk") },
    { weight: 3, arbitrary: fc.constant("counter") },
    { weight: 5, arbitrary: fc.constantFrom(...AGENTS) },
  ),
  session: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: SESSIONS }).map(String) },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(STOPPED_SESSION) },
  ),
  namespace: fc.constantFrom(null, null, "default", "ops", "ops", "team", "frozen"),
  tool: fc.constantFrom(...TOOLS),
  args,
  costUsd: fc.constantFrom(null, null, null, null, "0", "0.25", "0.000001"),
});

/** What the strict reader takes: integers within 2^53 - 1 and no negative zero. */
function isExact(value: number): boolean {
  return !Object.is(value, -0) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
