import { DEFAULT_BEHAVIOUR } from "@svc/contract/default-behaviour";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { nameDigest } from "../database/name-digest.ts";
import { BehaviourWatch } from "./behaviour-watch.ts";
import type { ObservedAnomaly } from "./observed-anomaly.ts";
import type { ObservedCall } from "./observed-call.ts";

const MINUTE_MS = 60_000;
const START_MS = Date.parse("2026-11-23T10:00:00.000Z");

const SETTINGS = {
  ...DEFAULT_BEHAVIOUR,
  repeated_calls: 3,
  denied_retries: 2,
  deny_storm: 4,
  burst_factor: 2,
  new_tool_after_calls: 4,
};

/** Few agents, calls and tools, so that everything comes again. Times rise. */
const anyCalls = fc
  .array(
    fc.record({
      agent: fc.constantFrom("a", "b", "c", "d"),
      tool: fc.constantFrom("read", "write", "pay"),
      amount: fc.nat({ max: 2 }),
      isDenied: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.boolean()),
      pauseMs: fc.oneof(
        { weight: 20, arbitrary: fc.nat({ max: 4_000 }) },
        { weight: 1, arbitrary: fc.nat({ max: 3 * MINUTE_MS }) },
      ),
    }),
    { minLength: 40, maxLength: 200, size: "max" },
  )
  .map((drawn) => {
    let atMs = START_MS;
    return drawn.map(({ agent, tool, amount, isDenied, pauseMs }, index): ObservedCall => {
      atMs += pauseMs;
      return {
        org: "org-1",
        namespace: "default",
        agentId: agent,
        sessionId: null,
        tool,
        decision: isDenied ? "deny" : "allow",
        reasonCode: isDenied ? "rule" : null,
        ruleId: isDenied ? "no" : null,
        callDigest: `${agent} ${tool} ${String(amount)}`,
        decisionId: `gw.${String(index)}`,
        atMs,
      };
    });
  });

/** The calls of the agent up to and with the one that completed the anomaly. */
function before(calls: readonly ObservedCall[], { agentId, evidence }: ObservedAnomaly) {
  const ids = evidence["decision_ids"] as readonly string[];
  const last = calls.findIndex(({ decisionId }) => decisionId === ids.at(-1));
  return calls.slice(0, last + 1).filter((call) => call.agentId === agentId);
}

/** Says again what an anomaly says, by looking at every call. */
function isTrue(calls: readonly ObservedCall[], found: ObservedAnomaly): boolean {
  const own = before(calls, found);
  const within = (ms: number) => own.filter(({ atMs }) => atMs > found.atMs - ms);
  const { evidence } = found;
  switch (found.anomaly) {
    case "identical_call_repeated": {
      const same = within(MINUTE_MS).filter(({ callDigest }) => callDigest === found.subject);
      return same.length >= 3 && same.length >= Number(evidence["calls"]);
    }
    case "denied_call_retried": {
      const denied = within(10 * MINUTE_MS).filter(({ decision }) => decision === "deny");
      const same = denied.filter(({ callDigest }) => `${callDigest} no` === found.subject);
      return same.length >= 3 && same.length > Number(evidence["repeats"]);
    }
    case "deny_storm": {
      const denied = within(MINUTE_MS).filter(({ decision }) => decision === "deny");
      // The window is 50 to 60 seconds long. No call in it is left out.
      const isWhole = Number(evidence["calls"]) >= within(50_000).length;
      return isWhole && denied.length >= 4 && denied.length >= Number(evidence["denied"]);
    }
    case "tool_never_seen":
      return own.length > 4 && own.filter(({ tool }) => tool === found.subject).length === 1;
    default:
      return false;
  }
}

async function watch(calls: readonly ObservedCall[], agents: number): Promise<readonly ObservedAnomaly[]> {
  const seen: ObservedCall[] = [];
  const watched = new BehaviourWatch({
    settingsOf: () => SETTINGS,
    historyOf: async ({ agentId }) => {
      const own = seen.filter((call) => call.agentId === agentId);
      const tools = [...new Set(own.map(({ org, tool }) => nameDigest("tool", org, tool)))];
      return Promise.resolve({ calls: own.length, tools });
    },
    limits: { agents, remembered: 100 },
  });
  const found: ObservedAnomaly[] = [];
  for (const call of calls) {
    found.push(...(await watched.note(call)));
    seen.push(call);
    expect(watched.agents).toBeLessThanOrEqual(agents);
    expect(watched.remembered).toBeLessThanOrEqual(100);
  }
  return found;
}

it.each([1, 2, 4])("every anomaly is true, also with room for %i agents", async (agents) => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(anyCalls, async (calls) => {
      const found = await watch(calls, agents);
      seen += found.length;
      for (const each of found) expect([isTrue(calls, each), each]).toEqual([true, each]);
    }),
    { numRuns: runs(200, 2_000) },
  );
  expect(seen).toBeGreaterThan(0);
});

it("an agent that was forgotten is never more unusual than one that was not", async () => {
  await fc.assert(
    fc.asyncProperty(anyCalls, async (calls) => {
      const kinds = async (agents: number) =>
        new Set(
          (await watch(calls, agents)).map(
            ({ agentId, anomaly, subject }) => `${agentId} ${anomaly} ${subject}`,
          ),
        );
      const [all, some] = await Promise.all([kinds(4), kinds(2)]);
      expect([...some].filter((one) => !all.has(one))).toEqual([]);
    }),
    { numRuns: runs(200, 2_000) },
  );
});
