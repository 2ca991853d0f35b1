import { isJsonObject, type JsonObject, type JsonValue } from "./json-value.ts";
import { describeFound, type Parsed } from "./parsed.ts";
import type { ProblemEntry } from "./problem.ts";
import { DECISIONS, GOVERNANCE_MODES, REASON_CODES, type ReasonCode, type Verdict } from "./verdict.ts";

/**
 * Reads a verdict as a client must: what is not clearly a verdict is none. Every known field has its exact type and
 * the fields that belong together are together. Unknown fields are passed over: a newer gateway may send more.
 */
export function parseVerdict(value: JsonValue): Parsed<Verdict> {
  if (!isJsonObject(value)) return { ok: false, errors: [fault("", "an object", value)] };
  const errors: ProblemEntry[] = [];
  for (const [field, check] of Object.entries(FIELDS)) {
    const found = value[field];
    if (found !== undefined && !check.holds(found)) errors.push(fault(`/${field}`, check.expected, found));
  }
  if (value["args_constrained"] === false && value["shaped_args"] !== undefined) {
    errors.push(fault("/shaped_args", "nothing while args_constrained is false", value["shaped_args"]));
  }
  for (const field of requiredFields(value)) {
    if (value[field] === undefined) errors.push(fault(`/${field}`, FIELDS[field].expected, undefined));
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: { ...value, ...defaultsOf(value) } as unknown as Verdict };
}

interface Check {
  readonly expected: string;
  readonly holds: (value: JsonValue) => boolean;
}

const TEXT: Check = {
  expected: "a string that is not empty",
  holds: (value) => typeof value === "string" && value !== "",
};
const FLAG: Check = { expected: "true or false", holds: (value) => typeof value === "boolean" };
const OBJECT: Check = { expected: "an object", holds: isJsonObject };
const COUNT: Check = { expected: "a whole number", holds: (value) => Number.isSafeInteger(value) };

const oneOf = (choices: readonly string[]): Check => ({
  expected: `one of ${choices.join(", ")}`,
  holds: (value) => typeof value === "string" && choices.includes(value),
});

const FIELDS = {
  decision: oneOf(DECISIONS),
  decision_id: TEXT,
  reason: TEXT,
  reason_code: TEXT,
  rule_id: TEXT,
  kill_switch_id: TEXT,
  approval_url: TEXT,
  policy_id: TEXT,
  policy_version: COUNT,
  mode: oneOf(GOVERNANCE_MODES),
  would_be: OBJECT,
  args_constrained: FLAG,
  shaped_args: OBJECT,
  fail_closed: FLAG,
} as const satisfies Record<string, Check>;

type Field = keyof typeof FIELDS;

/** A deny needs nothing but its decision and a reason: a poorer deny still blocks. */
function requiredFields(verdict: JsonObject): readonly Field[] {
  const { decision, args_constrained } = verdict;
  if (decision === "allow") {
    const allow: readonly Field[] = ["decision_id", "args_constrained"];
    return args_constrained === true ? [...allow, "shaped_args"] : allow;
  }
  if (decision === "pause") return ["decision_id", "reason", "approval_url"];
  return ["decision", "reason"];
}

const KNOWN_REASON_CODES: ReadonlySet<string> = new Set(REASON_CODES);

/**
 * What an older or poorer gateway leaves out of a refusal, and a reason code for one that is not known here.
 * An allow has no defaults.
 */
function defaultsOf(verdict: JsonObject): Partial<Record<Field, JsonValue>> {
  const { decision, reason_code, args_constrained, fail_closed } = verdict;
  if (decision === "allow") return {};
  const known = typeof reason_code === "string" && KNOWN_REASON_CODES.has(reason_code);
  const fallback: ReasonCode = decision === "pause" ? "approval_required" : "rule";
  return {
    ...(known ? {} : { reason_code: fallback }),
    ...(args_constrained === undefined ? { args_constrained: false } : {}),
    ...(decision === "deny" && fail_closed === undefined ? { fail_closed: false } : {}),
  };
}

function fault(pointer: string, expected: string, found: JsonValue | undefined): ProblemEntry {
  return { pointer, expected, found: describeFound(found) };
}
