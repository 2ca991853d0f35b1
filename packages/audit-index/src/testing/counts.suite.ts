import type { DecisionRow } from "@svc/contract/audit-row";
import { formatDecisionId } from "@svc/contract/decision-id";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { PolicyReport } from "../audit-answers.ts";
import { type IndexSubject, indexBench } from "./index-bench.suite.ts";
import { decisionText, outcomeText } from "./make-row.ts";

const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const MINUTES = 600;

const wouldDeny = { decision: "deny", reason: "no", reason_code: "rule", rule_id: "r-would" } as const;

/** Decisions of a few policies over some hours. */
const anyDecision: fc.Arbitrary<Partial<DecisionRow>> = fc
  .record({
    org: fc.constantFrom("org-1", "org-2"),
    ms: fc.integer({ min: 0, max: MINUTES * MINUTE_MS - 1 }),
    agent_id: fc.constantFrom("a", "b", "c"),
    session_id: fc.constantFrom("s", "t", null),
    tool: fc.constantFrom("x", "y"),
    policy_id: fc.constantFrom("p1", "p2", null),
    policy_version: fc.constantFrom(1, 2),
    decision: fc.constantFrom("allow" as const, "deny" as const),
    would_be: fc.constantFrom(null, wouldDeny),
    kill_switch_id: fc.constantFrom("ks_1", null, null, null),
  })
  .map(({ ms, ...row }) => ({ ...row, time: new Date(START_MS + ms).toISOString() }));

const keyOf = (pattern: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(["version", "decision", "would_be", "tool"].map((name) => pattern[name]));

/** The report by counting rows. */
function countRows(
  rows: readonly Partial<DecisionRow>[],
  withdrawn: ReadonlySet<number>,
  from: number,
  end: number,
) {
  const counts: Record<string, { count: number; withdrawn: number }> = {};
  const agents = new Set<unknown>();
  const sessions = new Set<unknown>();
  for (const [seq, row] of rows.entries()) {
    const at = Date.parse(row.time ?? "");
    if (row.org !== "org-1" || row.policy_id !== "p1" || at < from || at >= end) continue;
    const { policy_version: version, decision, would_be, tool, agent_id, session_id } = row;
    const key = keyOf({ version, decision, would_be: would_be?.decision ?? null, tool });
    const known = (counts[key] ??= { count: 0, withdrawn: 0 });
    known.count += 1;
    known.withdrawn += withdrawn.has(seq) ? 1 : 0;
    agents.add(agent_id);
    if (session_id !== null) sessions.add(`${String(agent_id)}/${String(session_id)}`);
  }
  return { counts, agents: agents.size, sessions: sessions.size };
}

const shown = (report: PolicyReport) => ({
  counts: Object.fromEntries(
    report.patterns.map(({ count, withdrawn, ...pattern }) => [keyOf(pattern), { count, withdrawn }]),
  ),
  agents: report.agents,
  sessions: report.sessions,
});

export function auditCountsContract(open: () => Promise<IndexSubject>): void {
  it("reports exactly the decisions of a policy in any whole minutes", async () => {
    const { queries, add, index } = await indexBench(open);
    const rows = fc.sample(anyDecision, { numRuns: 400, seed: 11 });
    await add(...rows.slice(0, 250).map(decisionText));
    await index();
    await add(...rows.slice(250).map(decisionText));
    const withdrawn = new Set([3, 7, 50, 260, 300]);
    const ids = [...withdrawn].map((seq) => formatDecisionId({ logId: "gateway-1", seq }));
    await add(
      ...ids.map((decision_id, at) =>
        outcomeText({ decision_id, org: rows[[...withdrawn][at] ?? 0]?.org ?? "", withdrawn: true }),
      ),
    );
    await index();
    const minute = fc.integer({ min: 0, max: MINUTES });
    await fc.assert(
      fc.asyncProperty(minute, minute, async (one, other) => {
        const sinceMs = START_MS + Math.min(one, other) * MINUTE_MS;
        const untilMs = START_MS + Math.max(one, other) * MINUTE_MS;
        const report = await queries.report({ org: "org-1", policyId: "p1", sinceMs, untilMs });
        expect(shown(report)).toEqual(countRows(rows, withdrawn, sinceMs, untilMs));
        for (const { examples, tool } of report.patterns)
          for (const { seq } of examples)
            expect(rows[seq]).toMatchObject({ org: "org-1", policy_id: "p1", tool });
      }),
      { numRuns: runs(100, 1_000) },
    );
    const versions = (
      await queries.report({ org: "org-1", policyId: "p1", sinceMs: START_MS, untilMs: 4e12 })
    ).versions;
    expect(versions.map(({ version }) => version).toSorted((one, other) => one - other)).toEqual([1, 2]);
    expect(await queries.report({ org: "org-3", policyId: "p1", sinceMs: 0, untilMs: 4e12 })).toMatchObject({
      patterns: [],
      agents: 0,
      behind: [],
    });
  });

  it("sums up a session of one agent, with its policies and the switches that stopped it", async () => {
    const { queries, add, index } = await indexBench(open);
    const rows = fc.sample(anyDecision, { numRuns: 300, seed: 13 });
    await add(...rows.map(decisionText));
    const own = rows.filter((row) => row.org === "org-1" && row.agent_id === "a" && row.session_id === "s");
    const reported = rows.findIndex((row) => row === own.find(({ decision }) => decision === "allow"));
    await add(outcomeText({ decision_id: formatDecisionId({ logId: "gateway-1", seq: reported }) }));
    await index();
    const session = await queries.session({ org: "org-1", agentId: "a", sessionId: "s" });
    const of = (decision: string) => own.filter((row) => row.decision === decision).length;
    expect(session).toMatchObject({
      entries: own.length + 1,
      complete: true,
      decisions: { allow: of("allow"), deny: of("deny"), pause: 0 },
      withdrawn: 0,
      withoutOutcome: of("allow") - 1,
      behind: [],
    });
    const policies = session.policies.map(({ text, decisions }) => {
      const { policy_id, policy_version } = JSON.parse(text) as DecisionRow;
      return `${String(policy_id)} ${String(policy_version)} ${String(decisions)}`;
    });
    const wanted = ["p1", "p2"].flatMap((id) =>
      [1, 2].map((version) => {
        const decided = own.filter((row) => row.policy_id === id && row.policy_version === version);
        return `${id} ${String(version)} ${String(decided.length)}`;
      }),
    );
    expect(policies.toSorted()).toEqual(wanted.filter((text) => !text.endsWith(" 0")));
    expect(session.killSwitches.map(({ decisions }) => decisions)).toEqual([
      own.filter(({ kill_switch_id }) => kill_switch_id === "ks_1").length,
    ]);
    expect(await queries.session({ org: "org-2", agentId: "nobody", sessionId: "s" })).toMatchObject({
      entries: 0,
    });
  });
}
