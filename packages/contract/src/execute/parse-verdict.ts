import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { type Parsed, refused } from "../fields/parsed.ts";
import type { ProblemEntry } from "../problems/problem.ts";
import { problemEntry } from "../problems/problem-entry.ts";
import { isReasonCode, type ReasonCode, type Verdict } from "./verdict.ts";
import { VERDICT_CHECKS, type VerdictField } from "./verdict-checks.ts";

/**
 * Reads a verdict as a client must: a document that is not clearly a verdict is refused. Every known field
 * has its exact type, the fields that belong together are together, and an allow that contradicts itself is
 * refused. Unknown fields are passed over and left out: a newer gateway may send more.
 */
export function parseVerdict(document: JsonValue): Parsed<Verdict> {
  if (!isJsonObject(document)) return refused([problemEntry([], "an object", document)]);
  const errors: ProblemEntry[] = [];
  const known: Partial<Record<VerdictField, JsonValue>> = {};
  for (const field of FIELDS) {
    const found = own(document, field);
    if (found === undefined) continue;
    const check = VERDICT_CHECKS[field];
    if (check.holds(found)) known[field] = found;
    else errors.push(problemEntry([field], check.expected, found));
  }
  for (const field of requiredFields(document)) {
    if (own(document, field) === undefined)
      errors.push(problemEntry([field], VERDICT_CHECKS[field].expected, undefined));
  }
  for (const field of contradictions(document)) {
    errors.push(problemEntry([field], "nothing that contradicts the decision", document[field]));
  }
  return errors.length > 0 ? refused(errors) : { ok: true, value: completed(known) };
}

/** A field as the object itself has it: nobody can be granted anything by what it inherits. */
function own(object: JsonObject, field: VerdictField): JsonValue | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined;
}

const FIELDS = Object.keys(VERDICT_CHECKS) as readonly VerdictField[];

/** A deny needs nothing but its decision and a reason: a poorer deny still blocks. */
function requiredFields(document: JsonObject): readonly VerdictField[] {
  switch (own(document, "decision")) {
    case "allow":
      return own(document, "args_constrained") === true ? CONSTRAINED_ALLOW : PLAIN_ALLOW;
    case "pause":
      return ["decision_id", "approval_url"];
    default:
      return ["decision", "reason"];
  }
}

const PLAIN_ALLOW = ["decision_id", "args_constrained"] as const;
const CONSTRAINED_ALLOW = [...PLAIN_ALLOW, "shaped_args"] as const;

/** What an allow must not carry: it would then be two answers in one. */
function contradictions(document: JsonObject): readonly VerdictField[] {
  if (own(document, "decision") !== "allow") return [];
  const fields: VerdictField[] = [];
  const isConstrained = own(document, "args_constrained") === true;
  if (own(document, "shaped_args") !== undefined && !isConstrained) fields.push("shaped_args");
  if (own(document, "fail_closed") === true) fields.push("fail_closed");
  if (own(document, "kill_switch_id") !== undefined) fields.push("kill_switch_id");
  if (own(document, "approval_url") !== undefined) fields.push("approval_url");
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
