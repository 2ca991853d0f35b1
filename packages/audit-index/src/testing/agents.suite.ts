import { expect, it } from "vitest";
import type { AgentsQuery } from "../ask/read-agents.ts";
import { type IndexSubject, indexBench } from "./index-bench.suite.ts";
import { decisionText, outcomeText } from "./make-row.ts";

const ALL: AgentsQuery = { org: "org-1", ids: null, namespaces: null, text: null, after: null, limit: 10 };

/** Rows, more than one question about callers looks at. */
const FLOOD = 50_010;

const timeAt = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
const msAt = (ms: number): number => Date.UTC(2026, 0, 1) + ms;

export function auditAgentsContract(open: () => Promise<IndexSubject>): void {
  it("knows which agents called, first and last, and in which namespace", async () => {
    const { queries, add, index } = await indexBench(open);
    const call = (agent_id: string, ms: number, known = {}) =>
      decisionText({ agent_id, time: timeAt(ms), ...known });
    await add(call("b", 5, { namespace: "late" }), call("a", 3), call("b", 1, { namespace: "early" }));
    await index();
    await add(call("b", 3, { namespace: "between" }), call("a", 9, { namespace: "new" }));
    await add(call("B-2", 4, { decision: "deny" }), call("x", 2, { org: "org-2" }));
    await add(outcomeText({ time: timeAt(20) }), call("[masked:secret.jwt:0123]", 4));
    await index();
    const seen = (id: string, namespace: string, first: number, last: number) => ({
      id,
      namespace,
      firstAt: msAt(first),
      lastAt: msAt(last),
    });
    const found = async (query: Partial<AgentsQuery>) => (await queries.agents({ ...ALL, ...query })).agents;
    const [B, a, b] = [seen("B-2", "default", 4, 4), seen("a", "new", 3, 9), seen("b", "late", 1, 5)];
    expect(await found({})).toEqual([B, a, b]);
    expect(await found({ limit: 1, after: "B-2" })).toEqual([a]);
    expect(await found({ ids: ["b", "x", "none"] })).toEqual([b]);
    expect(await found({ ids: [] })).toEqual([]);
    expect(await found({ namespaces: ["new", "late"] })).toEqual([a, b]);
    expect(await found({ text: "b" })).toEqual([B, b]);
    expect(await found({ org: "org-2" })).toEqual([seen("x", "default", 2, 2)]);
  });

  it("forgets an agent with its last row", async () => {
    const { queries, add, index, forget } = await indexBench(open);
    await add(decisionText({ agent_id: "a" }), decisionText({ agent_id: "b" }));
    await add(decisionText({ agent_id: "a" }));
    await index();
    await forget({ logId: "gateway-1", from: 0, end: 2 });
    expect((await queries.agents(ALL)).agents.map(({ id }) => id)).toEqual(["a"]);
  });

  it("counts the allowed calls of a target, and those without an outcome", async () => {
    const { queries, add, index } = await indexBench(open);
    const call = (ms: number, known = {}) => decisionText({ agent_id: "a", time: timeAt(ms), ...known });
    await add(call(1), call(5), call(6, { session_id: "s-2" }), call(7, { decision: "deny" }), call(8));
    await add(call(9, { agent_id: "b" }), call(9, { org: "org-2" }));
    await add(outcomeText({ decision_id: "gateway-1.1" }));
    await add(outcomeText({ decision_id: "gateway-1.4", status: "not_executed", withdrawn: true }));
    await index();
    const count = async (scope: "agent" | "session" | "account", targetId: string | null, since = 5) =>
      queries.allowedCalls({ org: "org-1", scope, targetId, sinceMs: msAt(since) });
    const known = { complete: true, behind: [] };
    expect(await count("agent", "a")).toEqual({ allowed: 2, withoutOutcome: 1, ...known });
    expect(await count("agent", "a", 1)).toMatchObject({ allowed: 3, withoutOutcome: 2 });
    expect(await count("session", "s-2")).toMatchObject({ allowed: 1, withoutOutcome: 1 });
    expect(await count("account", null)).toMatchObject({ allowed: 3, withoutOutcome: 2 });
    expect(await count("agent", "none")).toMatchObject({ allowed: 0, withoutOutcome: 0 });
  });

  it("names who called a target, whatever was decided", async () => {
    const { queries, add, index } = await indexBench(open);
    const call = (agent_id: string, session_id: string | null, ms: number, known = {}) =>
      decisionText({ agent_id, session_id, time: timeAt(ms), ...known });
    await add(call("a", "s-1", 1), call("a", "s-2", 5), call("a", "s-2", 6), call("a", null, 6));
    await add(call("b", "s-2", 7, { decision: "deny", tool: "t-9" }), call("c", "s-3", 7, { org: "org-2" }));
    await add(outcomeText({ time: timeAt(8), decision_id: "gateway-1.0" }));
    await index();
    const callers = async (scope: "agent" | "session" | "tool" | "account", targetId: string | null) => {
      const found = await queries.callers({ org: "org-1", scope, targetId, sinceMs: msAt(5) });
      expect(found).toMatchObject({ complete: true, behind: [] });
      return found.callers.map(({ agentId, sessionId }) => `${agentId} ${sessionId ?? "-"}`).toSorted();
    };
    expect(await callers("agent", "a")).toEqual(["a -", "a s-2"]);
    expect(await callers("session", "s-2")).toEqual(["a s-2", "b s-2"]);
    expect(await callers("tool", "t-9")).toEqual(["b s-2"]);
    expect(await callers("account", null)).toEqual(["a -", "a s-2", "b s-2"]);
    expect(await callers("agent", "none")).toEqual([]);
    const others = {
      org: "org-1",
      scope: "session",
      targetId: "s-2",
      sinceMs: msAt(5),
      exceptAgent: "a",
    } as const;
    expect(await queries.callers(others)).toMatchObject({ callers: [{ agentId: "b", sessionId: "s-2" }] });
  });

  it("names another agent behind any number of calls of the one that is passed over", async () => {
    const { queries, add, index } = await indexBench(open);
    await add(decisionText({ agent_id: "victim", session_id: "s-1", time: timeAt(1) }));
    const flood = decisionText({ agent_id: "a", session_id: "s-1", time: timeAt(2) });
    for (let added = 0; added < FLOOD; added += FLOOD / 10)
      await add(...Array.from({ length: FLOOD / 10 }, () => flood));
    await index();
    const query = { org: "org-1", scope: "session", targetId: "s-1", sinceMs: msAt(0) } as const;
    expect(await queries.callers(query)).toMatchObject({ callers: [{ agentId: "a" }], complete: false });
    expect(await queries.callers({ ...query, exceptAgent: "a" })).toMatchObject({
      callers: [{ agentId: "victim" }],
      complete: true,
    });
  });

  it("lists the sessions of an agent, the latest first", async () => {
    const { queries, add, index } = await indexBench(open);
    const call = (session_id: string | null, ms: number, known = {}) =>
      decisionText({ agent_id: "a", session_id, time: timeAt(ms), ...known });
    await add(call("s-1", 1), call("s-2", 2), call("s-1", 7), call(null, 9), call("s-3", 3));
    await add(call("s-9", 8, { agent_id: "other" }), call("s-8", 8, { org: "org-2" }));
    await index();
    const query = { org: "org-1", agentId: "a", limit: 2, before: null };
    const first = await queries.agentSessions(query);
    expect(first).toMatchObject({
      sessions: [
        { sessionId: "s-1", rows: 2, firstAt: msAt(1), lastAt: msAt(7) },
        { sessionId: "s-3", rows: 1, firstAt: msAt(3), lastAt: msAt(3) },
      ],
      complete: true,
    });
    const rest = await queries.agentSessions({ ...query, before: first.next });
    expect(rest).toMatchObject({ sessions: [{ sessionId: "s-2" }], next: null, behind: [] });
  });
}
