import { expect, it } from "vitest";
import { execute, executeOnce } from "../execute.ts";
import { call, received, testGateway } from "../testing/test-gateway.ts";

const POLICY = "id: p\ntools: {allowed: [payments.*, wiki.*], read_only: [wiki.*, docs.*]}\n";

async function gatewayWith(policy = POLICY) {
  const gateway = await testGateway();
  gateway.feed.putPolicy("p", policy, { namespace_id: "payments" });
  const register = async (namespace: string, quarantined = false, removed = false) => {
    const quarantine = quarantined ? { since: "2026-01-01T00:00:00.000Z", until: null } : null;
    gateway.feed.put({ kind: "agent", record: { id: "agent-1", namespace, quarantine }, removed });
    await gateway.follower.catchUp();
  };
  await register("payments");
  return { ...gateway, register };
}

const MISMATCH = { decision: "deny", reason_code: "namespace_mismatch", fail_closed: false };
const QUARANTINED = { decision: "deny", reason_code: "agent_quarantined", fail_closed: false };

// proves AGT-08, EXEC-23
it("takes the namespace of the registration, and denies any other one with a row", async () => {
  const gateway = await gatewayWith();
  expect(await gateway.execute()).toMatchObject({ decision: "allow" });
  expect(await gateway.execute({ namespace: "payments" })).toMatchObject({ decision: "allow" });
  expect(await gateway.execute({ namespace: "default" })).toMatchObject({
    ...MISMATCH,
    reason:
      "agent agent-1 is registered in namespace payments, and the call names default. Leave namespace out " +
      "of the call, or move the agent: PATCH /api/v1/agents/agent-1",
  });
  expect(gateway.rows()).toMatchObject([
    { namespace: "payments", decision: "allow" },
    { namespace: "payments", decision: "allow" },
    { namespace: "default", reason_code: "namespace_mismatch", policy_id: null },
  ]);
  expect(JSON.stringify(gateway.rows()[2])).not.toContain("amount");
});

it("leaves agents alone that nobody registered, and those of other organizations", async () => {
  const gateway = await gatewayWith();
  expect(await gateway.execute({ agent_id: "agent-2", namespace: "payments" })).toMatchObject({
    decision: "allow",
  });
  expect(await gateway.execute({ agent_id: "agent-2" })).toMatchObject({ reason_code: "no_policy" });
});

it("judges a call again that ran while its agent was moved", async () => {
  const gateway = await gatewayWith();
  const { queue } = gateway.parts;
  const move = () => gateway.register("refunds");
  const moving: typeof gateway.parts = {
    ...gateway.parts,
    queue: {
      append: async (...given) => {
        const outcome = await queue.append(...given);
        await move();
        return outcome;
      },
      enqueue: (entry, wait) => {
        const onOutcome: typeof wait.onOutcome = (outcome) => void move().then(() => wait.onOutcome(outcome));
        queue.enqueue(entry, { ...wait, onOutcome });
      },
      isStalled: false,
      isCommitting: false,
      countSkippedRow: () => undefined,
    },
  };
  expect(await execute(moving, received(call()))).toMatchObject({
    ...MISMATCH,
    reason: "agent agent-1 was moved to namespace refunds while this call was judged. Repeat the call",
    retryable: true,
  });
  const bound = { ...received(call()), boundNamespace: "payments" };
  expect(await execute(gateway.parts, bound)).toMatchObject({ reason: expect.stringContaining("was moved") });
});

it("decides a repeated call anew when its agent has moved", async () => {
  const gateway = await gatewayWith();
  gateway.feed.putPolicy("q", "id: q\ntools: {allowed: []}\n", { namespace_id: "refunds" });
  const once = async () =>
    executeOnce(gateway.parts, received(call()), { idempotencyKey: "k", bodyDigest: "d" });
  expect(await once()).toMatchObject({ decision: "allow" });
  expect(await once()).toMatchObject({ decision: "allow", repeated: true });
  await gateway.register("refunds");
  expect(await once()).toMatchObject({ decision: "deny", policy_id: "q" });
});

it("lets an agent in quarantine call what its policy marks read-only and allows", async () => {
  const gateway = await gatewayWith();
  await gateway.register("payments", true);
  expect(await gateway.execute({ tool: "wiki.read" })).toMatchObject({ decision: "allow" });
  expect(await gateway.execute({ tool: "payments.refund" })).toMatchObject(QUARANTINED);
  expect(await gateway.execute({ tool: "docs.read" })).toMatchObject({ reason_code: "not_allowed" });
  await gateway.register("payments");
  expect(await gateway.execute({ tool: "payments.refund" })).toMatchObject({ decision: "allow" });
});

it.each(["audit_only", "shadow"])("is not softened by mode %s", async (mode) => {
  const gateway = await gatewayWith(`${POLICY}governance_mode: ${mode}\n`);
  expect(await gateway.execute({ tool: "docs.read" })).toMatchObject({ decision: "allow" });
  await gateway.register("payments", true);
  expect(await gateway.execute({ tool: "docs.read" })).toMatchObject(QUARANTINED);
  expect(await gateway.execute({ tool: "payments.refund" })).toMatchObject(QUARANTINED);
  expect(await gateway.execute({ tool: "wiki.read" })).toMatchObject({ decision: "allow" });
});

it("denies everything in quarantine without a list, and without a policy", async () => {
  const gateway = await gatewayWith("id: p\ntools: {allowed: ['*']}\n");
  await gateway.register("payments", true);
  expect(await gateway.execute()).toMatchObject(QUARANTINED);
  await gateway.register("elsewhere", true);
  expect(await gateway.execute()).toMatchObject(QUARANTINED);
});

it("stops the repeat of an allowed call of an agent that is in quarantine by now", async () => {
  const gateway = await gatewayWith();
  const once = async () =>
    executeOnce(gateway.parts, received(call()), { idempotencyKey: "k", bodyDigest: "d" });
  expect(await once()).toMatchObject({ decision: "allow" });
  await gateway.register("payments", true);
  expect(await once()).toMatchObject(QUARANTINED);
});
