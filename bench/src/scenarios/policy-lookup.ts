import type { JsonObject } from "@svc/contract/json-value";
import { compilePolicy } from "@svc/engine/compile-policy";
import type { GovernedCall } from "@svc/engine/evaluation";
import { PolicyIndex } from "@svc/gateway/policy-index";
import { benchmarkArgs } from "../benchmark-calls.ts";
import { BENCH_TOOL, benchmarkPolicy } from "../benchmark-policy.ts";
import { atMost } from "../figure.ts";
import type { Scenario } from "../scenario.ts";
import { compareLookups } from "./compare-lookups.ts";

const MANY = 10_000;

/** Different agents that call while there are many policies, as count. */
const AGENTS = 1_000;

const RULES = 20;

export const policyLookup: Scenario = {
  name: "policy-lookup",
  title: "Finding and evaluating the policy of a call, from 1 to 10,000 policies",
  run: async ({ rounds }) => {
    const one = indexOf(1);
    const many = indexOf(MANY);
    const lookups = await compareLookups({
      rounds,
      name: "lookup alone, 10,000 policies to 1",
      few: lookup(one, 1),
      many: lookup(many, AGENTS),
      target: null,
    });
    const decisions = await compareLookups({
      rounds,
      name: `lookup and evaluation of ${RULES} rules, 10,000 policies to 1`,
      few: decision(one, 1),
      many: decision(many, AGENTS),
      target: atMost(1.3),
    });
    const note =
      "with one policy one agent calls; with 10,000 in turn 1,000 agents with a policy each: caches stay cold";
    return { kind: "measured", figures: [...lookups, ...decisions], notes: [note] };
  },
};

type Work = (at: number) => unknown;

function lookup(index: PolicyIndex, agents: number): Work {
  const calls = callsOf(agents);
  return (at) => index.policyFor("default", calls[at % agents]?.agentId ?? "", "default");
}

function decision(index: PolicyIndex, agents: number): Work {
  const calls = callsOf(agents);
  return (at) => {
    const call = calls[at % agents];
    const loaded = index.policyFor("default", call?.agentId ?? "", "default");
    if (call === undefined || loaded?.kind !== "ready")
      throw new Error("no policy governs the benchmark's call");
    return loaded.policy.evaluate(call);
  };
}

function callsOf(agents: number): GovernedCall[] {
  return Array.from({ length: agents }, (_, at) => ({
    agentId: `agent-${at}`,
    sessionId: `session-${at}`,
    namespace: "default",
    tool: BENCH_TOOL,
    args: benchmarkArgs(at) as JsonObject,
    costMicroUsd: null,
    usage: null,
  }));
}

function indexOf(policies: number): PolicyIndex {
  const index = new PolicyIndex();
  for (let at = 0; at < policies; at += 1) bind(index, at);
  return index;
}

function bind(index: PolicyIndex, at: number): void {
  const id = `policy-${at}`;
  const agentId = `agent-${at}`;
  const compilation = compilePolicy(benchmarkPolicy({ id, agentId, walkedRules: RULES }));
  if (!compilation.ok) throw new Error(`the policy is refused: ${JSON.stringify(compilation.diagnostics)}`);
  index.setPolicy("default", id, { kind: "ready", version: 1, policy: compilation.policy });
  index.setAssignment("default", {
    id: `assignment-${at}`,
    policy_id: id,
    agent_id: agentId,
    namespace_id: null,
    created_at: "2026-11-01T00:00:00.000Z",
    created_by: "bench",
  });
}
