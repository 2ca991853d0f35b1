// long: hundreds of gateways, each over a store of its own

import { killSwitch } from "@svc/control-feed/testing/fake-feed";
import { readPolicy } from "@svc/engine/read-policy";
import { anyRules, callOn, policyOf } from "@svc/engine/testing/generated-policies";
import type { JsonObject } from "@svc/text/json-value";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideAsync } from "./decide-async.ts";
import { execute } from "./execute.ts";
import { judge } from "./judge.ts";
import { pendingCall } from "./pending-call.ts";
import { circumstances, stepsRule } from "./testing/generated-circumstances.suite.ts";
import { call, received, testGateway } from "./testing/test-gateway.ts";

const policies = fc
  .tuple(policyOf(anyRules), circumstances, stepsRule)
  .map(([policy, more, steps]): JsonObject => {
    const rules = steps === null ? policy.rules : [steps, ...policy.rules];
    return { ...policy, ...more, rules };
  })
  .filter((document) => readPolicy(JSON.stringify(document)).ok);

type Called = readonly [readonly [string, JsonObject], number | null, "call" | "kill" | "end"];

const calls: fc.Arbitrary<Called[]> = fc.array(
  fc.tuple(callOn, fc.constantFrom(null, 150_000), fc.constantFrom("call", "call", "call", "kill", "end")),
  { minLength: 1, maxLength: 8 },
);

/** Ids of approvals are random. */
function withoutIds(text: string): string {
  return text.replaceAll(/apr_[0-9A-Za-z_-]+/g, "apr_");
}

async function decided(decide: typeof execute, document: JsonObject, made: readonly Called[]) {
  const gateway = await testGateway();
  gateway.feed.putPolicy("p", JSON.stringify(document), { agent_id: "agent-1" });
  await gateway.follower.catchUp();
  const verdicts: unknown[] = [];
  for (const [[tool, args], cost_micro_usd, step] of made) {
    if (step !== "call") {
      const status = step === "kill" ? "active" : "inactive";
      gateway.feed.put({ kind: "kill_switch", record: killSwitch({ status }) });
      await gateway.follower.catchUp();
    }
    verdicts.push(await decide(gateway.parts, received(call({ tool, args, cost_micro_usd }))));
  }
  await gateway.withdrawals.drain();
  return { verdicts: withoutIds(JSON.stringify(verdicts)), rows: gateway.ledger.rows.map(withoutIds) };
}

describe("a call without a key", () => {
  it("gets the verdict and the row that it gets when each stage may wait", async () => {
    const waiting: typeof execute = async (parts, given) => {
      const pending = pendingCall(given, parts.clock, parts.control.state);
      const judged = judge(parts.control, pending);
      const known = judged.kind === "stopped" ? judged : { ...judged, ruled: null };
      const verdict = await decideAsync(parts, pending, known);
      if (verdict === null) throw new Error("a call without a key met another request's key");
      return verdict;
    };
    let allows = 0;
    await fc.assert(
      fc.asyncProperty(policies, calls, async (document, made) => {
        const straight = await decided(execute, document, made);
        expect(straight).toEqual(await decided(waiting, document, made));
        allows += straight.rows.filter((row) => row.includes('"decision":"allow"')).length;
      }),
      { numRuns: runs(300, 3_000) },
    );
    expect(allows).toBeGreaterThan(100);
  });
});
