import type { StoredApproval } from "@svc/store/ports/approval-store";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { statusAt } from "./status-at.ts";

type Policied = Pick<StoredApproval, "org" | "policyId" | "policyVersion">;

/** Why an approval is void, for people; null when it is not. */
export type VoidBecause = (approval: StoredApproval) => string | null;

/** Finds out which of these open approvals nobody can approve any more. */
export async function readVoid(
  ports: Pick<ControlPlanePorts, "clock" | "log" | "policies">,
  approvals: readonly StoredApproval[],
): Promise<Outcome<VoidBecause>> {
  const nowMs = ports.clock.now().getTime();
  const isOpen = (approval: StoredApproval): boolean => {
    const status = statusAt(approval, nowMs);
    return status === "pending" || status === "suspended";
  };
  const versions = new Map<string, number | null>();
  for (const { org, policyId } of approvals.filter(isOpen)) {
    const name = JSON.stringify([org, policyId]);
    if (versions.has(name)) continue;
    const found = await callStore(ports, NOT_READ, () => ports.policies.latestPolicy(org, policyId));
    if (found.kind === "problem") return found;
    versions.set(name, found.value?.record.version ?? null);
  }
  const because = (approval: StoredApproval): string | null => {
    const { org, policyId, policyVersion } = approval;
    const version = versions.get(JSON.stringify([org, policyId])) ?? null;
    return isOpen(approval) && version !== policyVersion ? replacedText(approval, version) : null;
  };
  return { kind: "ok", value: because };
}

/** A grant covers the calls under one version of a policy, so it would be of no use under another one. */
export function replacedText({ policyId, policyVersion }: Policied, version: number | null): string {
  return (
    `The policy ${policyId} has changed: version ${String(policyVersion)} paused the call, and version ` +
    `${String(version)} decides now. The agent must repeat its call.`
  );
}
