import type { RollbackRequest } from "@svc/contract/policy";
import type { Principal } from "@svc/contract/principal";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Refusal } from "../refusal.ts";
import { type AppendedVersion, type AppendPorts, appendVersion, refuseMoved } from "./append-version.ts";
import { refuseUnknownPolicy } from "./get-policy.ts";
import { refuseUnknownVersion } from "./get-policy-version.ts";
import {
  type LoadMode,
  ORDINARY_LOAD,
  readDocument,
  type ValidatedDocument,
  validated,
} from "./read-document.ts";

export interface PolicyRollback extends Pick<RollbackRequest, "target_version"> {
  readonly id: string;
  /** As for an update: the version that the caller has seen (If-Match); null: the latest one now. */
  readonly expectedVersion?: number | null;
  readonly load?: LoadMode;
}

/**
 * Appends a version with the content of an earlier one; the history only grows. The earlier text is
 * compiled again: a text that a newer server no longer accepts is refused here and not by every gateway.
 * Bindings do not change. Guardrails that it names count in their latest version.
 */
export async function rollbackPolicy(
  ports: AppendPorts & Pick<ControlPlanePorts, "documents" | "guardrails">,
  principal: Principal,
  { id, target_version, expectedVersion = null, load = ORDINARY_LOAD }: PolicyRollback,
): Promise<AppendedVersion | ValidatedDocument | Refusal> {
  const { org } = principal;
  const found = await readRecord(
    ports,
    () => ports.policies.latestPolicy(org, id),
    () => refuseUnknownPolicy(id),
  );
  if (found.kind === "problem") return found;
  const { record: latest } = found.value;
  if (expectedVersion !== null && expectedVersion !== latest.version) return refuseMoved(id, latest.version);
  const target = await readRecord(
    ports,
    () => ports.policies.policyVersion(org, id, target_version),
    () => refuseUnknownVersion(id, target_version),
  );
  if (target.kind === "problem") return target;
  const document = await readDocument(ports, { org, text: target.value }, load);
  if (document.kind === "problem") return document;
  if (load.dryRun) return validated(document);
  return appendVersion(ports, principal, {
    latest,
    document,
    rolledBackTo: target_version,
    why: load.why ?? null,
  });
}
