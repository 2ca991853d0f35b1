import type { RollbackRequest } from "@svc/contract/parse-policy-requests";
import type { Principal } from "@svc/contract/principal";
import { NOT_READ, reachStore } from "../reach-store.ts";
import type { Refusal } from "../refusal.ts";
import { type AppendedVersion, type AppendPorts, appendVersion } from "./append-version.ts";
import { refuseUnknownPolicy } from "./get-policy.ts";
import { refuseUnknownVersion } from "./get-policy-version.ts";
import { readDocument } from "./read-document.ts";

export interface PolicyRollback extends RollbackRequest {
  readonly id: string;
}

/**
 * Appends a version with the content of an earlier one; history only grows. The earlier text is compiled
 * afresh: what a newer server no longer accepts is refused here instead of by every gateway.
 */
export async function rollbackPolicy(
  ports: AppendPorts,
  principal: Principal,
  { id, target_version }: PolicyRollback,
): Promise<AppendedVersion | Refusal> {
  const { org } = principal;
  const found = await reachStore(ports, NOT_READ, () => ports.policies.latestPolicy(org, id));
  if (found.kind === "problem") return found;
  if (found.value === null) return refuseUnknownPolicy(id);
  const target = await reachStore(ports, NOT_READ, () =>
    ports.policies.policyVersion(org, id, target_version),
  );
  if (target.kind === "problem") return target;
  if (target.value === null) return refuseUnknownVersion(id, target_version);
  const document = readDocument(target.value);
  if (document.kind === "problem") return document;
  return appendVersion(ports, principal, {
    latest: found.value.record,
    document,
    rolledBackTo: target_version,
  });
}
