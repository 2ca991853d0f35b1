import type { AuditRow } from "@svc/contract/audit-row";
import { WEBHOOK_EVENTS } from "@svc/contract/webhook-event";
import { webhookEventsOfRow } from "@svc/contract/webhook-events-of-row";
import { expect, it } from "vitest";
import { testGateway } from "../testing/test-gateway.ts";

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

const POLICY = `
id: p
governance_mode: enforcement
tools: { allowed: ["payments.*"], denied: ["payments.wire"] }
rules:
  - id: ask
    match: { tool: payments.ask }
    action: require_approval
  - id: hide
    match: { tool: "*" }
    action: redact
    redact: { fields: [args.card] }
`;

// proves HOOK-21
it.each([
  ["an allow", "payments.refund", ["policy.decision"]],
  ["a deny", "payments.wire", ["policy.decision"]],
  ["a pause", "payments.ask", ["policy.decision", "approval.requested"]],
])("the row of %s makes events with arguments masked as in the row", async (_, tool, types) => {
  const gateway = await testGateway();
  gateway.feed.putPolicy("p", POLICY, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
  await gateway.execute({ tool, args: { amount: 10, note: SECRET, card: "4111" } });
  const row = gateway.rows().at(-1) as unknown as AuditRow & { readonly kind: "decision" };
  const events = webhookEventsOfRow({ id: "log.7", row });
  expect(events.map(({ type }) => type)).toEqual(types);
  for (const { type, data } of events) {
    expect(WEBHOOK_EVENTS[type].data.safeParse(data).error).toBeUndefined();
    expect(data).toMatchObject({ decision_id: "log.7", agent_id: "agent-1", tool, args: row.args });
    expect(JSON.stringify(data)).not.toMatch(new RegExp(`${SECRET}|4111`));
  }
});
