import { isJsonObject, type JsonObject, type JsonValue } from "./json-value.ts";
import { type Parsed, refused } from "./parsed.ts";
import type { ProblemEntry } from "./problem.ts";
import { problemEntry } from "./problem-entry.ts";
import { isReasonCode, type ReasonCode, type Verdict } from "./verdict.ts";
import { VERDICT_CHECKS, type VerdictField } from "./verdict-checks.ts";

/**
 * Reads a verdict as a client must: a document that is not clearly a verdict is refused. Every known field
 * has its exact type, the fields that belong together are together, and an allow that contradicts itself is
 * refused. Unknown fields are passed over and left out: a newer gateway may send more.
 */
export function parseVerdict(document: JsonValue): Parsed<Verdict> {
  if (!isJsonObject(document)) return refused([problemEntry([], "an object", document)]);
  const value = ownFields(document);
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

/** The known fields as the object itself has them: nobody can be granted anything by what it inherits. */
function ownFields(object: JsonObject): Fields {
  const own = (field: VerdictField): JsonValue | undefined =>
    Object.hasOwn(object, field) ? object[field] : undefined;
  return {
    decision: own("decision"),
    decision_id: own("decision_id"),
    reason: own("reason"),
    reason_code: own("reason_code"),
    rule_id: own("rule_id"),
    kill_switch_id: own("kill_switch_id"),
    approval_url: own("approval_url"),
    policy_id: own("policy_id"),
    policy_version: own("policy_version"),
    mode: own("mode"),
    would_be: own("would_be"),
    args_constrained: own("args_constrained"),
    shaped_args: own("shaped_args"),
    fail_closed: own("fail_closed"),
    repeated: own("repeated"),
    retryable: own("retryable"),
  };
}

/** What is not there is undefined. */
type Fields = Readonly<Record<VerdictField, JsonValue | undefined>>;

const CHECKS = Object.entries(VERDICT_CHECKS) as [VerdictField, (typeof VERDICT_CHECKS)[VerdictField]][];

/** A deny needs nothing but its decision and a reason: a poorer deny still blocks. */
function requiredFields({ decision, args_constrained }: Fields): readonly VerdictField[] {
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
function contradictions(value: Fields): readonly VerdictField[] {
  if (value.decision !== "allow") return [];
  const fields: VerdictField[] = [];
  if (value.shaped_args !== undefined && value.args_constrained !== true) fields.push("shaped_args");
  if (value.fail_closed === true) fields.push("fail_closed");
  if (value.kill_switch_id !== undefined) fields.push("kill_switch_id");
  if (value.approval_url !== undefined) fields.push("approval_url");
  return fields;
}

/** Fills in what an older or poorer gateway leaves out of a refusal; an allow has no defaults. */
function completed(known: Partial<Record<VerdictField, JsonValue>>): Verdict {
  if (known.decision !== "allow") {
    known.reason_code = knownReasonCode(known);
    known.args_constrained = false;
    delete known.shaped_args;
  }
  if (isJsonObject(known.would_be)) known.would_be = completedWouldBe(known.would_be);
  if (known.decision === "deny") known.fail_closed ??= false;
  if (known.decision === "pause") known.reason ??= "The call needs an approval.";
  // Every field of the union was checked above, one by one.
  return known as unknown as Verdict;
}

/**
 * The same for what a mode kept back, whose form was checked: known fields only, and a code of
 * the closed list.
 */
function completedWouldBe({ decision, reason, reason_code, rule_id }: JsonObject): JsonObject {
  const code = knownReasonCode({ decision, reason_code, rule_id });
  return { decision, reason, reason_code: code, rule_id } as JsonObject;
}

/** The code, when it is of the closed list; else the nearest that the other fields tell. */
function knownReasonCode({ decision, reason_code, rule_id }: Partial<JsonObject>): ReasonCode {
  if (isReasonCode(reason_code)) return reason_code;
  if (decision === "pause") return "approval_required";
  return typeof rule_id === "string" ? "rule" : "not_allowed";
}
