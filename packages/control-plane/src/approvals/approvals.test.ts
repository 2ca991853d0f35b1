import { MAX_COVERED_CALLS } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import { scopesOf } from "@svc/contract/role";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { type ApprovalClaim, NO_CLAIMS } from "@svc/store/ports/claims";
import { canonicalJson } from "@svc/text/canonical-json";
import { digestOfText } from "@svc/text/digest-of";
import type { JsonObject } from "@svc/text/json-value";
import { beforeEach, describe, expect, it } from "vitest";
import { openClaim } from "../testing/open-claim.ts";
import { ANYBODY, OPERATOR, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { ApprovalExpiry } from "./approval-expiry.ts";
import { approveCall } from "./approve-call.ts";
import { cancelApproval } from "./cancel-approval.ts";
import { denyApproval } from "./deny-approval.ts";
import { getApproval } from "./get-approval.ts";
import { listApprovals } from "./list-approvals.ts";
import { resumeApprovals, suspendApprovals } from "./suspend-approvals.ts";

let ports: TestPorts;

const ARGS = { amount: 900 };
const AGENT: Principal = {
  ...adminPrincipal({ id: "agent-key", org: "acme" }),
  role: "agent",
  scopes: scopesOf({ role: "agent", isBootstrap: false, isBound: false }),
};
const APPROVER: Principal = {
  ...adminPrincipal({ id: "approver-key", org: "acme" }),
  role: "approver",
  scopes: scopesOf({ role: "approver", isBootstrap: false, isBound: false }),
};
const SECOND: Principal = { ...APPROVER, id: "second-key" };

beforeEach(async () => {
  ports = testPorts();
  const record = { id: "p", version: 1, name: null, document: {}, created_at: "t", created_by: "k" };
  await ports.policies.createPolicy({
    org: "acme",
    auditRow: "{}",
    policy: {
      record: { ...record, rolled_back_to: null, why: null },
      source: "id: p",
      mediaType: "application/yaml",
    },
    binding: null,
  });
});

/** Opens `apr_1` for a call of the agent. */
async function opened(claim: Partial<ApprovalClaim> = {}, shown: JsonObject = ARGS): Promise<void> {
  const row = {
    args: shown,
    args_digest: digestOfText(canonicalJson(ARGS)),
    call_digest: "d",
    reason: "why",
  };
  const atMs = ports.clock.now().getTime();
  const opensApproval = openClaim(atMs, { binding: "b-1", requestedBy: AGENT.id, ...claim });
  const claims = { ...NO_CLAIMS, opensApproval };
  await ports.database.ledger.commit([{ row: canonicalJson(row), claims }]);
}

const approve = (principal: Principal, args: JsonObject | null = null) =>
  approveCall(ports, principal, { id: "apr_1", reason: "ok", args });

const codeOf = (outcome: { kind: string; problem?: { code: string } }) =>
  outcome.problem?.code ?? outcome.kind;

const NO_WAIT = { waitMs: 0, signal: new AbortController().signal };
const read = (principal: Principal) => getApproval(ports, principal, { id: "apr_1", ...NO_WAIT });

async function workflow(required: number, keys: readonly string[] | null = null): Promise<void> {
  const time = { created_at: "t", created_by: "k", updated_at: "t", updated_by: "k" };
  const approvers = { roles: ["approver" as const], keys };
  const rest = { name: null, channels: [], on_expiry: "deny" as const, expires_in_seconds: 60 };
  const record = { id: "w", version: 1, required, approvers, ...rest, ...time };
  await ports.approvalWorkflows.createWorkflow({ org: "acme", auditRow: "{}", workflow: record });
}

describe("an approval", () => {
  // proves APR-03, APR-08
  it("shows the call, and ends approved with a grant, an audit row and who did it", async () => {
    await opened();
    expect(await read(APPROVER)).toMatchObject({
      value: { status: "pending", args: ARGS, args_masked: false, reason: "why", grant: null },
    });
    const outcome = await approve(APPROVER);
    expect(outcome).toMatchObject({
      value: { status: "approved", resolved_by: "approver-key", grant: { used_by: null } },
    });
    expect(ports.database.auditRows.at(-1)).toMatchObject({
      kind: "approval",
      action: "approved",
      approval_id: "apr_1",
      principal: "approver-key",
      reason: "ok",
      by_requester: false,
      edited_args_digest: null,
    });
    expect(codeOf(await approve(SECOND))).toBe("conflict");
    expect(codeOf(await denyApproval(ports, SECOND, { id: "apr_1", reason: "no" }))).toBe("conflict");
  });

  // proves APR-04
  it("A3: is never resolved by who asked, by an agent, or by a key of another organization", async () => {
    await opened();
    expect(codeOf(await approve(AGENT))).toBe("forbidden");
    const withScope: Principal = { ...AGENT, id: "other", scopes: OPERATOR.scopes };
    expect(codeOf(await approve(withScope))).toBe("forbidden");
    expect(codeOf(await approve({ ...OPERATOR, id: AGENT.id }))).toBe("forbidden");
    expect(codeOf(await approve({ ...APPROVER, agents: new Set(["a-2"]) }))).toBe("forbidden");
    expect(codeOf(await approve({ ...APPROVER, org: "other" }))).toBe("not_found");
    expect(codeOf(await read({ ...AGENT, id: "other-agent" }))).toBe("not_found");
    expect(codeOf(await read(AGENT))).toBe("ok");
    expect(codeOf(await approve(APPROVER))).toBe("ok");
  });

  // proves APR-09
  it("is resolved by who asked while authentication is off, and its row says so", async () => {
    await opened({ requestedBy: ANYBODY.id });
    expect(codeOf(await approve(ANYBODY))).toBe("ok");
    expect(ports.database.auditRows.at(-1)).toMatchObject({ by_requester: true });
  });

  // proves APR-05
  it("binds edited arguments, and keeps the masked values that the edit leaves", async () => {
    await opened({}, { amount: 900, key: "[masked:secret.jwt]" });
    expect(await read(APPROVER)).toMatchObject({ value: { args_masked: true } });
    await approve(APPROVER, { amount: 5, key: "[masked:secret.jwt]" });
    const grant = await ports.approvals.grant("acme", "apr_1");
    expect(grant?.edit).toEqual([{ path: ["amount"], value: 5 }]);
    expect(ports.database.auditRows.at(-1)).toMatchObject({
      edited_args_digest: digestOfText('{"amount":5,"key":"[masked:secret.jwt]"}'),
    });
  });

  // proves APR-06
  it("needs as many different keys as its workflow says, of the same arguments", async () => {
    await workflow(2, [APPROVER.id, SECOND.id]);
    await opened({ workflowId: "w" });
    expect(codeOf(await approve(OPERATOR))).toBe("forbidden");
    expect(codeOf(await approve({ ...APPROVER, id: "third" }))).toBe("forbidden");
    expect(await approve(APPROVER, { amount: 5 })).toMatchObject({
      value: { status: "pending", grant: null },
    });
    expect(ports.database.auditRows.at(-1)).toMatchObject({ action: "voted", approvals: 1, required: 2 });
    expect(codeOf(await approve(APPROVER, { amount: 5 }))).toBe("conflict");
    expect(codeOf(await approve(SECOND))).toBe("conflict");
    expect(codeOf(await approve(SECOND, { amount: 6 }))).toBe("conflict");
    expect(await approve(SECOND, { amount: 5 })).toMatchObject({ value: { status: "approved" } });
  });

  // proves APR-06
  it("takes the arguments of the call for the call as it was asked, when others approved it so", async () => {
    await workflow(2);
    await opened({ workflowId: "w" });
    await approve(APPROVER);
    expect(codeOf(await approve(SECOND, { ...ARGS, amount: 5 }))).toBe("conflict");
    expect(await approve(SECOND, ARGS)).toMatchObject({ value: { status: "approved", edited_args: null } });
  });

  // proves APR-06
  it("of a workflow is not given with the vote of a key that was revoked since", async () => {
    await workflow(2);
    await opened({ workflowId: "w" });
    const by = { org: "acme", auditRow: "{}", actor: null, at: "2026-01-02T03:04:05.678Z" };
    const { id, org, role } = APPROVER;
    const made = { name: "n", agents: null, namespaces: null, origin: "managed", created_at: by.at } as const;
    const ends = { created_by: "k", expires_at: null, revoked_at: null, revoked_by: null, secrets: [] };
    await ports.keys.createKey({ ...by, key: { id, org, role, ...made, ...ends } });
    await approve(APPROVER);
    await ports.keys.revokeKey({ ...by, id, revokedBy: "operator" });
    expect(await approve(SECOND)).toMatchObject({
      problem: { code: "conflict", detail: expect.stringContaining(`Key ${APPROVER.id} approved this`) },
    });
    expect(codeOf(await denyApproval(ports, SECOND, { id: "apr_1", reason: "no" }))).toBe("ok");
  });

  // proves APR-05
  it("lets no call run with a mask in place of a value", async () => {
    await opened({}, { amount: 900, keys: ["[masked:secret.jwt]", "b"] });
    expect(codeOf(await approve(APPROVER, { amount: 900, keys: ["b", "[masked:secret.jwt]"] }))).toBe(
      "invalid_request",
    );
    const copied = {
      amount: 900,
      keys: ["[masked:secret.jwt]", "b"],
      more: { key: "x [masked:secret.jwt]" },
    };
    expect(codeOf(await approve(APPROVER, copied))).toBe("invalid_request");
  });

  // proves APR-06
  it("of a workflow ends with one deny", async () => {
    await workflow(2);
    await opened({ workflowId: "w" });
    await approve(APPROVER);
    const denied = await denyApproval(ports, SECOND, { id: "apr_1", reason: "no" });
    expect(denied).toMatchObject({ value: { status: "denied", resolution: "no" } });
    expect(await ports.approvals.grant("acme", "apr_1")).toBeNull();
  });

  // proves APR-10
  it("is not approved when the policy has another version by now", async () => {
    await opened({ policyVersion: 2 });
    expect(codeOf(await approve(APPROVER))).toBe("conflict");
    expect(codeOf(await denyApproval(ports, APPROVER, { id: "apr_1", reason: "no" }))).toBe("ok");
  });

  // proves APR-11
  it("A4: cannot be approved when its time is over, and its end is written down once", async () => {
    await opened();
    await ports.time.advance(60_000);
    expect(await read(APPROVER)).toMatchObject({
      value: { status: "expired", resolved_by: "approval_expiry" },
    });
    expect(codeOf(await approve(APPROVER))).toBe("conflict");
    const expiry = new ApprovalExpiry(ports);
    await expiry.look();
    await expiry.look();
    const rows = ports.database.auditRows.filter(({ kind }) => kind === "approval");
    expect(rows).toMatchObject([{ action: "expired", principal: "approval_expiry" }]);
  });

  // proves APR-12
  it("is cancelled by the key that asked or by an operator, and by no other agent", async () => {
    await opened();
    const reason = { id: "apr_1", reason: "not needed" };
    expect(codeOf(await cancelApproval(ports, { ...AGENT, id: "other" }, reason))).toBe("not_found");
    expect(await cancelApproval(ports, AGENT, reason)).toMatchObject({ value: { status: "cancelled" } });
    expect(codeOf(await approve(APPROVER))).toBe("conflict");
  });

  // proves APR-13
  it("of a suspended agent waits, and can only be denied or cancelled until it is resumed", async () => {
    await opened();
    const suspension = { org: "acme", agentId: "a-1", principal: "rogue_detection", reason: "critical" };
    expect(await suspendApprovals(ports, suspension)).toEqual({ kind: "ok", value: 1 });
    expect(await suspendApprovals(ports, suspension)).toEqual({ kind: "ok", value: 0 });
    expect(codeOf(await approve(APPROVER))).toBe("conflict");
    const { signal } = new AbortController();
    expect(await getApproval(ports, AGENT, { id: "apr_1", waitMs: 0, signal })).toMatchObject({
      value: { status: "suspended", suspended_because: expect.stringContaining("agent a-1") },
    });
    expect(await resumeApprovals(ports, suspension)).toEqual({ kind: "ok", value: 1 });
    expect(codeOf(await approve(APPROVER))).toBe("ok");
  });

  // proves APR-14
  // proves APR-91
  it("that covers further calls says so in its rows, and takes no edited arguments", async () => {
    await opened({ holdsFor: { scope: "session", covers: ["args.to"] } });
    expect(codeOf(await approve(APPROVER, { amount: 1 }))).toBe("conflict");
    const holds = { scope: "session", covers: ["args.to"], max_uses: MAX_COVERED_CALLS };
    expect(await approve(APPROVER)).toMatchObject({ value: { status: "approved", ...holds } });
    expect(ports.database.auditRows.at(-1)).toMatchObject({ action: "approved", holds_for: holds });
    expect(await ports.approvals.grant("acme", "apr_1")).toMatchObject({ maxUses: MAX_COVERED_CALLS });
  });

  // proves APR-92, APR-93
  it("that was given is revoked once, by who may cancel, and is listed while calls can use it", async () => {
    await opened();
    await approve(APPROVER);
    const usable = async () => {
      const query = {
        status: "usable",
        agentId: null,
        sessionId: null,
        tool: null,
        workflowId: null,
      } as const;
      const listed = await listApprovals(ports, APPROVER, { ...query, page: { after: null, limit: 10 } });
      return listed.kind === "ok" ? listed.value.items : listed;
    };
    expect(await usable()).toMatchObject([{ id: "apr_1", grant: { uses: 0, used_at: null, revoked: null } }]);
    const revoke = (principal: Principal) =>
      cancelApproval(ports, principal, { id: "apr_1", reason: "by mistake" });
    expect(codeOf(await revoke({ ...AGENT, id: "other-agent" }))).toBe("not_found");
    const revoked = { by: "approver-key", reason: "by mistake" };
    expect(await revoke(APPROVER)).toMatchObject({ value: { status: "approved", grant: { revoked } } });
    expect(ports.database.auditRows.at(-1)).toMatchObject({ action: "revoked", principal: "approver-key" });
    expect(codeOf(await revoke(APPROVER))).toBe("conflict");
    expect(await usable()).toEqual([]);
  });

  // proves APR-92
  it("that was used is revoked while the call can give its use back, and is not usable then", async () => {
    await opened();
    await approve(APPROVER);
    const usesGrant = { org: "acme", approvalId: "apr_1", binding: "b-1", atMs: ports.clock.now().getTime() };
    const call = () => ports.database.ledger.commit([{ row: "{}", claims: { ...NO_CLAIMS, usesGrant } }]);
    const [used] = await call();
    if (used?.kind !== "committed") throw new Error(`expected a commit, got ${String(used?.kind)}`);
    expect(await cancelApproval(ports, APPROVER, { id: "apr_1", reason: "by mistake" })).toMatchObject({
      value: { status: "approved", grant: { uses: 1, revoked: { by: "approver-key" } } },
    });
    const gives = { idempotencyKey: "kept", grant: "released" } as const;
    const rest = { digest: "d", charges: [], row: "{}", ...gives };
    const { position: decision } = used;
    await ports.database.ledger.settle({ org: "acme", decision, status: "not_executed", ...rest });
    expect(await call()).toEqual([{ kind: "grant_missing" }]);
    expect(await read(APPROVER)).toMatchObject({ value: { grant: { uses: 0, used_by: null } } });
  });

  it("is listed without arguments, to a bound key only when it is of its agents", async () => {
    await opened();
    const all = { status: null, agentId: null, sessionId: null, tool: null, workflowId: null };
    const query = { ...all, page: { limit: 10, after: null } };
    const listed = await listApprovals(ports, APPROVER, query);
    expect(listed).toMatchObject({ value: { items: [{ id: "apr_1", status: "pending" }] } });
    const bound = await listApprovals(ports, { ...APPROVER, agents: new Set(["a-2"]) }, query);
    expect(bound).toMatchObject({ value: { items: [] } });
  });

  // proves APR-15
  it("answers who waits as soon as it is resolved, or as it stands when the wait is over", async () => {
    await opened();
    const signal = new AbortController().signal;
    const waiting = getApproval(ports, AGENT, { id: "apr_1", waitMs: 30_000, signal });
    await ports.time.advance(0);
    await approve(APPROVER);
    expect(await waiting).toMatchObject({ value: { status: "approved" } });
  });
});
