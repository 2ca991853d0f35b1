import type { DecisionRow } from "@svc/contract/audit-row";
import { formatDecisionId } from "@svc/contract/decision-id";
import { runs } from "@svc/text/testing/runs";
import { parseUsd } from "@svc/text/usd";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { NamedGroups } from "../ask/activity.ts";
import { type IndexSubject, indexBench } from "./index-bench.suite.ts";
import { decisionText, outcomeText } from "./make-row.ts";

const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const MINUTES = 300;

const anyCall: fc.Arbitrary<Partial<DecisionRow>> = fc
  .record({
    org: fc.constantFrom("org-1", "org-1", "org-2"),
    ms: fc.integer({ min: 0, max: MINUTES * MINUTE_MS - 1 }),
    agent_id: fc.constantFrom("a", "b", "c", "[masked:secret.jwt:0123]"),
    session_id: fc.constantFrom("s", "t", null),
    tool: fc.constantFrom("x", "y"),
    decision: fc.constantFrom("allow" as const, "deny" as const, "pause" as const),
    rule_id: fc.constantFrom("r1", null),
    cost_usd: fc.constantFrom("0", "0.25", "3"),
    args: fc.constantFrom(
      { amount: 0.1 },
      { amount: 0.2, note: "12" },
      { items: [{ price: 5 }, { price: 7 }] },
    ),
  })
  .map(({ ms, ...row }) => ({ ...row, time: new Date(START_MS + ms).toISOString() }));

const atOf = ({ time }: Partial<DecisionRow>): number => Date.parse(time ?? "");

interface Row extends Partial<DecisionRow> {
  readonly withdrawn: boolean;
}

/** What the question about the busiest agents must answer about one agent, by counting rows. */
function countCalls(rows: readonly Row[], agent: string, [from, end]: readonly [number, number]) {
  const own = rows.filter((row) => row.org === "org-1" && row.agent_id === agent);
  const within = own.filter((row) => atOf(row) >= from && atOf(row) < end);
  const given = within.filter(({ withdrawn }) => !withdrawn);
  const open = ["s", "t"].filter((session) => {
    const times = own.filter(({ session_id: id }) => id === session).map(atOf);
    return times.some((at) => at < end) && times.some((at) => at >= from);
  });
  const of = (decision: string): readonly Row[] => given.filter((row) => row.decision === decision);
  return {
    calls: within.length,
    deny: of("deny").length + (within.length - given.length),
    pause: of("pause").length,
    costMicroUsd: of("allow").reduce((sum, { cost_usd }) => sum + (parseUsd(cost_usd) ?? 0), 0),
    sessions: open.length,
  };
}

