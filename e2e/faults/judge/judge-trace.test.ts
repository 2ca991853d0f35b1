import { describe, expect, it } from "vitest";
import { judgeTrace } from "./judge-trace.ts";
import { applied, type call, chainOf, headOf, type SoundRun, soundRun } from "./sound-trace.ts";

const BACK_WITHIN_MS = 5_000;

function rulesBrokenBy(plant: (run: SoundRun) => unknown): string[] {
  const run = soundRun();
  plant(run);
  const { findings } = judgeTrace(run.trace, run.records, BACK_WITHIN_MS);
  return [...new Set(findings.map(({ rule }) => rule))];
}

/** The row of that number replaced, and the log computed again. */
function rewrite({ records }: SoundRun, seq: number, text: string): void {
  const [own, others] = [
    records.rows.filter(({ logId }) => logId === "gw-1"),
    records.rows.filter(({ logId }) => logId !== "gw-1"),
  ];
  const rows = chainOf(
    "gw-1",
    own.map((row) => (row.seq === seq ? text : row.text)),
  );
  records.rows = [...rows, ...others];
  records.heads = [headOf(rows), headOf(others)];
}

function replaceCall({ trace }: SoundRun, order: number, known: Parameters<typeof call>[0]): void {
  trace.calls = trace.calls.map((each) => (each.order === order ? { ...each, ...known } : each));
}

it("finds nothing in a run that keeps every promise, and says how much it judged", () => {
  const { trace, records } = soundRun();
  const { findings, judged, recoveries } = judgeTrace(trace, records, BACK_WITHIN_MS);
  expect(findings).toEqual([]);
  expect(judged).toEqual({
    "answers while a switch had to be enforced": 2,
    "answers after the end of a lease": 1,
    "answers with a row": 5,
    "kills with a row": 1,
    "rows in chains": 6,
    "control changes applied": 5,
    "acknowledgements of kills": 1,
    recoveries: 1,
  });
  expect(recoveries).toEqual([{ kind: "partition", gateway: "gw-1", tookMs: 1_009 }]);
});

// Each case plants one defect and names the rule that must find it.
const DEFECTS: readonly (readonly [string, (run: SoundRun) => unknown])[] = [
  [
    "allow after an acknowledged kill",
    (run) => {
      replaceCall(run, 1, { decision: "allow" });
      rewrite(run, 1, JSON.stringify({ decision: "allow", agent_id: "agent-1", session_id: "call-1" }));
    },
  ],
  [
    "allow after an acknowledged kill",
    (run) => {
      run.trace.kills = run.trace.kills.map((each) => ({ ...each, gateways: [], leaseEndsMs: 1_100 }));
      replaceCall(run, 1, { decision: "allow" });
      rewrite(run, 1, JSON.stringify({ decision: "allow", agent_id: "agent-1", session_id: "call-1" }));
    },
  ],
  [
    "allow after the end of the lease",
    ({ trace }) => {
      trace.faults = trace.faults.map((fault) => ({
        ...fault,
        inForceMs: 100,
        liftedMs: 7_000,
        endedMs: 5_001,
      }));
    },
  ],
  [
    "lost row",
    ({ records }) => {
      records.rows = records.rows.filter(({ logId }) => logId !== "gw-2");
    },
  ],
  [
    "row of another call",
    (run) => rewrite(run, 0, JSON.stringify({ decision: "deny", session_id: "call-0" })),
  ],
  [
    "withdrawn allow",
    (run) =>
      rewrite(
        run,
        4,
        JSON.stringify({
          kind: "outcome",
          withdrawn: true,
          decision_id: "gw-1.0",
          action: "activated",
          kill_switch_id: "ks_1",
        }),
      ),
  ],
  ["allow without a row", (run) => replaceCall(run, 3, { decisionId: null })],
  [
    "decision id given twice",
    ({ trace }) => {
      trace.calls = [...trace.calls, ...trace.calls.slice(0, 1)];
    },
  ],
  ["lost kill", (run) => rewrite(run, 4, JSON.stringify({ action: "deactivated", kill_switch_id: "ks_1" }))],
  [
    "broken chain",
    ({ records }) => {
      records.rows = records.rows.map((row) => ({
        ...row,
        text: row.text.replace("steady", "steady") + " ",
      }));
    },
  ],
  [
    "broken chain",
    ({ records }) => {
      records.heads = records.heads.map((head) => ({ ...head, size: head.size + 1 }));
    },
  ],
  ["late recovery", (run) => replaceCall(run, 3, { sentMs: 10_000, answeredMs: 10_002 })],
  [
    "late recovery",
    (run) => {
      replaceCall(run, 3, { decision: "deny" });
      rewrite(run, 2, JSON.stringify({ decision: "deny", agent_id: "steady", session_id: "call-3" }));
    },
  ],
];

