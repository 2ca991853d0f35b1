import type { AlertCondition } from "@svc/contract/alert";
import { type ProcessSigns, processSignsSchema } from "@svc/contract/process-signs";
import type { OwnedAlert } from "@svc/store/ports/alert-store";
import { describe, expect, it } from "vitest";
import type { AlertFacts, KnownAnomaly, ObservedEndpoint, ObservedProcess } from "./alert-facts.ts";
import { AlertWatch } from "./alert-watch.ts";

/** Seconds between two looks. */
const STEP_S = 2;

const QUIET: AlertFacts = { contained: [], anomalies: [], processes: [], endpoints: [] };

const contained = (severity: "CRITICAL" | "EMERGENCY"): AlertFacts => ({
  ...QUIET,
  contained: [{ org: "acme", agentId: "bot", sessions: [{ sessionId: "s-1", severity }] }],
});

function anomaly(kind: KnownAnomaly["anomaly"], ageS: number): AlertFacts {
  const position = { logId: "gw", seq: 7 };
  const named = { org: "acme", agentId: "bot", namespace: "default", sessionId: null, subject: "no-delete" };
  return {
    ...QUIET,
    anomalies: [{ ...named, position, anomaly: kind, explanation: "did it", atMs: 0, ageMs: ageS * 1_000 }],
  };
}

function process(signs: Partial<ProcessSigns>, changes: Partial<ObservedProcess> = {}): AlertFacts {
  const all = processSignsSchema.parse(signs);
  return {
    ...QUIET,
    processes: [{ id: "gw-1", host: "h", isGateway: true, isLiving: true, signs: all, ...changes }],
  };
}

const episode = (lastedS: number, idleS: number) => ({ lasted_ms: lastedS * 1_000, idle_ms: idleS * 1_000 });
const failing = (lastedS: number, idleS: number) =>
  process({ fail_closed: { audit_unavailable: episode(lastedS, idleS) } });
function endpoint(changes: Partial<ObservedEndpoint>): AlertFacts {
  const quiet = {
    kind: "webhook",
    org: "acme",
    id: "whk_1",
    origin: "https://hooks.example",
    lagMs: 0,
    dead: 0,
  } as const;
  return { ...QUIET, endpoints: [{ ...quiet, disabledReason: null, ...changes }] };
}

const UNREAD: AlertFacts = { contained: [], anomalies: null, processes: null, endpoints: null };
const POLICY = { org: "acme", policy_id: "refunds", detail: "no" };

/** Facts, and for how many seconds they last. */
type Phase = readonly [facts: AlertFacts, seconds: number];

/** What happened, as `<seconds> <what>`, when a store that keeps alerts was looked at every two seconds. */
function play(phases: readonly Phase[], watch = new AlertWatch()): string[] {
  const alerts = new Map<string, OwnedAlert>();
  const said: string[] = [];
  let nowS = 0;
  for (const [facts, seconds] of phases) {
    for (const endS = nowS + seconds; nowS < endS; nowS += STEP_S) {
      const { open, change, resolve } = watch.look(nowS * 1_000, facts, [...alerts.values()]);
      for (const { condition, finding } of open) {
        const { org, subject, summary, details } = finding;
        const record = { condition, subject, summary, details } as OwnedAlert["record"];
        alerts.set(`${condition} ${subject}`, { org, record });
        said.push(`${String(nowS)} open ${org} ${condition} ${subject}`);
      }
      for (const { alert, finding } of change) {
        const { summary, details } = finding;
        const record = { ...alert.record, summary, details };
        alerts.set(`${record.condition} ${record.subject}`, { ...alert, record });
        said.push(`${String(nowS)} change ${record.condition}`);
      }
      for (const { record } of resolve) {
        alerts.delete(`${record.condition} ${record.subject}`);
        said.push(`${String(nowS)} resolve ${record.condition}`);
      }
    }
  }
  return said;
}

interface Case {
  readonly condition: AlertCondition;
  readonly what: string;
  readonly phases: readonly Phase[];
  readonly said: readonly string[];
}

