import { isJsonObject, type JsonObject, type JsonValue } from "./json-value.ts";
import { type Parsed, refused } from "./parsed.ts";
import type { ProblemEntry } from "./problem.ts";
import { problemEntry } from "./problem-entry.ts";
import { VERDICT_CHECKS, type VerdictField } from "./verdict-checks.ts";
import { REASON_CODES, type ReasonCode, type Verdict } from "./verdict.ts";

/**
 * Reads a verdict as a client must: what is not clearly a verdict is none. Every known field has its exact type, the
 * fields that belong together are together, and an allow that contradicts itself is refused.
 * Unknown fields are passed over and left out: a newer gateway may send more.
 */
export function parseVerdict(value: JsonValue): Parsed<Verdict> {
  if (!isJsonObject(value)) return refused([problemEntry([], "an object", value)]);
  const errors: ProblemEntry[] = [];
  const known: Partial<Record<VerdictField, JsonValue>> = {};
  for (const [field, check] of CHECKS) {
    const found = value[field];
    if (found === undefined) continue;
    if (check.holds(found)) known[field] = found;
    else errors.push(problemEntry([field], check.expected, found));
  }
  for (const field of requiredFields(value)) {
    if (value[field] === undefined)
      errors.push(problemEntry([field], VERDICT_CHECKS[field].expected, undefined));
  }
  for (const field of contradictions(value)) {
    errors.push(problemEntry([field], "nothing that contradicts the decision", value[field]));
  }
  return errors.length > 0 ? refused(errors) : { ok: true, value: completed(known) };
}

const CHECKS = Object.entries(VERDICT_CHECKS) as [VerdictField, (typeof VERDICT_CHECKS)[VerdictField]][];

/** A deny needs nothing but its decision and a reason: a poorer deny still blocks. */
function requiredFields({ decision, args_constrained }: JsonObject): readonly VerdictField[] {
  switch (decision) {
    case "allow":
      return args_constrained === true ? CONSTRAINED_ALLOW : PLAIN_ALLOW;
    case "pause":
      return ["decision_id", "approval_url"];
    default:
      return ["decision", "reason"];
  }
}

const PLAIN_ALLOW = ["decision_id", "args_constrained"] as const;
const CONSTRAINED_ALLOW = [...PLAIN_ALLOW, "shaped_args"] as const;

/** What an allow must not carry: it would then be two answers in one. */
function contradictions({ decision, ...verdict }: JsonObject): readonly VerdictField[] {
  if (decision !== "allow") return [];
  const fields: VerdictField[] = [];
  if (verdict["shaped_args"] !== undefined && verdict["args_constrained"] !== true)
    fields.push("shaped_args");
  if (verdict["fail_closed"] === true) fields.push("fail_closed");
  if (verdict["kill_switch_id"] !== undefined) fields.push("kill_switch_id");
  if (verdict["approval_url"] !== undefined) fields.push("approval_url");
  return fields;
}

const KNOWN_REASON_CODES: ReadonlySet<unknown> = new Set(REASON_CODES);

/** Fills in what an older or poorer gateway leaves out of a refusal; an allow has no defaults. */
function completed(known: Partial<Record<VerdictField, JsonValue>>): Verdict {
  if (known.decision !== "allow") {
    const wasRule: ReasonCode = known.rule_id === undefined ? "not_allowed" : "rule";
    const fallback: ReasonCode = known.decision === "pause" ? "approval_required" : wasRule;
    if (!KNOWN_REASON_CODES.has(known.reason_code)) known.reason_code = fallback;
    known.args_constrained = false;
    delete known.shaped_args;
  }
  if (known.decision === "deny") known.fail_closed ??= false;
  if (known.decision === "pause") known.reason ??= "The call needs an approval.";
  // Every field of the union was checked above, one by one.
  return known as unknown as Verdict;
}
