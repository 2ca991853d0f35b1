import type { JsonObject } from "@svc/text/json-value";
import type { Diagnostic } from "../diagnostic.ts";
import type { DiagnosticCode } from "../diagnostic-codes.ts";

/** What the validator refuses and no schema can: it depends on what a value means. */
export interface SchemaLimit {
  readonly why: string;
  /** Null: any. */
  readonly code: DiagnosticCode | null;
  readonly message: RegExp;
  readonly found?: RegExp;
  /** Documents that the schema takes and the validator refuses. */
  readonly examples: readonly JsonObject[];
}

const rule = (parts: JsonObject): JsonObject => ({
  id: "p",
  rules: [{ id: "r", match: { tool: "x" }, ...parts }],
});
const asking = (condition: JsonObject, action: string = "deny"): JsonObject =>
  rule({ match: { condition: { field: "args.x", ...condition } }, action });
const during = (value: JsonObject): JsonObject => asking({ field: "time", operator: "within", value });
const constrain = (parts: JsonObject): JsonObject => rule({ action: "constrain", constrain: parts });
const someConditions = Array.from({ length: 20 }, () => ({ field: "args.x", operator: "exists" }));
/** Two UTF-16 units, and one character for a schema. */
const ASTRAL = "\u{1f600}";

export const SCHEMA_LIMITS: readonly SchemaLimit[] = [
  {
    why: "what Unicode says of the characters of a glob",
    code: "policy/invalid-glob",
    message: /no tool: (?:it holds|it is longer|one word has|the mark|U\+)/,
    examples: ["a\u200bb", "e\u0301", "p\u0430y", "\u0301*", "\u00e9".repeat(200)].map((glob) => ({
      id: "p",
      tools: { allowed: [glob] },
    })),
  },
  {
    why: "what Unicode says of the characters of a name",
    code: "policy/invalid-identifier",
    message: /is not a name/,
    examples: ["a\u200bb", "e\u0301", "p\u0430y"].map((agent_id) => ({ id: "p", agent_id })),
  },
  {
    why: "what a list holds that a document names",
    code: null,
    message: /^/,
    found: /, from the list /,
    examples: [{ id: "p", lists: { n: [1] }, tools: { allowed: { list: "n" } } }],
  },
  {
    why: "which lists a document defines",
    code: "policy/unknown-name",
    message: /unknown list/,
    examples: [asking({ operator: "in", value: { list: "known" } })],
  },
  {
    why: "where lists lead",
    code: "policy/list-cycle",
    message: /holds itself/,
    examples: [{ id: "p", lists: { a: [{ list: "b" }], b: [{ list: "a" }] } }],
  },
  {
    why: "whether the values of one list have one type where another list is part of it",
    code: "policy/invalid-value",
    message: /must have one type/,
    examples: [{ ...asking({ operator: "in", value: [{ list: "n" }, "x"] }), lists: { n: [1] } }],
  },
  {
    why: "whether a regular expression compiles, and to a program of which size",
    code: "policy/invalid-regex",
    message: /cannot be used/,
    examples: [asking({ operator: "matches", value: "(" }), asking({ operator: "matches", value: "(?=a)" })],
  },
  {
    why: "whether a regular expression matches the empty text",
    code: "policy/invalid-regex",
    message: /matches the empty text/,
    examples: [{ id: "p", detectors: { chk: { matches: "x*" } } }],
  },
  {
    why: "which detectors a document defines",
    code: "policy/unknown-name",
    message: /detector/,
    examples: [asking({ operator: "detects", value: "chk" })],
  },
  {
    why: "which digits of a number were written",
    code: "policy/invalid-number",
    message: /cannot be compared exactly/,
    examples: [
      asking({ operator: ">", value: 0.123_456_789_012_345_68 }),
      constrain({ set: { "args.x": 2e300 } }),
    ],
  },
  {
    why: "how many decimals a number has",
    code: "policy/invalid-number",
    message: /not an amount of USD/,
    examples: [{ id: "p", cost: { max_usd_per_session: 0.000_000_1 } }],
  },
  {
    why: "whether two rules have one id",
    code: "policy/duplicate-id",
    message: /duplicate rule id/,
    examples: [{ id: "p", rules: ["r", "r"].map((id) => ({ id, match: { tool: "x" }, action: "deny" })) }],
  },
  {
    why: "whether two arguments overlap",
    code: "policy/overlapping-fields",
    message: /twice|above its max/,
    examples: [
      constrain({ set: { "args.x": 1 }, remove: ["args.x.y"] }),
      constrain({ max: { "args.x": 1 }, min: { "args.x": 2 } }),
    ],
  },
  {
    why: "how many conditions a rule has in all its groups",
    code: "policy/too-many",
    message: /conditions$/,
    examples: [rule({ match: { all: [{ any: someConditions }, { any: someConditions }] }, action: "deny" })],
  },
  {
    why: "whether the rule around a condition allows",
    code: "policy/conflicting-keys",
    message: /is for rules that restrict/,
    examples: [asking({ operator: "exists", when_missing: "skip" }, "allow")],
  },
  {
    why: "whether an odd number of not stands around a condition of a rule that allows",
    code: "policy/invalid-field",
    message: /one text in any argument/,
    examples: [asking({ field: "args", operator: "contains", value: "x" }, "allow")],
  },
  {
    why: "how many names a path has when two ** that follow each other count as one",
    code: "policy/invalid-field",
    message: /has too many names/,
    examples: [rule({ action: "redact", redact: { fields: [`args${".*".repeat(31)}`] } })],
  },
  {
    why: "which name the escapes of a quoted name spell",
    code: "policy/invalid-field",
    message: /has the character/,
    examples: [asking({ field: 'args."\\u005f_proto__"', operator: "exists" })],
  },
  {
    why: "the calendar",
    code: "policy/invalid-value",
    message: /is not an instant/,
    examples: [during({ after: "2026-02-30T00:00:00Z" }), during({ after: "2026-01-01T25:00:00Z" })],
  },
  {
    why: "which of two times is the later one",
    code: "policy/invalid-value",
    message: /no time lies between|are the same time/,
    examples: [
      during({ after: "2026-01-02T00:00:00Z", before: "2026-01-01T00:00:00Z" }),
      during({ from: "09:00", to: "09:00", zone: "UTC" }),
    ],
  },
  {
    why: "the names of time zones",
    code: "policy/invalid-value",
    message: /is not a time zone/,
    examples: [during({ days: "mon", zone: "Europe/Atlantis" })],
  },
  {
    why: "whether a folder in value is relative where a base is given",
    code: "policy/conflicting-keys",
    message: /says where relative paths begin/,
    examples: [asking({ operator: "path_within", value: "out", base: "/srv" })],
  },
  {
    why: "which characters Unicode normalisation turns into slashes",
    code: "policy/invalid-path",
    message: /is not a plain folder/,
    examples: [asking({ operator: "path_within", value: "/srv/\u2100" })],
  },
  {
    why: "which bits of a network are set, and which groups of digits make an IPv6 address",
    code: "policy/invalid-value",
    message: /is not a host/,
    examples: ["10.0.0.1/8", "1::2::3/64"].map((value) => asking({ operator: "host_within", value })),
  },
  {
    why: "where the options of a program stand",
    code: "policy/invalid-value",
    message: /stands before the subcommand/,
    examples: [asking({ operator: "runs", value: [["git", "-C", "x", "push"]] })],
  },
  {
    why: "the length of a text in UTF-16 units",
    code: "policy/invalid-text",
    message: /must be a short text|must be one short line|is too long/,
    examples: [
      { id: "p", name: ASTRAL.repeat(600) },
      rule({ action: "deny", message: ASTRAL.repeat(200) }),
      rule({ action: "redact", redact: { fields: ["args.x"], with: ASTRAL.repeat(150) } }),
    ],
  },
];

/** The limit that a finding falls under; null when a schema must refuse the document as well. */
export function limitOf({ code, message, found }: Diagnostic): SchemaLimit | null {
  const falls = (limit: SchemaLimit): boolean =>
    (limit.code === null || limit.code === code) &&
    limit.message.test(message) &&
    (limit.found?.test(found) ?? true);
  return SCHEMA_LIMITS.find(falls) ?? null;
}