const CASES: readonly Case[] = [
  {
    condition: "agent_severity",
    what: "opens at once, says at once that it got worse, and ends some seconds later",
    phases: [
      [contained("CRITICAL"), 10],
      [contained("EMERGENCY"), 60],
      [QUIET, 20],
    ],
    said: ["0 open acme agent_severity bot", "10 change agent_severity", "76 resolve agent_severity"],
  },
  {
    condition: "agent_anomaly",
    what: "lasts for a quarter of an hour after the last one",
    phases: [
      [anomaly("call_burst", 0), 4],
      [anomaly("call_burst", 14 * 60), 4],
      [anomaly("call_burst", 15 * 60), 4],
    ],
    said: ["0 open acme agent_anomaly bot", "8 resolve agent_anomaly"],
  },
  {
    condition: "policy_violations",
    what: "names agent and rule, and ends ten minutes after the last burst",
    phases: [
      [anomaly("policy_violations", 0), 4],
      [anomaly("policy_violations", 599), 4],
      [anomaly("policy_violations", 600), 4],
    ],
    said: ["0 open acme policy_violations bot: no-delete", "8 resolve policy_violations"],
  },
  {
    condition: "policy_unloadable",
    what: "belongs to the organization of the policy",
    phases: [
      [process({ unloadable: [POLICY] }), 30],
      [process({}), 30],
    ],
    said: ["10 open acme policy_unloadable refunds", "46 resolve policy_unloadable"],
  },
  {
    condition: "fail_closed",
    what: "needs a minute of denies, and ends two minutes after the last",
    phases: [
      [failing(58, 0), 10],
      [failing(60, 0), 10],
      [failing(60, 59), 10],
      [failing(60, 60), 80],
    ],
    said: ["10 open default fail_closed audit_unavailable", "90 resolve fail_closed"],
  },
  {
    condition: "fail_closed",
    what: "does not flap while denies come again and again",
    phases: [
      [failing(61, 0), 4],
      [failing(61, 61), 58],
      [failing(0, 0), 60],
      [failing(61, 0), 50],
    ],
    said: ["0 open default fail_closed audit_unavailable"],
  },
  {
    condition: "fail_closed",
    what: "is nothing when denies came for less than a minute",
    phases: [[failing(59, 0), 100]],
    said: [],
  },
  {
    condition: "checkpoint_failing",
    what: "opens with the first, and ends five minutes later",
    phases: [
      [process({ checkpoints: episode(0, 0) }), 10],
      [process({ checkpoints: episode(0, 31) }), 310],
    ],
    said: ["0 open default checkpoint_failing gw-1", "310 resolve checkpoint_failing"],
  },
  {
    condition: "gateway_silent",
    what: "opens for a gateway, and ends half a minute after it is back",
    phases: [
      [process({}, { isLiving: false }), 10],
      [process({}), 40],
    ],
    said: ["0 open default gateway_silent gw-1", "40 resolve gateway_silent"],
  },
  {
    condition: "gateway_silent",
    what: "is nothing for a process that decides no calls",
    phases: [[process({}, { isLiving: false, isGateway: false }), 20]],
    said: [],
  },
  {
    condition: "index_late",
    what: "opens above a minute and ends below ten seconds",
    phases: [
      [process({ index_lag_ms: 59_000 }), 20],
      [process({ index_lag_ms: 61_000 }), 20],
      [process({ index_lag_ms: 30_000 }), 60],
      [process({ index_lag_ms: 9_000 }), 20],
    ],
    said: ["30 open default index_late audit index", "90 change index_late", "116 resolve index_late"],
  },
  {
    condition: "deliveries_late",
    what: "opens above a minute and ends a minute after the endpoint has everything",
    phases: [
      [endpoint({ lagMs: 59_000 }), 20],
      [endpoint({ lagMs: 61_000 }), 20],
      [endpoint({}), 70],
    ],
    said: ["30 open acme deliveries_late whk_1", "100 resolve deliveries_late"],
  },
  {
    condition: "deliveries_late",
    what: "watches integrations, too",
    phases: [
      [endpoint({ kind: "integration", id: "int_1", lagMs: 61_000 }), 20],
      [endpoint({ kind: "integration", id: "int_1" }), 70],
    ],
    said: ["10 open acme deliveries_late int_1", "80 resolve deliveries_late"],
  },
  {
    condition: "deliveries_late",
    what: "is nothing for one that only a clock that jumped made late",
    phases: [
      [endpoint({ lagMs: 3_600_000 }), 8],
      [endpoint({}), 60],
    ],
    said: [],
  },
  {
    condition: "dead_letters",
    what: "lasts until there is none",
    phases: [
      [endpoint({ dead: 3 }), 10],
      [endpoint({ dead: 1, disabledReason: "operator" }), 10],
      [endpoint({}), 10],
    ],
    said: ["0 open acme dead_letters whk_1", "26 resolve dead_letters"],
  },
  {
    condition: "dead_letters",
    what: "says how many there are, at most once a minute",
    phases: Array.from({ length: 20 }, (_, at) => [endpoint({ dead: at + 1 }), 10] as const),
    said: [
      "0 open acme dead_letters whk_1",
      "60 change dead_letters",
      "120 change dead_letters",
      "180 change dead_letters",
    ],
  },
  {
    condition: "webhook_disabled",
    what: "lasts until it is enabled again, and is nothing when a person disabled it",
    phases: [
      [endpoint({ disabledReason: "operator" }), 10],
      [endpoint({ disabledReason: "gone" }), 10],
      [endpoint({}), 10],
    ],
    said: ["10 open acme webhook_disabled whk_1", "20 resolve webhook_disabled"],
  },
  {
    condition: "disk_low",
    what: "opens below a tenth and ends above twelve hundredths",
    phases: [
      [process({ disk_free: 0.11 }), 60],
      [process({ disk_free: 0.09 }), 60],
      [process({ disk_free: 0.11 }), 120],
      [process({ disk_free: 0.12 }), 70],
    ],
    said: ["90 open default disk_low gw-1", "150 change disk_low", "300 resolve disk_low"],
  },
];

