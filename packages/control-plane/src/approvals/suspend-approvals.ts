import type { ApprovalFilter, StoredApproval } from "@svc/store/ports/approval-store";
import type { PageRequest } from "@svc/store/ports/page";
import { callStore, NOT_READ } from "../call-store.ts";
import { type Outcome, refuse, refuseCursor } from "../refusal.ts";
import { type ApprovalPorts, changeApproval } from "./change-approval.ts";
import { logApproval } from "./log-approval.ts";

export interface Suspension {
  readonly org: string;
  readonly agentId: string;
  /** Id of the key, or the part of the server that acts. */
  readonly principal: string;
  readonly reason: string;
}

/** Approvals that are read at once, as count. */
const PAGE = 200;

/**
 * Suspends the pending approvals of an agent, so that nobody approves them while it is under suspicion. Their
 * time runs on.
 */
export async function suspendApprovals(
  ports: ApprovalPorts,
  suspension: Suspension,
): Promise<Outcome<number>> {
  return moveAll(ports, suspension, { from: "pending", to: "suspended", verb: "suspended" });
}

/** Lets people resolve the suspended approvals of an agent again. */
export async function resumeApprovals(
  ports: ApprovalPorts,
  suspension: Suspension,
): Promise<Outcome<number>> {
  return moveAll(ports, suspension, { from: "suspended", to: "pending", verb: "resumed" });
}

interface Move {
  readonly from: "pending" | "suspended";
  readonly to: "pending" | "suspended";
  readonly verb: "suspended" | "resumed";
}

async function moveAll(ports: ApprovalPorts, suspension: Suspension, move: Move): Promise<Outcome<number>> {
  const { org, agentId } = suspension;
  let after: string | null = null;
  let count = 0;
  do {
    const atMs = ports.clock.now().getTime();
    const all = { sessionId: null, tool: null, workflowId: null, agents: null, namespaces: null };
    const filter = { status: move.from, agentId, atMs, ...all };
    const request: PageRequest = { limit: PAGE, after };
    const found = await readPage(ports, { org, filter, request });
    if (found.kind === "problem") return found;
    if (found.value === "bad_cursor") return refuseCursor(after);
    for (const approval of found.value.items) {
      const moved = await moveOne(ports, suspension, { approval, ...move });
      if (moved.kind === "problem" && moved.problem.code !== "conflict") return moved;
      if (moved.kind === "changed") count += 1;
    }
    after = found.value.next;
  } while (after !== null);
  return { kind: "ok", value: count };
}

interface PageQuestion {
  readonly org: string;
  readonly filter: ApprovalFilter;
  readonly request: PageRequest;
}

function readPage(ports: ApprovalPorts, { org, filter, request }: PageQuestion) {
  return callStore(ports, NOT_READ, () => ports.approvals.approvals(org, filter, request));
}

async function moveOne(
  ports: ApprovalPorts,
  { org, principal, reason }: Suspension,
  { approval: { id }, from, to, verb }: Move & { readonly approval: StoredApproval },
) {
  const changed = await changeApproval(ports, { org, principal }, id, ({ status, state }) => {
    if (status !== from) return refuse("conflict", `Approval ${id} is ${status} by now.`);
    return { kind: "step", action: verb, status: to, state, grant: null, reason };
  });
  if (changed.kind === "changed")
    logApproval(ports.log, `approval ${verb}`, { principal, approval: changed.approval });
  return changed;
}
