import type { WorkflowCreation } from "@svc/contract/approval-workflow";
import type { DocumentText } from "@svc/policy-analysis/check-document";
import type { JsonObject } from "@svc/text/json-value";
import { DENIED_AMOUNT, FREE_AMOUNT, SHARED_AMOUNT } from "./approval-model.ts";

/** Who asks. */
export const AGENT = "agent-1";

/** The workflow of calls that two people must approve. */
export const TWO_PEOPLE: WorkflowCreation = {
  id: "two-people",
  name: null,
  required: 2,
  approvers: { roles: null, keys: null, groups: null },
  expires_in_seconds: 86_400,
  channels: [],
  on_expiry: "deny",
};

/** A version that differs from the others in its name alone. */
export function policy(version: number): DocumentText {
  const source = JSON.stringify({
    id: "refunds",
    name: `version ${String(version)}`,
    agent_id: AGENT,
    tools: { allowed: ["payments.*"] },
    rules: [
      { id: "never", priority: 1, match: amountIs("==", DENIED_AMOUNT), action: "deny" },
      {
        id: "shared",
        priority: 2,
        match: amountIs("==", SHARED_AMOUNT),
        action: "require_approval",
        approval: { workflow: TWO_PEOPLE.id },
      },
      { id: "big", priority: 3, match: amountIs(">", FREE_AMOUNT), action: "require_approval" },
    ],
  });
  return { source, mediaType: "application/json" };
}

function amountIs(operator: string, value: number): JsonObject {
  return { condition: { field: "args.amount", operator, value } };
}
