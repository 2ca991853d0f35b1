import { isJsonObject, type JsonValue } from "@svc/text/json-value";
import { DECISIONS, GOVERNANCE_MODES } from "./verdict.ts";

/** What one field of a verdict must be. */
interface FieldCheck {
  /** For people, after "expected". */
  readonly expected: string;
  readonly holds: (value: JsonValue) => boolean;
}

const TEXT: FieldCheck = {
  expected: "a string that is not empty",
  holds: (value) => typeof value === "string" && value !== "",
};
const FLAG: FieldCheck = { expected: "true or false", holds: (value) => typeof value === "boolean" };
const OBJECT: FieldCheck = { expected: "an object", holds: isJsonObject };
const COUNT: FieldCheck = {
  expected: "a whole number from 0",
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};

/** People follow it: any other scheme could run something. */
const LINK: FieldCheck = {
  expected: "an http:// or https:// address",
  holds: (value) => typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value),
};

const WOULD_BE: FieldCheck = {
  expected: "an object of decision (deny or pause), reason, reason_code and rule_id",
  holds: (value) =>
    isJsonObject(value) &&
    (value["decision"] === "deny" || value["decision"] === "pause") &&
    TEXT.holds(value["reason"] ?? null) &&
    TEXT.holds(value["reason_code"] ?? null) &&
    (value["rule_id"] === null || TEXT.holds(value["rule_id"] ?? false)),
};

const oneOf = (choices: readonly string[]): FieldCheck => ({
  expected: `one of ${choices.join(", ")}`,
  holds: (value) => typeof value === "string" && choices.includes(value),
});

/** Every field of a verdict that this version knows. */
export const VERDICT_CHECKS = {
  decision: oneOf(DECISIONS),
  decision_id: TEXT,
  reason: TEXT,
  reason_code: TEXT,
  rule_id: TEXT,
  kill_switch_id: TEXT,
  approval_url: LINK,
  policy_id: TEXT,
  policy_version: COUNT,
  mode: oneOf(GOVERNANCE_MODES),
  would_be: WOULD_BE,
  args_constrained: FLAG,
  shaped_args: OBJECT,
  fail_closed: FLAG,
  repeated: FLAG,
  retryable: FLAG,
} as const satisfies Record<string, FieldCheck>;

export type VerdictField = keyof typeof VERDICT_CHECKS;
