// long: hundreds of gateways, each over a store of its own

import type { DecisionRow } from "@svc/contract/audit-row";
import type { DecisionExplanation } from "@svc/contract/decision-explanation";
import { decidingDocument } from "@svc/engine/document-parts";
import { readPolicy } from "@svc/engine/read-policy";
import { anyRules, callOn, policyOf } from "@svc/engine/testing/generated-policies";
import { compileExplaining, type ExplainingPolicy } from "@svc/policy-analysis/compile-explaining";
import { explainDecision } from "@svc/policy-analysis/explain-decision";
import type { JsonObject } from "@svc/text/json-value";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DIGEST_KEY } from "./testing/gateway-over.ts";
import { circumstances, stepsRule } from "./testing/generated-circumstances.suite.ts";
import { testGateway } from "./testing/test-gateway.ts";

const digest = new KeyedDigest(DIGEST_KEY);
const SECRET = "AKIAIOSFODNN7EXAMPLE";

function explaining(document: JsonObject): ExplainingPolicy | null {
  const reading = readPolicy(JSON.stringify(document));
  return reading.ok ? compileExplaining(decidingDocument(reading.document)) : null;
}

const explained = (row: DecisionRow, policy: ExplainingPolicy | null): DecisionExplanation =>
  explainDecision(
    { decisionId: "gw_test.0", row, switches: [], withdrawn: false, repeated: null, digest },
    policy,
  );

const costs = fc.constantFrom(null, 0, 150_000);
const secretly = fc.constantFrom<JsonObject>(
  {},
  {},
  { path: SECRET },
  { a: { amount: SECRET } },
  {
    amount: "AKIAIOSFODNN7EXAMPLE",
  },
);

describe("the decision of a row", () => {
  // proves EXP-01, EXP-04
  it("is reached again from the row and the policy alone, unless a mask hides what was read", async () => {
    let masked = 0;
    await fc.assert(
      fc.asyncProperty(
        policyOf(anyRules),
        circumstances,
        stepsRule,
        fc.array(fc.tuple(callOn, costs, secretly), { minLength: 1, maxLength: 5 }),
        async (policy, more, steps, calls) => {
          const rules = steps === null ? policy.rules : [steps, ...policy.rules];
          const document = { ...policy, ...more, rules } as unknown as JsonObject;
          const compiled = explaining(document);
          fc.pre(compiled !== null);
          const gateway = await testGateway();
          gateway.feed.putPolicy("p", JSON.stringify(document), { agent_id: "agent-1" });
          await gateway.follower.catchUp();
          for (const [[tool, args], cost_micro_usd, secret] of calls)
            await gateway.execute({ tool, args: { ...args, ...secret }, cost_micro_usd });
          for (const row of gateway.rows() as unknown as DecisionRow[]) {
            const { agrees, doubts, recorded } = explained(row, compiled);
            if (recorded.masked === false) expect([agrees, doubts]).toEqual([true, []]);
            else {
              masked += 1;
              expect([agrees, doubts.length > 0]).toEqual([agrees === true ? true : null, agrees !== true]);
            }
          }
        },
      ),
      { numRuns: runs(200, 2_000) },
    );
    expect(masked).toBeGreaterThan(0);
  });

  // proves EXP-05
  it("differs when the row says something else, and the answer says what", async () => {
    const gateway = await testGateway();
    const document = { id: "p", tools: { allowed: ["payments.*"] } };
    gateway.feed.putPolicy("p", JSON.stringify(document), { agent_id: "agent-1" });
    await gateway.follower.catchUp();
    await gateway.execute();
    const row = gateway.rows()[0] as unknown as DecisionRow;
    const changed = { ...row, decision: "deny", reason_code: "rule", rule_id: "r" } as const;
    const { agrees, doubts } = explained(changed, explaining(document));
    expect(agrees).toBe(false);
    expect(doubts).toContain("decision: the row says deny, the same policy now says allow.");
  });
});

const questions = fc.tuple(policyOf(anyRules), callOn);

/** Without the entry of tools.denied a rule decides by an argument that the row masks. */
const READS_MASK: typeof questions extends fc.Arbitrary<infer Question> ? Question : never = [
  {
    id: "p",
    fail_closed: false,
    tools: { allowed: [], denied: ["mail.*"] },
    rules: [
      {
        id: "r0",
        priority: 0,
        match: { tool: "*", all: [{ field: "args.path", operator: "starts_with", value: "d" }] },
        action: "redact",
        redact: { fields: ["args.path", "args.a.amount"], mask: "last4" },
      },
    ],
  },
  ["mail.send", { path: [], a: 0 }],
];

describe("a counterfactual", () => {
  // proves EXP-06
  it("changes the decision when it is made", async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(questions, async ([policy, [tool, args]]) => {
        const document = policy as unknown as JsonObject;
        const compiled = explaining(document);
        fc.pre(compiled !== null);
        const gateway = await testGateway();
        gateway.feed.putPolicy("p", JSON.stringify(document), { agent_id: "agent-1" });
        await gateway.follower.catchUp();
        await gateway.execute({ tool, args });
        const row = gateway.rows()[0] as unknown as DecisionRow;
        const { counterfactual, no_counterfactual } = explained(row, compiled);
        expect(counterfactual === null).toBe(no_counterfactual !== null);
        if (counterfactual === null) return;
        found += 1;
        expect(counterfactual.decision).not.toBe(row.decision);
        if (counterfactual.kind !== "list_entry") return;
        const { list, change, entry } = counterfactual;
        const tools = policy.tools as Record<"allowed" | "denied", string[]>;
        const name = list === "tools.allowed" ? "allowed" : "denied";
        const globs =
          change === "add" ? [...tools[name], entry] : tools[name].filter((glob) => glob !== entry);
        const other = { ...document, tools: { ...tools, [name]: globs } };
        gateway.feed.putPolicy("p", JSON.stringify(other), { agent_id: "agent-1" });
        await gateway.follower.catchUp();
        expect((await gateway.execute({ tool, args })).decision).toBe(counterfactual.decision);
      }),
      { numRuns: runs(200, 2_000), examples: [[READS_MASK]] },
    );
    expect(found).toBeGreaterThan(50);
  });
});
