import type { BehaviourSettings } from "@svc/contract/behaviour";
import { DEFAULT_BEHAVIOUR } from "@svc/contract/default-behaviour";
import { describe, expect, it } from "vitest";
import { nameDigest } from "../database/name-digest.ts";
import type { CallHistory } from "./agent-behaviour.ts";
import { BehaviourWatch } from "./behaviour-watch.ts";
import type { ObservedAnomaly } from "./observed-anomaly.ts";
import type { ObservedCall } from "./observed-call.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.parse("2026-11-23T10:00:00.000Z");

function call(at: number, changes: Partial<ObservedCall> = {}): ObservedCall {
  return {
    org: "default",
    namespace: "default",
    agentId: "agent-1",
    sessionId: "s-1",
    tool: "crm.read",
    decision: "allow",
    reasonCode: null,
    ruleId: null,
    callDigest: `digest-${String(at)}-${changes.tool ?? ""}`,
    decisionId: `gw.${String(at)}`,
    atMs: START_MS + at,
    ...changes,
  };
}

const denied = (at: number, changes: Partial<ObservedCall> = {}): ObservedCall =>
  call(at, { decision: "deny", reasonCode: "rule", ruleId: "no-delete", ...changes });

interface Watched {
  readonly settings?: Partial<BehaviourSettings>;
  readonly history?: CallHistory;
}

async function watch(calls: readonly ObservedCall[], options: Watched = {}): Promise<ObservedAnomaly[]> {
  const watched = new BehaviourWatch({
    settingsOf: () => ({ ...DEFAULT_BEHAVIOUR, ...options.settings }),
    historyOf: async () => Promise.resolve(options.history ?? { calls: 0, tools: [] }),
  });
  const found: ObservedAnomaly[] = [];
  for (const each of calls) found.push(...(await watched.note(each)));
  return found;
}

const range = (count: number): number[] => [...Array(count).keys()];
const kinds = (found: readonly ObservedAnomaly[]): string[] => found.map(({ anomaly }) => anomaly);

// proves ANOM-01
describe("the same call, again and again", () => {
  const same = (count: number, everyMs: number): ObservedCall[] =>
    range(count).map((index) => call(index * everyMs, { callDigest: "same" }));

  it("is reported once, when it comes the twentieth time within a minute", async () => {
    expect(kinds(await watch(same(19, 100)))).toEqual([]);
    const found = await watch(same(60, 100));
    expect(found).toEqual([
      expect.objectContaining({
        anomaly: "identical_call_repeated",
        agentId: "agent-1",
        sessionId: "s-1",
        explanation: "called crm.read with the same arguments 20 times within a minute",
        subject: "same",
        evidence: {
          tool: "crm.read",
          calls: 20,
          decision_ids: [15, 16, 17, 18, 19].map((index) => `gw.${String(index * 100)}`),
        },
      }),
    ]);
  });

  it("is not reported when it comes slowly", async () => {
    expect(kinds(await watch(same(100, 5_000)))).toEqual([]);
  });

  it("is reported again after it had stopped", async () => {
    const later = range(30).map((index) => call(5 * MINUTE_MS + index * 100, { callDigest: "same" }));
    expect(kinds(await watch([...same(30, 100), ...later]))).toHaveLength(2);
  });

  // proves ANOM-04
  it("can be switched off", async () => {
    expect(kinds(await watch(same(60, 100), { settings: { repeated_calls: null } }))).toEqual([]);
  });
});

// proves ANOM-02
describe("a denied call that comes again", () => {
  it("is reported after five repeats, with the rule", async () => {
    const retries = range(6).map((index) => denied(index * 30_000, { callDigest: "same" }));
    expect(kinds(await watch(retries.slice(0, 5)))).toEqual([]);
    expect((await watch(retries)).map(({ anomaly, explanation }) => [anomaly, explanation])).toEqual([
      [
        "denied_call_retried",
        "repeated a denied call of crm.read 5 times within ten minutes; the rule no-delete denies it",
      ],
    ]);
  });

  it.each(["control_state_unverified", "policy_loading", "a_code_of_a_later_version"])(
    "may be repeated after %s",
    async (reasonCode) => {
      const retries = range(10).map((index) =>
        denied(index * 30_000, { callDigest: "same", reasonCode, ruleId: null }),
      );
      expect(kinds(await watch(retries))).toEqual([]);
    },
  );
});

// proves ANOM-03
describe("many denied calls", () => {
  const settings = { rule_denies: null };

  it("are reported once while they last, and again when they begin anew", async () => {
    const storm = range(60).map((index) => denied(index * 500));
    expect((await watch(storm, { settings })).map(({ explanation }) => explanation)).toEqual([
      "had 30 of 30 calls denied within a minute",
    ]);
    const calm = range(5).map((index) => call((5 + index) * MINUTE_MS));
    const next = range(60).map((index) => denied(20 * MINUTE_MS + index * 500));
    expect(kinds(await watch([...storm, ...calm, ...next], { settings }))).toEqual([
      "deny_storm",
      "deny_storm",
    ]);
  });

  it("are usual for an agent whose calls are mostly allowed", async () => {
    const mixed = range(120).map((index) => (index % 3 === 0 ? denied(index * 400) : call(index * 400)));
    expect(kinds(await watch(mixed, { settings: { ...settings, burst_factor: null } }))).toEqual([]);
  });
});

