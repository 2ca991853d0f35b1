import type { SeenAgent } from "@svc/audit-index/read-agents";
import type { AgentFilters } from "@svc/contract/agent";
import { adminPrincipal } from "@svc/contract/testing/principals";
import { describe, expect, it } from "vitest";
import { OPERATOR, STRANGER, testPorts } from "../testing/test-ports.ts";
import { adoptAgent } from "./adopt-agent.ts";
import { getAgent } from "./get-agent.ts";
import { listAgents } from "./list-agents.ts";
import { registerAgent } from "./register-agent.ts";
import { removeAgent } from "./remove-agent.ts";
import { updateAgent } from "./update-agent.ts";

const NO_FILTER: AgentFilters = {
  ids: null,
  severities: null,
  statuses: null,
  namespaces: null,
  tag: null,
  text: null,
};
const BOT = {
  id: "bot",
  name: "Bot",
  namespace: "payments",
  provider: null,
  tags: ["prod"],
  capabilities: [],
  parent_agent_id: null,
};

/** Ports with an index that has seen these agents. */
function portsThatSaw(...ids: readonly string[]) {
  const seen: SeenAgent[] = ids.map((id) => ({ id, namespace: "called", firstAt: 1, lastAt: 2 }));
  const auditIndex = {
    agents: async (query: { ids: readonly string[] | null; after: string | null; limit: number }) => ({
      agents: seen
        .filter(({ id }) => (query.ids?.includes(id) ?? true) && id > (query.after ?? ""))
        .slice(0, query.limit),
      behind: [],
    }),
    agentSessions: () => Promise.reject(new Error("no test lists sessions here")),
  };
  return { ...testPorts(), auditIndex };
}

