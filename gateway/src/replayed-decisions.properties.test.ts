// long: hundreds of gateways, each over a store of its own

import type { DecisionRow } from "@svc/contract/audit-row";
import type { ReplayResult } from "@svc/contract/replay";
import { decidingDocument } from "@svc/engine/document-parts";
import { readPolicy } from "@svc/engine/read-policy";
import { anyRules, callOn, policyOf } from "@svc/engine/testing/generated-policies";
import { compileWatched } from "@svc/policy-analysis/compile-watched";
import { Replay } from "@svc/policy-analysis/replay";
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

function watched(document: JsonObject) {
  const reading = readPolicy(JSON.stringify(document));
  if (!reading.ok) return null;
  const { rules, ...rest } = decidingDocument(reading.document);
  return compileWatched({ ...rest, rules: [...rules] });
}

function replayed(
  document: JsonObject,
  rows: readonly Record<string, unknown>[],
  base: JsonObject | null = null,
): ReplayResult {
  const policy = watched(document);
  if (policy === null) throw new Error("not a policy");
  const scope = { org: "default", policyId: "p", agents: null, since: "", until: "9" };
  const replay = new Replay({ candidate: policy, base: base === null ? null : watched(base) }, scope, digest);
  for (const [seq, row] of rows.entries())
    replay.take(`gw_test.${String(seq)}`, row as unknown as DecisionRow, JSON.stringify(row));
  return replay.result(0);
}

const policies = fc
  .tuple(policyOf(anyRules), circumstances, stepsRule)
  .map(([policy, more, steps]): JsonObject => {
    const rules = steps === null ? policy.rules : [steps, ...policy.rules];
    return { ...policy, ...more, rules };
  })
  .filter((document) => watched(document) !== null);
const secretly = fc.constantFrom<JsonObject>({}, {}, { path: SECRET }, { a: { amount: SECRET } });
const calls = fc.array(fc.tuple(callOn, fc.constantFrom(null, 150_000), secretly), {
  minLength: 1,
  maxLength: 8,
});

async function record(
  document: JsonObject,
  made: readonly (readonly [readonly [string, JsonObject], number | null, JsonObject])[],
) {
  const gateway = await testGateway();
  gateway.feed.putPolicy("p", JSON.stringify(document), { agent_id: "agent-1" });
  await gateway.follower.catchUp();
  for (const [[tool, args], cost_micro_usd, secret] of made)
    await gateway.execute({ tool, args: { ...args, ...secret }, cost_micro_usd });
  return gateway.rows();
}

describe("a replay of recorded decisions", () => {
  // proves REP-04, REP-05
  it("changes nothing under the policy that made them, and claims nothing about masks", async () => {
    let undecided = 0;
    await fc.assert(
      fc.asyncProperty(policies, calls, async (document, made) => {
        const result = replayed(document, await record(document, made));
        expect(result.groups).toEqual([]);
        expect(result.unchanged + result.undecided.masked + result.undecided.session).toBe(made.length);
        undecided += result.undecided.masked;
      }),
      { numRuns: runs(200, 2_000) },
    );
    expect(undecided).toBeGreaterThan(0);
  });

  // proves REP-02, REP-03
  it("counts what a gateway under the candidate would have answered", async () => {
    await fc.assert(
      fc.asyncProperty(policies, policies, calls, async (present, candidate, made) => {
        const open = made.map(([call, cost]) => [call, cost, {}] as const);
        const rows = await record(present, open);
        const others = await record(candidate, open);
        const result = replayed(candidate, rows);
        fc.pre(result.undecided.masked + result.undecided.session === 0);
        const changed = rows.filter((row, at) => row["decision"] !== others[at]?.["decision"]).length;
        expect(result.newly_denied + result.newly_allowed + result.newly_paused).toBe(changed);
        expect(replayed(candidate, rows)).toEqual(result);
      }),
      { numRuns: runs(100, 1_000) },
    );
  });

  // proves REP-14
  it("counts what gateways under two versions would have answered differently", async () => {
    await fc.assert(
      fc.asyncProperty(policies, policies, policies, calls, async (recorded, base, candidate, made) => {
        const open = made.map(([call, cost]) => [call, cost, {}] as const);
        const rows = await record(recorded, open);
        expect(replayed(base, rows, base)).toMatchObject({ groups: [], groups_left_out: 0 });
        const result = replayed(candidate, rows, base);
        fc.pre(result.undecided.masked + result.undecided.session === 0);
        const [before, after] = [await record(base, open), await record(candidate, open)];
        const changed = before.filter((row, at) => row["decision"] !== after[at]?.["decision"]).length;
        expect(result.newly_denied + result.newly_allowed + result.newly_paused).toBe(changed);
      }),
      { numRuns: runs(60, 600) },
    );
  });
});
