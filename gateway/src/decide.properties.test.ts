// long: hundreds of gateways, each over a store of its own

import type { JsonObject } from "@svc/contract/json-value";
import { KeyedDigest } from "@svc/contract/keyed-digest";
import { runs } from "@svc/contract/testing/runs";
import { killSwitch } from "@svc/control-feed/testing/fake-feed";
import { readPolicy } from "@svc/engine/read-policy";
import { anyRules, callOn, policyOf } from "@svc/engine/testing/generated-policies";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decisionRow } from "./append/decision-row.ts";
import { isPlainAllow, plainAllowRow } from "./append/plain-allow.ts";
import type { CallFacts } from "./call-facts.ts";
import type { ReadyPolicy } from "./check/governing-policy.ts";
import { decideAsync } from "./decide-async.ts";
import { LocalArguments } from "./evaluate/call-content.ts";
import { ruling } from "./evaluate/ruling.ts";
import { execute } from "./execute.ts";
import { judge } from "./judge.ts";
import { pendingCall } from "./pending-call.ts";
import { DIGEST_KEY } from "./testing/gateway-over.ts";
import { circumstances, stepsRule } from "./testing/generated-circumstances.suite.ts";
import { call, received, testGateway } from "./testing/test-gateway.ts";

const SECRET = "AKIAIOSFODNN7EXAMPLE";

/** Names as no request has them: the text of a row must not depend on who checked them. */
const name = fc.oneof(
  fc.stringMatching(/^[a-z0-9_.-]{1,12}$/),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }),
  fc.constantFrom(SECRET, `x-${SECRET}`, 'quo"te', "back\\slash", "\u2028", "\u0000"),
);

const facts: fc.Arbitrary<CallFacts> = fc.record({
  org: name,
  principal: name,
  namespace: name,
  namesNamespace: fc.boolean(),
  agentId: name,
  sessionId: fc.option(name),
  tool: name,
  timeMs: fc.integer({ min: 0, max: 2e12 }),
  costMicroUsd: fc.option(fc.nat({ max: 1e12 })),
  costIsTrusted: fc.boolean(),
});

const argsOf = fc.dictionary(
  name,
  fc.oneof(name, fc.integer(), fc.boolean(), fc.dictionary(name, name)),
) as fc.Arbitrary<JsonObject>;

/** What a policy redacts from its rows. */
const redactions = fc.constantFrom<((args: JsonObject) => JsonObject) | null>(
  null,
  (args) => args,
  (args) => ({ ...args, redacted: true }),
);

const digest = new KeyedDigest(DIGEST_KEY);

describe("the row of a plain allow", () => {
  it("is byte for byte the row of the general path", () => {
    const told = fc.record({
      id: name,
      version: fc.integer({ min: 1, max: 1e6 }),
      mode: fc.constantFrom("enforcement", "shadow", "audit_only"),
      ruleId: fc.option(name),
      costMicroUsd: fc.nat({ max: 1e12 }),
      evaluatedAtMs: fc.option(fc.integer({ min: 0, max: 2e12 })),
      steps: fc.option(fc.integer({ min: 0, max: 9 })),
      time: fc.date({ min: new Date(0), max: new Date(2e12), noInvalidDate: true }),
      latencyUs: fc.nat(),
    });
    fc.assert(
      fc.property(facts, argsOf, redactions, told, (caller, args, redact, row) => {
        const { id, version, mode, ruleId, costMicroUsd, evaluatedAtMs, steps, ...moment } = row;
        const maskRow = redact === null ? null : (governed: { args: JsonObject }) => redact(governed.args);
        const policy = { id, mode, maskRow } as ReadyPolicy["policy"];
        const governing: ReadyPolicy = { kind: "ready", version, policy, source: "" };
        const charge = { costMicroUsd: 0, maxSteps: 1, maxCostMicroUsd: null, observed: null };
        const key = { org: "o", agentId: "a", sessionId: "s" };
        const ruled = ruling({
          decision: "allow",
          reason: null,
          reasonCode: null,
          failClosed: false,
          policy: { id, version, mode },
          ruleId,
          costMicroUsd,
          evaluatedAtMs,
          reservation: steps === null ? null : { key, steps, ...charge },
        });
        if (!isPlainAllow(ruled)) throw new Error("expected a plain allow");
        const held = new LocalArguments(args);
        const wanted = decisionRow(caller, held, { ruled, moment, policy, digest });
        expect(plainAllowRow(caller, held, { ruled, governing, moment, digest })).toEqual(wanted);
      }),
      { numRuns: runs(5_000, 50_000) },
    );
  });
});

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
  it("gets the same verdict and row where nothing, everything or only its append is awaited", async () => {
    const deciding =
      (continued: boolean): typeof execute =>
      async (parts, given) => {
        const pending = pendingCall(given, parts.clock, parts.control.state);
        const judged = judge(parts.control, pending);
        const known = continued || judged.kind === "stopped" ? judged : { ...judged, ruled: null };
        const verdict = await decideAsync(parts, pending, known);
        if (verdict === null) throw new Error("a call without a key met another request's key");
        return verdict;
      };
    let allows = 0;
    await fc.assert(
      fc.asyncProperty(policies, calls, async (document, made) => {
        const straight = await decided(execute, document, made);
        expect(straight).toEqual(await decided(deciding(false), document, made));
        expect(straight).toEqual(await decided(deciding(true), document, made));
        allows += straight.rows.filter((row) => row.includes('"decision":"allow"')).length;
      }),
      { numRuns: runs(300, 3_000) },
    );
    expect(allows).toBeGreaterThan(100);
  });
});