// proves ALERT-02, ALERT-03
describe("the watch of conditions", () => {
  it.each(CASES)("$condition $what", ({ phases, said }) => {
    expect(play(phases)).toEqual(said);
  });

  // proves ALERT-04
  it.each([
    ["resolves nothing of what cannot be read", UNREAD, 600, []],
    ["resolves it when it can be read again", QUIET, 40, ["40 resolve gateway_silent"]],
  ] as const)("%s", (_, then, seconds, said) => {
    const opened = "0 open default gateway_silent gw-1";
    const silent = process({}, { isLiving: false });
    expect(
      play([
        [silent, 10],
        [then, seconds],
      ]),
    ).toEqual([opened, ...said]);
  });

  // proves ALERT-04
  it("measures anew after a pause of its process", () => {
    const watch = new AlertWatch();
    const low = process({ disk_free: 0.05 });
    expect(watch.look(0, low, []).open).toEqual([]);
    expect(watch.look(3_600_000, low, []).open).toEqual([]);
    expect(watch.look(3_620_000, low, []).open).toEqual([]);
    expect(watch.look(3_630_000, low, []).open).toHaveLength(1);
    const [{ finding, condition } = expect.unreachable("expected a finding")] = watch.look(
      3_632_000,
      low,
      [],
    ).open;
    const record = { condition, ...finding } as unknown as OwnedAlert["record"];
    const known = [{ org: finding.org, record }];
    expect(watch.look(3_634_000, QUIET, known).resolve).toEqual([]);
    expect(watch.look(9_999_000, QUIET, known).resolve).toEqual([]);
  });

  // proves ALERT-03
  it("goes on with the alerts of a watch before it", () => {
    const [opened] = new AlertWatch().look(0, contained("CRITICAL"), []).open;
    const record = { condition: "agent_severity", ...opened?.finding } as unknown as OwnedAlert["record"];
    const known = [{ org: "acme", record }];
    const watch = new AlertWatch();
    expect(watch.look(0, contained("CRITICAL"), known)).toEqual({ open: [], change: [], resolve: [] });
    expect(watch.look(2_000, QUIET, known).resolve).toEqual([]);
    expect(watch.look(8_000, QUIET, known).resolve).toEqual(known);
  });
});