it.each(DEFECTS)("finds the planted defect: %s", (rule, plant) => {
  expect(rulesBrokenBy(plant)).toEqual([rule]);
});

describe("the checker of the control feed", () => {
  const DEFECTS_OF_FEED: readonly (readonly [string, (run: SoundRun) => unknown])[] = [
    [
      "unique: an event was applied twice",
      ({ trace }) => trace.applied.splice(1, 0, applied({ revision: 2, loggedMs: 1_040 })),
    ],
    [
      "ordered: an event goes back",
      ({ trace }) =>
        trace.applied.splice(
          3,
          0,
          applied({ revision: 2, loggedMs: 5_506 }),
          applied({ revision: 3, loggedMs: 5_507 }),
        ),
    ],
    [
      "ordered: a snapshot goes back",
      ({ trace }) =>
        trace.applied.splice(
          3,
          0,
          applied({ revision: 2, by: "snapshot", change: null, loggedMs: 5_506 }),
          applied({ revision: 3, loggedMs: 5_507 }),
        ),
    ],
    ["reliable: an event was left out", ({ trace }) => trace.applied.splice(1, 1)],
    [
      "reliable: another event than the log's",
      ({ trace }) => trace.applied.splice(1, 1, applied({ revision: 2, change: "policy", loggedMs: 1_050 })),
    ],
    ["reliable: the last events are missing", ({ trace }) => trace.applied.splice(2, 1)],
    [
      "reliable: acknowledged, not applied",
      ({ trace }) => trace.applied.splice(1, 1, applied({ revision: 2, loggedMs: 1_200 })),
    ],
    [
      "reliable: nothing was applied",
      ({ trace }) => {
        trace.survivors = [...trace.survivors, "gw-3 1"];
      },
    ],
    ["resumable: an event before any snapshot", ({ trace }) => trace.applied.splice(0, 1)],
    [
      "resumable: a restart goes back",
      ({ trace }) =>
        trace.applied.splice(
          3,
          1,
          applied({
            process: "gw-2 1",
            gateway: "gw-2",
            revision: 3,
            by: "snapshot",
            change: null,
            loggedMs: 10,
          }),
        ) &&
        trace.applied.splice(
          4,
          1,
          applied({
            process: "gw-2 2",
            gateway: "gw-2",
            revision: 2,
            by: "snapshot",
            change: null,
            loggedMs: 5_900,
          }),
          applied({ process: "gw-2 2", gateway: "gw-2", revision: 3, loggedMs: 5_901 }),
        ),
    ],
    [
      "revision log has a gap",
      ({ records }) => {
        records.events = records.events.map((event) =>
          event.revision === 3 ? { ...event, revision: 4 } : event,
        );
      },
    ],
    [
      "ordered: a revision that is not in the log",
      ({ trace }) => trace.applied.splice(3, 0, applied({ revision: 4, loggedMs: 5_506 })),
    ],
  ];

  it.each(DEFECTS_OF_FEED)("finds the planted defect: %s", (rule, plant) => {
    expect(rulesBrokenBy(plant)).toContain(rule);
  });
});
