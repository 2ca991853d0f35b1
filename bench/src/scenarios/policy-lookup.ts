import { compilePolicy } from "@svc/engine/testing/compile-policy";
import { PolicyIndex } from "@svc/gateway/policy-index";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import type { Scenario } from "../scenario.ts";
import { compareLookups } from "./compare-lookups.ts";

const MANY = 10_000;

/** Different agents that call while there are many policies, as count. */
const AGENTS = 1_000;

export const policyLookup: Scenario = {
  name: "policy-lookup",
  title: "The lookup of a call's policy alone, from 1 to 10,000 policies",
  run: async ({ rounds }) => {
    const few = lookup(indexOf(1), 1);
    const many = lookup(indexOf(MANY), AGENTS);
    const figures = await compareLookups({ rounds, name: "10,000 policies to 1", few, many });
    return {
      kind: "measured",
      figures,
      notes: ["two hash tables; with 10,000 policies 1,000 agents call in turn"],
    };
  },
};

function lookup(index: PolicyIndex, agents: number): (at: number) => unknown {
  const names = Array.from({ length: agents }, (_, at) => `agent-${at}`);
  if (index.policyFor("default", "agent-0", "default")?.kind !== "ready")
    throw new Error("no policy governs agent-0");
  return (at) => index.policyFor("default", names[at % agents] ?? "", "default");
}

function indexOf(policies: number): PolicyIndex {
  const index = new PolicyIndex();
  const source = benchmarkPolicy({ walkedRules: 1 });
  const compilation = compilePolicy(source);
  if (!compilation.ok) throw new Error(`the policy is refused: ${JSON.stringify(compilation.diagnostics)}`);
  const { policy } = compilation;
  for (let at = 0; at < policies; at += 1) {
    const id = `policy-${at}`;
    index.setPolicy("default", id, { inForce: { kind: "ready", version: 1, policy, source }, load: null });
    const record = {
      id: `assignment-${at}`,
      policy_id: id,
      agent_id: `agent-${at}`,
      namespace_id: null,
      created_at: "2026-11-01T00:00:00.000Z",
      created_by: "bench",
    };
    index.setAssignment("default", record, at + 1);
  }
  return index;
}