/** The most calls of an agent in one minute. */
function countBusiest(rows: readonly Row[], agent: string, [from, end]: readonly [number, number]): number {
  const own = rows.filter((row) => row.org === "org-1" && row.agent_id === agent);
  const minutes = own.map(atOf).filter((at) => at >= from && at < end);
  const counts = new Map<number, number>();
  for (const at of minutes) {
    const minute = Math.floor(at / MINUTE_MS);
    counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

function firstOf(rows: readonly Row[]): number {
  return Math.min(...rows.filter(({ org }) => org === "org-1").map(atOf));
}

const WITHDRAWN = [2, 5, 40, 170];

/** Rows of two organizations, some of them withdrawn, indexed in two batches. */
async function filledBench(open: () => Promise<IndexSubject>) {
  const bench = await indexBench(open);
  const made = fc.sample(anyCall, { numRuns: 300, seed: 8 });
  await bench.add(...made.slice(0, 150).map(decisionText));
  await bench.index();
  await bench.add(...made.slice(150).map(decisionText));
  const reports = WITHDRAWN.map((seq) =>
    outcomeText({
      decision_id: formatDecisionId({ logId: "gateway-1", seq }),
      org: made[seq]?.org ?? "",
      withdrawn: true,
    }),
  );
  await bench.add(...reports);
  await bench.index();
  return { ...bench, rows: made.map((row, seq): Row => ({ ...row, withdrawn: WITHDRAWN.includes(seq) })) };
}

export function auditActivityContract(open: () => Promise<IndexSubject>): void {
  // proves AGT-30
  it("counts the calls of the busiest agents exactly, in any whole minutes", async () => {
    const { queries, rows } = await filledBench(open);
    const minute = fc.integer({ min: 0, max: MINUTES });
    await fc.assert(
      fc.asyncProperty(minute, minute, fc.integer({ min: 0, max: 90 }), async (one, other, length) => {
        const since = START_MS + Math.min(one, other) * MINUTE_MS;
        const until = START_MS + Math.max(one, other) * MINUTE_MS;
        const before = since - length * MINUTE_MS;
        const query = { org: "org-1", sinceMs: since, untilMs: until, beforeMs: before, limit: 10 };
        const found = await queries.busyAgents({ ...query, sort: "calls" });
        const wanted = ["a", "b", "c"]
          .map((id) => ({
            id,
            ...countCalls(rows, id, [since, until]),
            busiestMinute: countBusiest(rows, id, [since, until]),
          }))
          .filter(({ calls }) => calls > 0)
          .toSorted((left, right) => right.calls - left.calls || left.id.localeCompare(right.id));
        expect(found.agents).toMatchObject(wanted);
        expect(found.agents).toHaveLength(wanted.length);
        for (const { id, before: counted } of found.agents)
          expect(counted).toEqual(countCalls(rows, id, [before, since]));
        const knownSinceMs = START_MS + Math.floor((firstOf(rows) - START_MS) / MINUTE_MS) * MINUTE_MS;
        const whole = { complete: true, behind: [], knownSinceMs };
        expect(found).toMatchObject({ callers: wanted.length, ...whole });
      }),
      { numRuns: runs(30, 1_000) },
    );
  });

  it("sorts by denies, pauses and cost, and shows as many agents as are asked for", async () => {
    const { queries, add, index } = await indexBench(open);
    const call = (agent_id: string, changes: Partial<DecisionRow>) => decisionText({ agent_id, ...changes });
    await add(
      ...Array.from({ length: 5 }, () => call("busy", {})),
      ...Array.from({ length: 3 }, () => call("denied", { decision: "deny" })),
      ...Array.from({ length: 2 }, () => call("paused", { decision: "pause" })),
      call("costly", { cost_usd: "2.5" }),
      outcomeText({ decision_id: "gateway-1.10", cost_usd: "3", overage_usd: "0.5" }),
    );
    await index();
    const first = async (sort: "calls" | "deny" | "pause" | "cost") => {
      const query = { org: "org-1", sinceMs: 0, untilMs: 4e12, beforeMs: 0, sort, limit: 1 };
      const { agents, callers } = await queries.busyAgents(query);
      expect(callers).toBe(4);
      return agents.map(({ id, costMicroUsd }) => [id, costMicroUsd]);
    };
    expect(await first("calls")).toEqual([["busy", 0]]);
    expect(await first("deny")).toEqual([["denied", 0]]);
    expect(await first("pause")).toEqual([["paused", 0]]);
    expect(await first("cost")).toEqual([["costly", 3_000_000]]);
  });

  it("forgets the counts of an agent with its rows", async () => {
    const { queries, add, index, forget } = await indexBench(open);
    const call = (agent_id: string, minute: number) =>
      decisionText({ agent_id, time: new Date(START_MS + minute * MINUTE_MS).toISOString() });
    await add(call("gone", 0), call("stays", 0), call("stays", 70));
    await index();
    await forget({ logId: "gateway-1", from: 0, end: 2 });
    const query = { org: "org-1", sinceMs: START_MS, untilMs: START_MS + 7_200_000, beforeMs: 0 };
    const { agents } = await queries.busyAgents({ ...query, sort: "calls", limit: 10 });
    expect(agents).toMatchObject([{ id: "stays", calls: 1, sessions: 1 }]);
  });

  // proves AGT-31
  it("tells denies without a rule apart by their reason", async () => {
    const { queries, add, index } = await indexBench(open);
    const deny = (reason: string) =>
      decisionText({
        agent_id: "a",
        decision: "deny",
        rule_id: null,
        reason,
        time: new Date(START_MS).toISOString(),
      });
    await add(deny("limit"), deny("limit"), deny("switch"));
    await index();
    const query = { org: "org-1", agentId: "a", sinceMs: START_MS, untilMs: START_MS + 1 };
    const { verdicts } = await queries.activity(query);
    expect(verdicts.named.map(({ decisions }) => decisions.deny)).toEqual([2, 1]);
  });

  // proves AGT-31
  it("sums up what one agent did, by tool, session and rule, with the arguments of its calls", async () => {
    const { queries, rows } = await filledBench(open);
    const [since, until] = [START_MS + 90_000, START_MS + 200 * MINUTE_MS + 1];
    const found = await queries.activity({ org: "org-1", agentId: "a", sinceMs: since, untilMs: until });
    const own = rows.filter(
      (row) => row.org === "org-1" && row.agent_id === "a" && atOf(row) >= since && atOf(row) < until,
    );
    const times = own.map(atOf);
    const countsOf = (within: readonly Row[]) => ({
      deny: within.filter(({ decision }) => decision === "deny").length,
      pause: within.filter(({ decision }) => decision === "pause").length,
      allow: within.filter(({ decision }) => decision === "allow").length,
    });
    expect(found).toMatchObject({
      total: {
        decisions: countsOf(own),
        withdrawn: own.filter(({ withdrawn }) => withdrawn).length,
        firstAt: Math.min(...times),
        lastAt: Math.max(...times),
      },
      readCalls: own.length,
      argumentsLeftOut: 0,
      complete: true,
      behind: [],
    });
    const byName = ({ named }: NamedGroups, name: "tool" | "session_id") =>
      Object.fromEntries(
        named.map(({ text, decisions }) => [String((JSON.parse(text) as DecisionRow)[name]), decisions]),
      );
    const wanted = (name: "tool" | "session_id") =>
      Object.fromEntries(
        Object.entries(Object.groupBy(own, (row) => String(row[name]))).map(([key, group = []]) => [
          key,
          countsOf(group),
        ]),
      );
    expect(byName(found.tools, "tool")).toEqual(wanted("tool"));
    expect(byName(found.sessions, "session_id")).toEqual(wanted("session_id"));
    expect(found.verdicts.named.length).toBe(6);
    const given = (row: Row): string => (row.withdrawn ? "deny" : (row.decision ?? ""));
    const allowed = own.filter((row) => row.tool === "x" && given(row) === "allow");
    const amounts = allowed.flatMap(({ args }) =>
      typeof args?.["amount"] === "number" ? [args["amount"]] : [],
    );
    const sum = found.arguments.find(
      ({ tool, decision, argument }) => `${tool} ${decision} ${argument}` === "x allow amount",
    );
    expect(sum).toMatchObject({
      values: amounts.length,
      min: Math.min(...amounts),
      max: Math.max(...amounts),
    });
    expect(sum?.sum).toBeCloseTo(
      amounts.reduce((total, each) => total + each, 0),
      10,
    );
    expect(found.arguments.map(({ argument }) => argument)).not.toContain("note");
    expect(found.arguments.map(({ argument }) => argument)).toContain("items.*.price");
    for (const { text } of found.samples)
      expect(JSON.parse(text)).toMatchObject({ org: "org-1", agent_id: "a" });
    const other = { org: "org-3", agentId: "a", sinceMs: 0, untilMs: 4e12 };
    expect(await queries.activity(other)).toMatchObject({ total: null, samples: [], readCalls: 0 });
  });
}