// proves ALERT-06
describe("many calls that one rule denies", () => {
  const settings = { deny_storm: null, denied_retries: null, burst_factor: null };
  const burst = (count: number, from = 0, changes: Partial<ObservedCall> = {}): ObservedCall[] =>
    range(count).map((index) => denied(from + index * 1_000, changes));

  it("are reported with the twentieth within a minute, with rule, count and since when", async () => {
    expect(await watch(burst(19), { settings })).toEqual([]);
    expect(await watch(burst(25), { settings })).toEqual([
      expect.objectContaining({
        anomaly: "policy_violations",
        subject: "no-delete",
        explanation: "had 20 calls denied by no-delete within a minute",
        evidence: {
          rule_id: "no-delete",
          count: 20,
          since: new Date(START_MS).toISOString(),
          decision_ids: ["gw.19000"],
        },
      }),
    ]);
  });

  it("are reported every five minutes while they go on", async () => {
    const found = await watch(burst(11 * 60), { settings });
    expect(found.map(({ atMs }) => (atMs - START_MS) / 1_000)).toEqual([19, 319, 619]);
  });

  it.each<readonly [string, readonly ObservedCall[]]>([
    ["of two rules", [...burst(15), ...burst(15, 20, { ruleId: "no-write" })]],
    ["over several minutes", range(60).map((index) => denied(index * 4_000))],
    ["that a kill switch denies", burst(40, 0, { reasonCode: "kill_switch", ruleId: null })],
    ["that a fault denies", burst(40, 0, { reasonCode: "audit_unavailable", ruleId: null })],
    ["that are allowed", burst(40, 0, { decision: "allow" })],
  ])("are nothing: %s", async (_, calls) => {
    expect(await watch(calls, { settings })).toEqual([]);
  });

  it("count by the reason when the policy has no rule for it, beside ten other anomalies", async () => {
    const tools = range(12).map((index) => call(index, { tool: `t-${String(index)}` }));
    const calls = [...tools, ...burst(20, 100, { reasonCode: "tool_denied", ruleId: null })];
    const found = await watch(calls, {
      settings: { ...settings, new_tool_after_calls: 2 },
      history: { calls: 5, tools: [1] },
    });
    expect(kinds(found)).toEqual([...Array<string>(10).fill("tool_never_seen"), "policy_violations"]);
    expect(found.at(-1)).toMatchObject({ subject: "tool_denied" });
  });

  it("begin anew when the clock is set back", async () => {
    const found = await watch([...burst(25, 3_600_000), ...burst(19), ...burst(1, 19_000)], { settings });
    expect(found.map(({ atMs }) => atMs - START_MS)).toEqual([3_619_000, 19_000]);
  });

  it("can have another threshold, and be switched off", async () => {
    expect(kinds(await watch(burst(3), { settings: { ...settings, rule_denies: 3 } }))).toHaveLength(1);
    expect(await watch(burst(60), { settings: { ...settings, rule_denies: null } })).toEqual([]);
  });
});

describe("a burst", () => {
  const usual = range(15).flatMap((minute) => range(4).map((index) => call(minute * MINUTE_MS + index)));
  const minuteOf = (count: number, minute: number): ObservedCall[] =>
    range(count).map((index) => call(minute * MINUTE_MS + index));

  it("is many times the agent's own usual minute, reported once in a minute", async () => {
    const found = await watch([...usual, ...minuteOf(300, 20)]);
    expect(found.map(({ explanation }) => explanation)).toEqual([
      "made 60 calls in one minute; its usual minute has 4.0",
    ]);
  });

  it("is nothing for an agent that always calls as often", async () => {
    const busy = range(15).flatMap((minute) => minuteOf(100, minute));
    expect(kinds(await watch([...busy, ...minuteOf(300, 20)]))).toEqual([]);
  });

  it("is nothing before the agent has a usual minute", async () => {
    expect(kinds(await watch(minuteOf(500, 0)))).toEqual([]);
  });
});

describe("a tool that the agent never called", () => {
  const crm = nameDigest("tool", "default", "crm.read");
  const history = { calls: 1_000, tools: [crm] };

  it("is reported after a long history, once", async () => {
    const found = await watch(
      [call(0), call(1, { tool: "payments.refund" }), call(2, { tool: "payments.refund" })],
      {
        history,
      },
    );
    expect(found.map(({ anomaly, explanation }) => [anomaly, explanation])).toEqual([
      ["tool_never_seen", "called payments.refund, which none of its 1001 known earlier calls used"],
    ]);
  });

  it.each([
    ["a short history", { calls: 10, tools: [crm] }],
    ["too many tools to know", { calls: 5_000, tools: null }],
  ])("is nothing after %s", async (_, shortHistory) => {
    expect(kinds(await watch([call(0, { tool: "payments.refund" })], { history: shortHistory }))).toEqual([]);
  });
});

it("agents are watched apart", async () => {
  const calls = range(38).map((index) =>
    call(index * 100, { callDigest: "same", agentId: `agent-${String(index % 2)}` }),
  );
  expect(await watch(calls)).toEqual([]);
});
