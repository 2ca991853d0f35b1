import type { PolicyRecord } from "@svc/contract/policy-record";
import type { Principal } from "@svc/contract/principal";
import type { Logger } from "@svc/process/logger";

export interface PolicyChangeFacts {
  readonly principal: Principal;
  readonly record: PolicyRecord;
  readonly warnings: readonly unknown[];
}

/** Logs one line per new version: who changed which policy to which version. */
export function logPolicyChange(
  log: Logger,
  message: "policy created" | "policy updated" | "policy rolled back",
  { principal, record, warnings }: PolicyChangeFacts,
): void {
  const { id, version, rolled_back_to } = record;
  const restored = rolled_back_to === null ? {} : { rolled_back_to };
  const facts = { org: principal.org, principal: principal.id, policy_id: id, policy_version: version };
  log.info({ ...facts, ...restored, warnings: warnings.length }, message);
}
