import type { ExecuteRequest } from "@svc/contract/execute-request";
import { execute } from "@svc/gateway/execute";
import { call, PRINCIPAL, received, testGateway } from "@svc/gateway/testing/test-gateway";
import type { ControlChange, ControlSnapshot } from "@svc/store/ports/control-change";
import type { Ledger } from "@svc/store/ports/ledger";
import { benchmarkArgs } from "../benchmark-calls.ts";
import { BENCH_TOOL, benchmarkPolicy } from "../benchmark-policy.ts";
import { benchmarkSwitch } from "../benchmark-switch.ts";
import { atMost, type Figure, figure } from "../figure.ts";
import type { Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

/** Calls of one turn, and calls under way at once, as counts. */
const CALLS = 20_000;
const AT_ONCE = 50;

/** Agents that call in turn where every agent has a policy of its own, as count. */
const MANY_AGENTS = 1_000;

const RULES = 20;
const NANOSECONDS_PER_MS = 1_000_000;

/** What the gateway knows, and how many agents call it. */
interface Circumstances {
  readonly switches: number;
  readonly policies: number;
  readonly agents: number;
  /** Agents that are registered, and sessions of agents that do not call above INFO, as counts. */
  readonly registered: number;
  /** Whether the agents that call are among those that are registered. */
  readonly isCallerRegistered: boolean;
  readonly severities: number;
}

export const USUAL: Circumstances = {
  switches: 10,
  policies: 1,
  agents: 1,
  registered: 0,
  isCallerRegistered: false,
  severities: 0,
};

export const decide: Scenario = {
  name: "decide",
  title: "Deciding a call and writing its row's text, without HTTP and disk, as control state grows",
  run: async ({ rounds }) => {
    const sides = [
      await decider(USUAL),
      await decider({ ...USUAL, switches: 100_000 }),
      await decider({ ...USUAL, policies: 10_000, agents: MANY_AGENTS }),
    ];
    await takeTurns(1, sides);
    const [usual = [], switches = [], policies = []] = await takeTurns(rounds, sides);
    const figures: Figure[] = [
      figure("100,000 kill switches to 10", "ratio", ratios(switches, usual), atMost(1.3)),
      figure("10,000 policies to 1", "ratio", ratios(policies, usual), atMost(1.3)),
      figure("one decision, 10 kill switches and 1 policy", "ns", usual),
    ];
    const note =
      "with 10,000 policies 1,000 agents call in turn, each under rules of its own that no cache still holds";
    return { kind: "measured", figures, notes: [note] };
  },
};

/** @returns what decides a turn's calls and tells nanoseconds per call. */
export async function decider(circumstances: Circumstances): Promise<() => Promise<number>> {
  const { parts, ledger } = await testGateway();
  ledger.commit = discardRows;
  const { agents } = circumstances;
  const steps = parts.control.state.load(snapshotOf(circumstances));
  while (steps.next().done !== true);
  await parts.control.state.policiesSettled(1);
  const requests = Array.from({ length: MANY_AGENTS }, (_, at) => requestOf(`agent-${at % agents}`, at));
  return async () => {
    const startedMs = performance.now();
    for (let at = 0; at < CALLS; at += AT_ONCE) {
      const first = at % MANY_AGENTS;
      const verdicts = await Promise.all(
        requests.slice(first, first + AT_ONCE).map((request) => execute(parts, received(request))),
      );
      const other = verdicts.find(({ decision }) => decision !== "allow");
      if (other !== undefined) throw new Error(`expected allows only, found ${JSON.stringify(other)}`);
    }
    const elapsedMs = performance.now() - startedMs;
    return (elapsedMs * NANOSECONDS_PER_MS) / CALLS;
  };
}

/** The time of a store does not belong to the figure. */
const discardRows: Ledger["commit"] = async (entries) =>
  entries.map((_, seq) => ({ kind: "committed", position: { logId: "gw_bench", seq } }));

function requestOf(agentId: string, at: number): ExecuteRequest {
  const args = benchmarkArgs(at);
  return call({ agent_id: agentId, session_id: `session-${at}`, tool: BENCH_TOOL, args });
}

function snapshotOf(circumstances: Circumstances): ControlSnapshot {
  const { switches, policies, agents, registered, isCallerRegistered, severities } = circumstances;
  const callers = isCallerRegistered ? agents : 0;
  const changes: ControlChange[] = [
    ...Array.from(
      { length: switches },
      (_, at) => ({ kind: "kill_switch", record: benchmarkSwitch(at) }) as const,
    ),
    ...Array.from({ length: policies }, (_, at) => policyChanges(at)).flat(),
    ...Array.from({ length: callers }, (_, at) => agentChange(`agent-${at}`)),
    ...Array.from({ length: Math.max(registered - callers, 0) }, (_, at) => agentChange(`registered-${at}`)),
    ...Array.from({ length: severities }, (_, at) => severityChange(at)),
  ];
  return { revision: 1, changes: changes.map((change) => ({ org: PRINCIPAL.org, change })) };
}

function policyChanges(at: number): readonly ControlChange[] {
  const policyId = `policy-${at}`;
  const agentId = `agent-${at}`;
  const source = benchmarkPolicy({ id: policyId, agentId, walkedRules: RULES });
  const record = {
    id: `assignment-${at}`,
    policy_id: policyId,
    agent_id: agentId,
    namespace_id: null,
    created_at: "2026-11-01T00:00:00.000Z",
    created_by: "bench",
  };
  return [
    { kind: "policy", policyId, version: 1, enabled: true, source },
    { kind: "assignment", record, removed: false },
  ];
}

/** In the namespace of the calls, so that every call of the benchmark is allowed. */
function agentChange(id: string): ControlChange {
  const record = { id, namespace: "default", quarantine: null };
  return { kind: "agent", record, removed: false };
}

/** Of agents that do not call. */
function severityChange(at: number): ControlChange {
  const name = { agentId: `registered-${at}`, sessionId: `supervised-${at}` };
  const severity = at % 2 === 0 ? "WARNING" : "CRITICAL";
  return {
    kind: "severity",
    record: { ...name, severity, since: "2026-11-01T00:00:00.000Z", reason: "bench" },
  };
}
