import { MAX_APPROVAL_WAITERS, MAX_APPROVAL_WAITERS_PER_KEY } from "@svc/contract/limits";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { ApprovalWaits } from "@svc/control-plane/approval-waits";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { nodeTimers } from "@svc/process/timers";
import { openMemoryStore } from "@svc/store/testing/memory-store";
import { approvalClaim, entry } from "@svc/store/testing/records";
import { canonicalJson } from "@svc/text/canonical-json";
import { expect, it, onTestFinished } from "vitest";
import { jsonBody, startControlApi } from "./testing/control-api.suite.ts";

const { org } = adminPrincipal({ id: "any" });
const ID = "apr_1";
const PATH = `/api/v1/approvals/${ID}`;

/** The routes over a store with one open approval, for which so many requests wait already. */
async function apiWithWaiters(count: number, waiterOf: (n: number) => { key: string; org?: string }) {
  const store = openMemoryStore();
  const names = { namespace: "default", agent_id: "agent-1", session_id: "s-1", tool: "payments.refund" };
  const common = { v: 1, kind: "decision", time: new Date().toISOString(), org, principal: "key-agent" };
  const digests = { args_digest: "hmac-sha256:00", call_digest: "hmac-sha256:00" };
  const row = canonicalJson({ ...common, ...names, ...digests, args: {}, decision: "pause", reason: "why" });
  const atMs = Date.now();
  const opensApproval = approvalClaim(org, { approvalId: ID, atMs, expiresAtMs: atMs + 3_600_000 });
  await store.ledger.commit([entry(row, { opensApproval })]);
  const { approvals } = store;
  const approvalWaits = new ApprovalWaits({ approvals, timers: nodeTimers, log: recordingLogger() });
  onTestFinished(() => approvalWaits.stop());
  const { signal } = new AbortController();
  const version = (await approvals.approval(org, ID))?.version ?? 0;
  const waiting = Array.from({ length: count }, async (_, n) =>
    approvalWaits.wait({ org, id: ID, version, ...waiterOf(n), waitMs: 60_000, signal }),
  );
  const { ask } = await startControlApi({ store, controlPlane: { approvalWaits } });
  const askAs = async (key: string, prefer = "wait=30") => {
    const { status, body } = await ask("GET", PATH, { headers: { authorization: `Bearer ${key}`, prefer } });
    return [
      status,
      body["code"] ?? body["status"],
      ...(body["detail"] === undefined ? [] : [body["detail"]]),
    ];
  };
  const cancel = async () => ask("POST", `${PATH}/cancel`, jsonBody({ reason: "not needed" }));
  return { askAs, cancel, waiting };
}

// proves APR-23
it("the route answers 429 to a key that has too many requests waiting, and lets others wait", async () => {
  const { askAs, cancel } = await apiWithWaiters(MAX_APPROVAL_WAITERS_PER_KEY, () => ({ key: "busy" }));
  const detail =
    "100 requests of key busy wait for approvals. " +
    "Try again later, or read the approval without Prefer: wait.";
  expect(await askAs("busy")).toEqual([429, "too_many_requests", detail]);
  expect(await askAs("busy", "wait=0")).toEqual([200, "pending"]);
  const other = askAs("another");
  await cancel();
  expect(await other).toEqual([200, "cancelled"]);
  expect(await askAs("busy")).toEqual([200, "cancelled"]);
});

// proves APR-73
it("the route answers 429 to every key of an organization of which too many requests wait", async () => {
  const waiterOf = (n: number) => ({ key: `key-${String(n)}` });
  const { askAs, cancel, waiting } = await apiWithWaiters(MAX_APPROVAL_WAITERS / 2, waiterOf);
  const detail =
    "500 requests of this organization wait for approvals on this server, as many as places are left " +
    "for others. Try again later, or read the approval without Prefer: wait.";
  expect(await askAs("another")).toEqual([429, "too_many_requests", detail]);
  expect(await askAs("another", "wait=0")).toEqual([200, "pending"]);
  await cancel();
  expect(new Set((await Promise.all(waiting)).map(({ kind }) => kind))).toEqual(new Set(["changed"]));
});

// proves APR-23
it("the route answers 503 while too many requests of all organizations wait", async () => {
  const waiterOf = (n: number) => ({ key: "key", org: `org-${String(n)}` });
  const { askAs } = await apiWithWaiters(MAX_APPROVAL_WAITERS, waiterOf);
  const detail =
    "1000 requests wait for approvals on this server. " +
    "Try again later, or read the approval without Prefer: wait.";
  expect(await askAs("another")).toEqual([503, "overloaded", detail]);
  expect(await askAs("another", "wait=0")).toEqual([200, "pending"]);
});
