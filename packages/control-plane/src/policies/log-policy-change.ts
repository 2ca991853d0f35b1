import type { PolicyRecord } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import type { Diagnostic } from "@svc/engine/diagnostic";
import type { Logger } from "@svc/process/logger";

export interface PolicyChangeFacts {
  readonly principal: Principal;
  readonly record: PolicyRecord;
  /** Findings about a new version. */
  readonly warnings?: readonly Diagnostic[];
}

/** Logs one line per change: who changed which policy, and which version is the latest. */
export function logPolicyChange(
  log: Logger,
  message:
    | "policy created"
    | "policy updated"
    | "policy rolled back"
    | "policy enabled"
    | "policy disabled"
    | "policy archived"
    | "policy labelled",
  { principal, record, warnings }: PolicyChangeFacts,
): void {
  const { id, version, rolled_back_to } = record;
  const restored = rolled_back_to === null || warnings === undefined ? {} : { rolled_back_to };
  const counted = warnings === undefined ? {} : { warnings: warnings.length };
  const named = warnings === undefined || warnings.length === 0 ? {} : { findings: namesOf(warnings) };
  const facts = { org: principal.org, principal: principal.id, policy_id: id, policy_version: version };
  log.info({ ...facts, ...restored, ...counted, ...named }, message);
}

/** Most findings that one line of the log names, as count. */
const MAX_NAMED = 20;

/** Codes and places: a line of the log holds nothing of the document. */
function namesOf(findings: readonly Diagnostic[]): readonly string[] {
  return findings
    .slice(0, MAX_NAMED)
    .map(({ code, line, column }) => `${code} at ${String(line)}:${String(column)}`);
}
