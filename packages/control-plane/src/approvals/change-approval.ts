import type { ApprovalRow } from "@svc/contract/audit-row";
import type { ApprovalChange, StoredApproval } from "@svc/store/ports/approval-store";
import { callStore, readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { approvalRow } from "./approval-row.ts";
import { refuseUnknownApproval } from "./refuse-approval.ts";

export type ApprovalPorts = Pick<
  ControlPlanePorts,
  "clock" | "log" | "approvals" | "approvalWaits" | "rows" | "digest" | "keys" | "policies" | "publicUrl"
>;

/** As above, for answers that say why an approval is suspended. */
export type ResolutionPorts = ApprovalPorts & Pick<ControlPlanePorts, "supervised">;

/** A step of an approval, made from one version of it. */
export interface ApprovalStep extends Pick<ApprovalChange, "status" | "state" | "grant"> {
  readonly kind: "step";
  readonly action: ApprovalRow["action"];
  readonly reason: string;
}

/** Attempts when others change the same approval meanwhile: each of them took a vote of a workflow. */
const MAX_TRIES = 12;

const NOT_CHANGED =
  "The store did not confirm the change. Read the approval before you try again; nothing is approved twice.";

interface Actor {
  readonly org: string;
  /** Id of the key, or the part of the server that acts. */
  readonly principal: string;
}

/**
 * Changes an approval by compare-and-set: `decide` sees one version of it, and what it decides is stored only
 * while that is still the version.
 */
export async function changeApproval(
  ports: ApprovalPorts,
  { org, principal }: Actor,
  id: string,
  decide: (approval: StoredApproval, now: Date) => Promise<ApprovalStep | Refusal> | ApprovalStep | Refusal,
): Promise<
  { readonly kind: "changed"; readonly step: ApprovalStep; readonly approval: StoredApproval } | Refusal
> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = await readRecord(
      ports,
      () => ports.approvals.approval(org, id),
      () => refuseUnknownApproval(id),
    );
    if (found.kind === "problem") return found;
    const approval = found.value;
    const now = ports.clock.now();
    const step = await decide(approval, now);
    if (step.kind === "problem") return step;
    const { status, state, grant, action, reason } = step;
    const time = now.toISOString();
    const auditRow = approvalRow(approval, { action, principal, time, reason, state });
    const { version } = approval;
    const change = { org, id, version, status, state, grant, atMs: now.getTime(), auditRow };
    const stored = await callStore(ports, NOT_CHANGED, () => ports.approvals.changeApproval(change));
    if (stored.kind === "problem") return stored;
    if (stored.value === "not_found") return refuseUnknownApproval(id);
    if (stored.value === "changed") {
      ports.approvalWaits.announce(org, id);
      return { kind: "changed", step, approval: { ...approval, version: version + 1, status, state } };
    }
  }
  return refuse("conflict", `Approval ${id} is being changed by others. Read it, and try again.`);
}
