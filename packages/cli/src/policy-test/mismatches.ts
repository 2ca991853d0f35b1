import { expectedDecisionsText, meetsDecision } from "@svc/contract/expected-decision";
import { maskSecrets } from "@svc/engine/mask-secrets";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import type { DecidedCall } from "./decide-cases.ts";
import type { Expectation } from "./test-case.ts";

/** One member that is not as expected. Both sides as text. */
export interface Mismatch {
  readonly member: "decision" | "rule_id" | "reason" | "reason_code" | "shaped_args";
  readonly expected: string;
  readonly got: string;
}

/** What of a decision is not as expected. Empty: the case passes. */
export function mismatches(expected: Expectation, decided: DecidedCall): readonly Mismatch[] {
  const { verdict } = decided.simulation;
  const found: Mismatch[] = [];
  const compare = (member: Mismatch["member"], wanted: string | null | undefined, got: string | null) => {
    if (wanted !== undefined && wanted !== got)
      found.push({ member, expected: shown(wanted), got: shown(got) });
  };
  const { decision } = expected;
  if (decision !== undefined && !meetsDecision(decision, verdict.decision))
    found.push({ member: "decision", expected: expectedDecisionsText(decision), got: verdict.decision });
  compare("rule_id", expected.rule_id, verdict.rule_id);
  compare("reason_code", expected.reason_code, verdict.reason_code);
  if (expected.reason !== undefined && !expected.reason.matches(verdict.reason ?? ""))
    found.push({ member: "reason", expected: expected.reason.text, got: shown(verdict.reason) });
  const { shaped_args: wantedArgs } = expected;
  if (wantedArgs !== undefined && canonicalJson(wantedArgs) !== canonicalJson(decided.shapedArgs))
    found.push({
      member: "shaped_args",
      expected: masked(wantedArgs),
      got: canonicalJson(verdict.shaped_args),
    });
  return found;
}

/** As the verdict masks its own: what a command prints ends up in logs of builds. */
function masked(args: JsonObject | null): string {
  return args === null ? "null" : canonicalJson(maskSecrets(args, canonicalJson(args)));
}

function shown(value: string | null): string {
  return value ?? "none";
}
