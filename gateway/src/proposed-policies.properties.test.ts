// long: hundreds of gateways, each over a store of its own

import type { DecisionRow } from "@svc/contract/audit-row";
import { decidingDocument } from "@svc/engine/document-parts";
import { readPolicy } from "@svc/engine/read-policy";
import { anyRules, callOn, policyOf } from "@svc/engine/testing/generated-policies";
import { checkDocument } from "@svc/policy-analysis/check-document";
import { compileWatched } from "@svc/policy-analysis/compile-watched";
import { Replay } from "@svc/policy-analysis/replay";
import { type PresentPolicy, Survey } from "@svc/policy-analysis/survey";
import type { JsonObject } from "@svc/text/json-value";
import { KeyedDigest } from "@svc/text/keyed-digest";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DIGEST_KEY } from "./testing/gateway-over.ts";
import { testGateway } from "./testing/test-gateway.ts";

const RANGE = { org: "default", since: "", until: "9" };

function parsed(source: string) {
  const reading = readPolicy(source);
  if (!reading.ok) return null;
  const { rules, ...rest } = decidingDocument(reading.document);
  return { ...rest, rules: [...rules] };
}

function presentOf(document: JsonObject): PresentPolicy | null {
  const found = parsed(JSON.stringify(document));
  return found === null ? null : { document: found, written: document };
}

const policies = fc
  .tuple(
    policyOf(anyRules),
    fc.record({
      governance_mode: fc.constantFrom("enforcement", "shadow"),
      session: fc.constantFrom<JsonObject>({}, { max_steps: 2 }, { max_usd_per_session: 0.3 }),
      cost: fc.constantFrom<JsonObject>({}, { tool_prices: { "*": 0.1 } }),
    }),
  )
  .map(([policy, more]): JsonObject => ({ ...policy, ...more, rules: policy.rules }))
  .filter((document) => presentOf(document) !== null);
const calls = fc.array(callOn, { minLength: 1, maxLength: 8 });

async function record(document: JsonObject, made: readonly (readonly [string, JsonObject])[]) {
  const gateway = await testGateway();
  gateway.feed.putPolicy("p", JSON.stringify(document), { agent_id: "agent-1" });
  await gateway.follower.catchUp();
  for (const [tool, args] of made) await gateway.execute({ tool, args });
  return gateway.rows() as unknown as DecisionRow[];
}

function proposed(present: PresentPolicy | null, rows: readonly DecisionRow[]) {
  const scope = { ...RANGE, agentId: "agent-1", namespace: null, showsArguments: true };
  const survey = new Survey(present, scope);
  for (const [seq, row] of rows.entries()) survey.take(`gw_test.${String(seq)}`, row);
  return survey.result();
}

describe("a proposed policy", () => {
  // proves LEAST-01, LEAST-02
  it("is valid, denies nothing that ran, and leaves denied tools denied", async () => {
    await fc.assert(
      fc.asyncProperty(policies, calls, fc.boolean(), async (document, made, isKnown) => {
        const rows = await record(document, made);
        const proposal = proposed(isKnown ? presentOf(document) : null, rows);
        const source = proposal.document;
        expect(checkDocument({ source, mediaType: "application/yaml" }).kind).toBe("valid");
        const candidate = parsed(source);
        if (candidate === null) throw new Error("the proposal is not valid");
        const scope = { ...RANGE, policyId: "p", agents: null };
        const ran = rows.filter(({ decision }) => decision === "allow");
        const both = { candidate: compileWatched(candidate), base: null };
        const replay = new Replay(both, scope, new KeyedDigest(DIGEST_KEY));
        for (const [seq, row] of ran.entries())
          replay.take(`gw_test.${String(seq)}`, row, JSON.stringify(row));
        const { groups } = replay.result(0);
        expect(groups.filter(({ change }) => change === "newly_denied" || change === "newly_paused")).toEqual(
          [],
        );
        const tools = new Set(ran.map(({ tool }) => tool));
        expect(proposal.grants.map(({ tool }) => tool)).toEqual([...tools].toSorted());
        for (const { tool } of rows.filter((row) => !tools.has(row.tool)))
          expect(candidate.allowed).not.toContain(tool);
      }),
      { numRuns: runs(200, 2_000) },
    );
  });

  // proves LEAST-03
  it("shows what arguments were, and no masked value, secret or line of its own", async () => {
    const gateway = await testGateway();
    gateway.feed.putPolicy("p", "id: p\ntools: {allowed: ['*']}\n", { agent_id: "agent-1" });
    await gateway.follower.catchUp();
    const key = "AKIAIOSFODNN7EXAMPLE";
    for (const amount of [3, 480, 12])
      await gateway.execute({
        args: { amount, currency: "EUR", key, mail: "a@b.example", "x\n- evil": "a\u2028b" },
      });
    const rows = gateway.rows() as unknown as DecisionRow[];
    const { document, unused } = proposed(
      presentOf({ id: "p", tools: { allowed: ["payments.*", "mail.*"] } }),
      rows,
    );
    expect(document).toContain("# seen: args.amount from 3 to 480");
    expect(document).toContain('# seen: args.currency is one of ["EUR"]');
    for (const hidden of [key, "a@b.example", "[masked", "\u2028"]) expect(document).not.toContain(hidden);
    expect(parsed(document)?.allowed).toEqual(["payments.refund"]);
    expect(unused).toEqual([{ kind: "tools.allowed", entry: "mail.*" }]);
  });
});
