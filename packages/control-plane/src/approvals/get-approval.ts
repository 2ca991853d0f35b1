import type { ApprovalRecord } from "@svc/contract/approval";
import { MAX_APPROVAL_WAITERS, MAX_APPROVAL_WAITERS_PER_KEY } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import type { StoredApproval } from "@svc/store/ports/approval-store";
import { readRecord } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { viewApproval } from "./approval-view.ts";
import type { WaitResult } from "./approval-waits.ts";
import { refuseReader, refuseUnknownApproval } from "./refuse-approval.ts";
import { statusAt } from "./status-at.ts";

type ReadPorts = Pick<
  ControlPlanePorts,
  | "clock"
  | "log"
  | "approvals"
  | "approvalWaits"
  | "rows"
  | "digest"
  | "publicUrl"
  | "supervised"
  | "policies"
>;

export interface ApprovalQuestion {
  readonly id: string;
  /** Milliseconds to wait for a resolution; 0: do not wait. */
  readonly waitMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/**
 * The approval as it stands, or as it was resolved within the time that the caller waits. A process that ends
 * answers at once.
 */
export async function getApproval(
  ports: ReadPorts,
  principal: Principal,
  { id, waitMs, signal }: ApprovalQuestion,
): Promise<Outcome<ApprovalRecord>> {
  let untilMs = ports.clock.nowMs() + waitMs;
  for (;;) {
    const found = await findApproval(ports, principal, id);
    if (found.kind === "problem") return found;
    const { value: approval } = found;
    const leftMs = untilMs - ports.clock.nowMs();
    if (leftMs <= 0 || signal.aborted || !isOpen(ports, approval))
      return viewApproval(ports, principal, approval);
    const { org, version, expiresAtMs } = approval;
    // The end by time needs no change in the store to count.
    const openMs = Math.max(expiresAtMs - ports.clock.now().getTime(), 1);
    const wait = { org, id, version, key: principal.id, waitMs: Math.min(leftMs, openMs), signal };
    const result = await ports.approvalWaits.wait(wait);
    if (result.kind === "full") return refuseWait(result, principal);
    if (result.kind === "stopped") untilMs = Number.NEGATIVE_INFINITY;
  }
}

const WITHOUT_WAIT = "Try again later, or read the approval without Prefer: wait.";

function refuseWait({ limit, ofOrg }: WaitResult & { readonly kind: "full" }, { id }: Principal): Refusal {
  switch (limit) {
    case "process": {
      const most = String(MAX_APPROVAL_WAITERS);
      return refuse("overloaded", `${most} requests wait for approvals on this server. ${WITHOUT_WAIT}`);
    }
    case "organization": {
      const found = `${String(ofOrg)} requests of this organization wait for approvals on this server`;
      return refuse("too_many_requests", `${found}, as many as places are left for others. ${WITHOUT_WAIT}`);
    }
    case "key": {
      const most = String(MAX_APPROVAL_WAITERS_PER_KEY);
      return refuse("too_many_requests", `${most} requests of key ${id} wait for approvals. ${WITHOUT_WAIT}`);
    }
  }
}

function isOpen({ clock }: ReadPorts, approval: StoredApproval): boolean {
  const status = statusAt(approval, clock.now().getTime());
  return status === "pending" || status === "suspended";
}

async function findApproval(
  ports: ReadPorts,
  principal: Principal,
  id: string,
): Promise<Outcome<StoredApproval>> {
  const found = await readRecord(
    ports,
    () => ports.approvals.approval(principal.org, id),
    () => refuseUnknownApproval(id),
  );
  if (found.kind === "problem") return found;
  return refuseReader(principal, found.value) ?? { kind: "ok", value: found.value };
}