describe("an agent", () => {
  // proves AGT-01
  it("is registered, moved and removed, each with an audit row and an event", async () => {
    const ports = portsThatSaw();
    expect(await registerAgent(ports, OPERATOR, BOT)).toMatchObject({
      kind: "ok",
      value: { ...BOT, status: "registered", severity: "INFO", enforced: true, created_by: OPERATOR.id },
    });
    const update = { namespace: "refunds" };
    expect(await updateAgent(ports, OPERATOR, { id: "bot", update })).toMatchObject({
      value: { ...BOT, namespace: "refunds" },
    });
    expect(await removeAgent(ports, OPERATOR, "bot")).toMatchObject({ value: { removed: true } });
    expect(ports.database.auditRows).toMatchObject([
      { kind: "agent", action: "registered", namespace: "payments", previous_namespace: null },
      { kind: "agent", action: "updated", namespace: "refunds", previous_namespace: "payments" },
      { kind: "agent", action: "removed", namespace: "refunds", registration: { name: "Bot" } },
    ]);
    expect(ports.database.events.map(({ change }) => change)).toEqual([
      { kind: "agent", record: { id: "bot", namespace: "payments", quarantine: null }, removed: false },
      { kind: "agent", record: { id: "bot", namespace: "refunds", quarantine: null }, removed: false },
      { kind: "agent", record: { id: "bot", namespace: "refunds", quarantine: null }, removed: true },
    ]);
    expect(ports.propagation.announced).toHaveLength(3);
  });

  it("has reasons for its registration and its removal in the audit log, with secrets masked", async () => {
    const ports = portsThatSaw();
    await registerAgent(ports, OPERATOR, { ...BOT, reason: "goes live, key AKIAIOSFODNN7EXAMPLE" });
    await removeAgent(ports, OPERATOR, "bot", { reason: "the project has ended" });
    expect(ports.database.auditRows).toMatchObject([
      { action: "registered", reason: expect.not.stringContaining("AKIAIOSFODNN7EXAMPLE") },
      { action: "removed", reason: "the project has ended" },
    ]);
    expect(ports.database.auditRows[0]).toMatchObject({ reason: expect.stringContaining("goes live, key") });
  });

  it("that exists is refused with what is registered", async () => {
    const ports = portsThatSaw();
    await registerAgent(ports, OPERATOR, BOT);
    expect(await registerAgent(ports, OPERATOR, { ...BOT, namespace: "x" })).toMatchObject({
      problem: { code: "conflict", detail: expect.stringContaining("in namespace payments, since") },
    });
    expect(await registerAgent(ports, STRANGER, BOT)).toMatchObject({ kind: "ok" });
    expect(ports.database.auditRows).toHaveLength(2);
  });

  it("has a parent that is registered, and no cycle", async () => {
    const ports = portsThatSaw();
    const child = { ...BOT, id: "child", parent_agent_id: "bot" };
    expect(await registerAgent(ports, OPERATOR, child)).toMatchObject({ problem: { code: "conflict" } });
    await registerAgent(ports, OPERATOR, BOT);
    await registerAgent(ports, OPERATOR, child);
    const update = { parent_agent_id: "child" };
    expect(await updateAgent(ports, OPERATOR, { id: "bot", update })).toMatchObject({
      problem: { detail: expect.stringContaining("bot < child < bot") },
    });
    expect(await removeAgent(ports, OPERATOR, "bot")).toMatchObject({
      problem: { detail: expect.stringContaining("child") },
    });
  });

  // proves AGT-02, AGT-07
  it("that called is listed as discovered, and adopted with one call", async () => {
    const ports = portsThatSaw("bot", "wild");
    await registerAgent(ports, OPERATOR, BOT);
    const page = { limit: 10, after: null };
    const list = async (filters: Partial<AgentFilters>, limit = 10, after: string | null = null) => {
      const found = await listAgents(ports, OPERATOR, {
        filters: { ...NO_FILTER, ...filters },
        page: { ...page, limit, after },
      });
      if (found.kind === "problem") throw new Error(found.problem.detail);
      return found.value;
    };
    const times = { first_seen: "1970-01-01T00:00:00.001Z", last_seen: "1970-01-01T00:00:00.002Z" };
    expect((await list({})).agents).toMatchObject([
      { id: "bot", status: "registered", namespace: "payments", ...times },
      { id: "wild", status: "discovered", namespace: "called", registered_at: null, ...times },
    ]);
    const first = await list({}, 1);
    expect((await list({}, 1, first.next_cursor)).agents).toMatchObject([{ id: "wild" }]);
    expect((await list({ statuses: ["discovered"] })).agents).toMatchObject([{ id: "wild" }]);
    expect((await list({ namespaces: ["called"] })).agents).toMatchObject([{ id: "wild" }]);
    expect((await list({ tag: "prod" })).agents).toMatchObject([{ id: "bot" }]);
    expect((await list({ severities: ["WARNING", "CRITICAL"] })).agents).toEqual([]);
    const adoption = { provider: null, tags: [], capabilities: [], parent_agent_id: null };
    expect(await adoptAgent(ports, OPERATOR, { id: "wild", adoption })).toMatchObject({
      value: { id: "wild", name: "wild", namespace: "called", status: "registered", ...times },
    });
    expect(ports.database.auditRows.at(-1)).toMatchObject({ action: "adopted", agent_id: "wild" });
    expect(await adoptAgent(ports, OPERATOR, { id: "none", adoption })).toMatchObject({
      problem: { code: "not_found" },
    });
  });

  // proves AGT-13
  it("that only sends heartbeats is listed, filtered and adopted as one that called", async () => {
    const ports = portsThatSaw("wild");
    const nobody = { parentSessionId: null, parentAgentId: null, ended: false, ageMs: 0 };
    const beat = { org: "acme", agentId: "boss", sessionId: "s-1", namespace: "reports", ...nobody };
    await ports.supervision.recordHeartbeats([beat]);
    const list = async (changes: Partial<AgentFilters>) => {
      const query = { filters: { ...NO_FILTER, ...changes }, page: { limit: 10, after: null } };
      const found = await listAgents(ports, OPERATOR, query);
      if (found.kind === "problem") throw new Error(found.problem.detail);
      return found.value.agents.map(({ id }) => id);
    };
    expect(await list({})).toEqual(["boss", "wild"]);
    expect(await list({ severities: ["INFO"] })).toEqual(["boss", "wild"]);
    expect(await list({ statuses: ["discovered"] })).toEqual(["boss", "wild"]);
    expect(await list({ statuses: ["registered"] })).toEqual([]);
    expect(await list({ namespaces: ["reports"] })).toEqual(["boss"]);
    expect(await list({ text: "OSS" })).toEqual(["boss"]);
    expect(await list({ tag: "prod" })).toEqual([]);
    const adoption = { provider: null, tags: [], capabilities: [], parent_agent_id: null };
    expect(await adoptAgent(ports, OPERATOR, { id: "boss", adoption })).toMatchObject({
      value: { id: "boss", namespace: "reports", status: "registered", first_seen: null },
    });
    expect(await adoptAgent(ports, OPERATOR, { id: "none", adoption })).toMatchObject({
      problem: { detail: expect.stringContaining("No call and no heartbeat of agent none") },
    });
  });

  it("of another namespace is out of reach of a bound key", async () => {
    const ports = portsThatSaw("wild");
    await registerAgent(ports, OPERATOR, BOT);
    const bound = adminPrincipal({ org: "acme", role: "operator", namespaces: new Set(["payments"]) });
    const query = { filters: NO_FILTER, page: { limit: 10, after: null } };
    expect(await listAgents(ports, bound, query)).toMatchObject({ value: { agents: [{ id: "bot" }] } });
    expect(await getAgent(ports, bound, "wild")).toMatchObject({ problem: { code: "forbidden" } });
    expect(await getAgent(ports, bound, "none")).toMatchObject({ problem: { code: "forbidden" } });
    expect(await getAgent(ports, bound, "bot")).toMatchObject({ kind: "ok" });
  });
});
