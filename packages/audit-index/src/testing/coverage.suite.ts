import type { DecisionRow } from "@svc/contract/audit-row";
import { expect, it } from "vitest";
import type { CoverageQuery } from "../ask/read-coverage.ts";
import { type IndexSubject, indexBench } from "./index-bench.suite.ts";
import { decisionText, outcomeText } from "./make-row.ts";

const msAt = (ms: number): number => Date.UTC(2026, 0, 1) + ms;
const timeAt = (ms: number): string => new Date(msAt(ms)).toISOString();

const QUERY: CoverageQuery = { org: "org-1", agentId: "a", sinceMs: msAt(10), untilMs: msAt(20) };

/** A call of agent `a`, at so many milliseconds. */
const call = (ms: number, known: Partial<DecisionRow> = {}) =>
  decisionText({ agent_id: "a", time: timeAt(ms), ...known });

const report = (seq: number, status: "succeeded" | "failed" | "not_executed" | "revoked", known = {}) =>
  outcomeText({ decision_id: `gateway-1.${String(seq)}`, time: timeAt(30), status, ...known });

export function auditCoverageContract(open: () => Promise<IndexSubject>): void {
  // proves COVER-02
  it("counts allowed calls and the reports about them, by key and session", async () => {
    const { queries, add, index } = await indexBench(open);
    await add(call(9), call(10), call(11), call(12), call(13, { principal: "key-2" }), call(20));
    await add(call(14, { session_id: "s-2" }), call(15, { agent_id: "b" }), call(15, { org: "org-2" }));
    await add(report(1, "succeeded"), report(2, "revoked"), report(6, "failed"));
    await index();
    const { parts, complete, behind } = await queries.coverage(QUERY);
    const counts = { unallowed: 0, unallowedExample: null };
    const example = { namespace: "default", agentId: "a", tool: "payments.refund" };
    const missing = (seq: number, sessionId: string) => ({
      ...example,
      sessionId,
      position: { logId: "gateway-1", seq },
    });
    expect({ complete, behind }).toEqual({ complete: true, behind: [] });
    expect(await queries.activeOrgs(msAt(15))).toEqual(["org-1", "org-2"]);
    expect(await queries.activeOrgs(msAt(16))).toEqual(["org-1"]);
    expect(new Set(parts)).toEqual(
      new Set([
        { ...counts, allows: 3, reported: 2, ran: 1, missingExample: missing(3, "session-1") },
        { ...counts, allows: 1, reported: 0, ran: 0, missingExample: missing(4, "session-1") },
        { ...counts, allows: 1, reported: 1, ran: 1, missingExample: null },
      ]),
    );
  });

  // proves COVER-03
  it("counts calls that ran although they were not allowed", async () => {
    const { queries, add, index } = await indexBench(open);
    const denied = { decision: "deny" } as const;
    await add(call(10, denied), call(11, denied), call(12, { decision: "pause" }), call(13, denied));
    await add(report(0, "succeeded"), report(2, "failed"), report(3, "not_executed"));
    await index();
    const { parts } = await queries.coverage({ ...QUERY, agentId: null });
    expect(parts).toMatchObject([
      { allows: 0, reported: 0, ran: 0, unallowed: 2, unallowedExample: { position: { seq: 2 } } },
    ]);
  });

  it("leaves out a decision that nobody got", async () => {
    const { queries, add, index } = await indexBench(open);
    await add(call(10), call(11), report(0, "not_executed", { withdrawn: true }), report(1, "succeeded"));
    await index();
    expect(await queries.coverage(QUERY)).toMatchObject({ parts: [{ allows: 1, reported: 1, ran: 1 }] });
  });

  // proves ROGUE-16
  it("names the tools and the agents of allowed calls without an outcome", async () => {
    const { queries, add, index } = await indexBench(open);
    const pay = { tool: "payments.wire" };
    await add(call(9, pay), call(10, { tool: "old" }), call(11, pay), call(12, { ...pay, agent_id: "b" }));
    await add(call(13, { ...pay, agent_id: "c", decision: "deny" }), call(14, { tool: "crm.read" }));
    await add(call(15, { ...pay, agent_id: "d", namespace: "other" }), call(16, { ...pay, org: "org-2" }));
    await add(call(17, { ...pay, agent_id: "e" }), report(8, "succeeded"), report(1, "failed"));
    await index();
    const query = { org: "org-1", namespace: "default", sinceMs: msAt(10) };
    const { tools, complete } = await queries.openTools(query);
    expect({ tools: tools.toSorted(), complete }).toEqual({
      tools: ["crm.read", "payments.wire"],
      complete: true,
    });
    const callers = async (...names: readonly string[]) =>
      (await queries.openCallers({ ...query, tools: names })).callers
        .map(({ agentId }) => agentId)
        .toSorted();
    expect(await callers("payments.wire")).toEqual(["a", "b"]);
    expect(await callers("payments.wire", "crm.read")).toContain("b");
    expect(await callers()).toEqual([]);
  });
}
