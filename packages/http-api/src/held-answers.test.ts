import { setImmediate as nextTurn } from "node:timers/promises";
import { type Problem, problem } from "@svc/contract/problem";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { ApprovalWaits } from "@svc/control-plane/approval-waits";
import { nodeTimers } from "@svc/process/timers";
import { type ApprovalClaim, NO_CLAIMS } from "@svc/store/ports/claims";
import { type MemoryStore, openMemoryStore } from "@svc/store/testing/memory-store";
import { digestOfText } from "@svc/text/digest-of";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { Authenticate } from "./authentication.ts";
import { jsonBody, startControlApi } from "./testing/control-api.suite.ts";

const REVOKED = problem("unauthenticated", "the key was revoked");

/** Any name of a key is an admin key, until `revoked` has it. */
function revocable(revoked: ReadonlySet<string>): Authenticate {
  return ({ headers: { authorization = "Bearer reader" } }) => {
    const id = authorization.replace("Bearer ", "");
    const refusal = (): Problem | null => (revoked.has(id) ? REVOKED : null);
    return { kind: "principal", principal: adminPrincipal({ id }), refusal };
  };
}

async function openApproval(store: MemoryStore, approvalId: string): Promise<void> {
  const now = Date.now();
  const row = JSON.stringify({ args: {}, args_digest: digestOfText("{}"), call_digest: "d", reason: "why" });
  const opensApproval: ApprovalClaim = {
    org: "default",
    approvalId,
    binding: `binding of ${approvalId}`,
    holdsFor: { scope: "session", covers: [] },
    anywhere: `anywhere of ${approvalId}`,
    namespace: "default",
    agentId: "agent-1",
    sessionId: null,
    tool: "payments.refund",
    policyId: "refunds",
    policyVersion: 1,
    ruleId: "big",
    workflowId: null,
    requestedBy: "asker",
    atMs: now,
    expiresAtMs: now + 60_000,
    maxOpen: { organization: 10, agent: 10, key: 10 },
  };
  const [outcome] = await store.ledger.commit([{ row, claims: { ...NO_CLAIMS, opensApproval } }]);
  expect(outcome?.kind).toBe("committed");
}

describe("the key of a request whose answer takes long", () => {
  // proves APR-24
  it("is checked again before a read is answered, so that a wait outlives no revocation", async () => {
    const store = openMemoryStore();
    await openApproval(store, "apr_1");
    const revoked = new Set<string>();
    const started = Promise.withResolvers<void>();
    const log = pino({ enabled: false });
    const approvalWaits = new ApprovalWaits({ approvals: store.approvals, timers: nodeTimers, log });
    const noticed: Pick<ApprovalWaits, "wait" | "announce"> = {
      wait: (awaited) => {
        started.resolve();
        return approvalWaits.wait(awaited);
      },
      announce: (org, id) => approvalWaits.announce(org, id),
    };
    const controlPlane = { approvalWaits: noticed };
    const { ask } = await startControlApi({
      store,
      parts: { authenticate: revocable(revoked) },
      controlPlane,
    });
    const waiting = ask("GET", "/v1/approvals/apr_1", { headers: { prefer: "wait=30" } });
    await started.promise;
    revoked.add("reader");
    await nextTurn();
    const deny = jsonBody({ reason: "no" }, { authorization: "Bearer approver" });
    expect((await ask("POST", "/v1/approvals/apr_1/deny", deny)).status).toBe(200);
    const answer = await waiting;
    expect([answer.status, answer.body["code"]]).toEqual([401, "unauthenticated"]);
    expect(answer.text).not.toContain("payments.refund");
  });

  // proves APR-24
  it("does not hide what its request has changed already", async () => {
    const store = openMemoryStore();
    await openApproval(store, "apr_1");
    const revoked = new Set<string>();
    const approvals: typeof store.approvals = {
      ...store.approvals,
      changeApproval: async (change) => {
        revoked.add("approver");
        return store.approvals.changeApproval(change);
      },
    };
    const parts = { authenticate: revocable(revoked) };
    const { ask } = await startControlApi({ store, parts, controlPlane: { approvals } });
    const deny = jsonBody({ reason: "no" }, { authorization: "Bearer approver" });
    const answer = await ask("POST", "/v1/approvals/apr_1/deny", deny);
    expect([answer.status, answer.body["status"]]).toEqual([200, "denied"]);
  });
});
