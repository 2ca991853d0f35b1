import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { KillSwitchIndex, type KillTarget } from "@svc/gateway/kill-switch-index";
import { atMost } from "../figure.ts";
import type { Scenario } from "../scenario.ts";
import { compareLookups } from "./compare-lookups.ts";

const FEW = 10;
const MANY = 100_000;

/** Different calls, as count. */
const CALLS = 1_000;

const SCOPES = ["namespace", "agent", "session", "tool"] as const;

export const killSwitchLookup: Scenario = {
  name: "kill-switch-lookup",
  title: "Whether a kill switch stops a call, from 10 to 100,000 active switches",
  run: async ({ rounds }) => {
    const figures = await compareLookups({
      rounds,
      name: "calls that no switch stops, 100,000 switches to 10",
      few: missingLookup(FEW),
      many: missingLookup(MANY),
      target: atMost(1.3),
    });
    return {
      kind: "measured",
      figures,
      notes: ["one lookup is four look-ups in hash tables, all of them misses"],
    };
  },
};

function missingLookup(switches: number): (at: number) => unknown {
  const index = new KillSwitchIndex();
  for (let at = 0; at < switches; at += 1) index.apply("default", record(at));
  if (index.size !== switches) throw new Error(`expected ${switches} switches, found ${index.size}`);
  const targets = Array.from({ length: CALLS }, (_, at) => target(at));
  const first = targets[0] ?? target(0);
  if (index.match(first) !== null) throw new Error("a switch stops the benchmark's call");
  return (at) => index.match(targets[at % CALLS] ?? first);
}

function target(at: number): KillTarget {
  return {
    org: "default",
    namespace: `team-${at % 20}`,
    agentId: `agent-${at % 200}`,
    sessionId: `session-${at}`,
    tool: `payments.action-${at % 50}`,
  };
}

function record(at: number): KillSwitchRecord {
  return {
    kill_switch_id: `ks_${at}`,
    scope: SCOPES[at % SCOPES.length] ?? "agent",
    target_id: `stopped-${at}`,
    account_wide: false,
    auto_recovery: false,
    status: "active",
    reason: "benchmark",
    activated_by: "bench",
    trigger_source: "api",
    activated_at: "2026-11-01T00:00:00.000Z",
    expires_at: null,
    ended_at: null,
    ended_by: null,
    end_reason: null,
    propagation_ms: 1,
  };
}
