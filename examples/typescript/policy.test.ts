// Unit tests of an agent's policy, without a gateway and without a network.
// The package is made in the clone, the folder CLONE, as examples/README.md says.
//
//     npm install ../CLONE/svc-client-0.1.0.tgz
//     node --test policy.test.ts
//
// With vitest, take `expect` in place of `assert`, and `it` of vitest; everything else stays as it is.
import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { governedFn, SvcApprovalRequired, SvcDenied } from "@svc/client";
import { PolicyGateway } from "@svc/client/testing";

const refund = governedFn("payments.refund", { agentId: "refund-bot", sessionId: "conversation-1" })(
  async ({ order, amount }: { order: string; amount: number }) => `refunded ${String(amount)} of ${order}`,
);

let gateway: PolicyGateway;
beforeEach(() => {
  gateway = new PolicyGateway(new URL("../refunds.yaml", import.meta.url));
});
afterEach(() => gateway.close());

it("makes small refunds", async () => {
  assert.equal(await refund({ order: "o-1", amount: 40 }), "refunded 40 of o-1");
  gateway.expectDecision({ tool: "payments.refund", args: { order: "o-1", amount: 40 }, decision: "allow" });
});

it("denies large refunds", async () => {
  await assert.rejects(refund({ order: "o-1", amount: 5_000 }), SvcDenied);
  gateway.expectDecision({ tool: "payments.refund", decision: "deny", ruleId: "large-refunds" });
});

it("makes what is between when a person approves it", async () => {
  await assert.rejects(refund({ order: "o-1", amount: 400 }), SvcApprovalRequired);
  gateway.approve();
  assert.equal(await refund({ order: "o-1", amount: 400 }), "refunded 400 of o-1");
});

it("makes three refunds in a conversation", async () => {
  for (let made = 0; made < 3; made += 1) await refund({ order: "o-1", amount: 1 });
  await assert.rejects(refund({ order: "o-1", amount: 1 }), SvcDenied);
  gateway.expectDecision({ decision: "deny", reasonCode: "max_steps" });
});

it("runs nothing while the agent is stopped", async () => {
  gateway.kill({ agent: "refund-bot" }, { ttlSeconds: 60 });
  await assert.rejects(refund({ order: "o-1", amount: 40 }), SvcDenied);
  gateway.advance(60_000);
  await refund({ order: "o-1", amount: 40 });
});
