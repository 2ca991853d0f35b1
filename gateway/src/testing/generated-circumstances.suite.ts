import type { JsonObject } from "@svc/text/json-value";
import fc from "fast-check";

/** What a policy says beside its rules, for properties. */
export const circumstances = fc.record({
  governance_mode: fc.constantFrom("enforcement", "shadow", "audit_only"),
  session: fc.constantFrom<JsonObject>({}, { max_steps: 2 }, { max_usd_per_session: 0.3 }),
  cost: fc.constantFrom<JsonObject>({}, { tool_prices: { "*": 0.1, "pay.*": 0.2 } }),
});

/** A rule that reads how many steps a session has taken, or none. */
export const stepsRule = fc.option(
  fc.integer({ min: 0, max: 3 }).map((value) => ({
    id: "steps",
    priority: 1,
    match: { condition: { field: "session.steps", operator: ">=", value } },
    action: "deny",
  })),
);
