import type { ApprovalStatus } from "@svc/contract/approval";
import { maskSecretsInText } from "@svc/engine/mask-secrets";
import type { StoredApproval } from "@svc/store/ports/approval-store";
import { callStore, NOT_READ } from "../call-store.ts";
import { type Outcome, refuse, refuseCursor } from "../refusal.ts";
import { type ApprovalPorts, changeApproval } from "./change-approval.ts";
import { logApproval } from "./log-approval.ts";

export interface Cancellation {
  readonly org: string;
  readonly agentId: string;
  readonly sessionId: string;
  /** Id of the key, or the part of the server that acts. */
  readonly principal: string;
  readonly reason: string;
}

/** Approvals that are read at once, as count. */
const PAGE = 200;

/** Ends every open approval of a session that was terminated: nothing will run by them. */
export async function cancelApprovals(
  ports: ApprovalPorts,
  cancellation: Cancellation,
): Promise<Outcome<number>> {
  let count = 0;
  for (const status of ["pending", "suspended"] as const) {
    const cancelled = await cancelAll(ports, cancellation, status);
    if (cancelled.kind === "problem") return cancelled;
    count += cancelled.value;
  }
  return { kind: "ok", value: count };
}

async function cancelAll(
  ports: ApprovalPorts,
  cancellation: Cancellation,
  status: ApprovalStatus,
): Promise<Outcome<number>> {
  let after: string | null = null;
  let count = 0;
  do {
    const found = await readPage(ports, cancellation, { status, after });
    if (found.kind === "problem") return found;
    if (found.value === "bad_cursor") return refuseCursor(after);
    for (const approval of found.value.items) {
      const changed = await cancelOne(ports, cancellation, approval);
      if (changed.kind === "problem" && changed.problem.code !== "conflict") return changed;
      if (changed.kind === "changed") count += 1;
    }
    after = found.value.next;
  } while (after !== null);
  return { kind: "ok", value: count };
}

function readPage(
  ports: ApprovalPorts,
  { org, agentId, sessionId }: Cancellation,
  { status, after }: { readonly status: ApprovalStatus; readonly after: string | null },
) {
  const all = { tool: null, workflowId: null, agents: null, namespaces: null };
  const filter = { status, agentId, sessionId, ...all, atMs: ports.clock.now().getTime() };
  return callStore(ports, NOT_READ, () => ports.approvals.approvals(org, filter, { limit: PAGE, after }));
}

async function cancelOne(
  ports: ApprovalPorts,
  { org, principal, reason }: Cancellation,
  { id }: StoredApproval,
) {
  const changed = await changeApproval(ports, { org, principal }, id, ({ status, state }, now) => {
    if (status !== "pending" && status !== "suspended")
      return refuse("conflict", `Approval ${id} is ${status} by now.`);
    const end = { at: now.toISOString(), by: principal, reason: maskSecretsInText(reason) };
    return {
      kind: "step",
      action: "cancelled",
      status: "cancelled",
      state: { ...state, end },
      grant: null,
      reason,
    };
  });
  if (changed.kind === "changed")
    logApproval(ports.log, "approval cancelled", { principal, approval: changed.approval });
  return changed;
}
