import { randomUUID } from "node:crypto";
import { MAX_AGENT_DEPTH } from "@svc/contract/agent-limits";
import { describe, expect, it } from "vitest";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { AgentFilter, StoredAgent, SupervisedPage } from "../ports/agent-store.ts";
import { storedAgent as agent } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const ALL: AgentFilter = { namespaces: null, ids: null, tag: null, text: null };

const QUARANTINE = {
  reason: "odd calls",
  quarantined_by: "on-call",
  quarantined_at: "2026-01-02T03:04:05.678Z",
  expires_at: "2026-01-02T04:04:05.678Z",
};

export function agentContract(subject: ContractSubject): void {
  const agents = () => subject.store().agents;
  const register = async (org: string, made: StoredAgent) =>
    agents().registerAgent({ org, auditRow: "{}", agent: made });
  const replace = async (org: string, made: StoredAgent) =>
    agents().replaceAgent({ org, auditRow: "{}", agent: made });
  const idsOf = async (org: string, filter: Partial<AgentFilter>, after: string | null = null, limit = 10) =>
    (await agents().agents(org, { filter: { ...ALL, ...filter }, after, limit })).map(({ id }) => id);
  const eventsAfter = async (revision: number) => subject.store().controlFeed.eventsAfter(revision, 100);

  describe("agents", () => {
    it("registers once per organization, and says who was first", async () => {
      const org = randomUUID();
      const made = await register(org, agent("a"));
      expect(made).toMatchObject({ kind: "registered" });
      expect(await register(org, agent("a", { namespace: "other" }))).toEqual({
        kind: "existing",
        agent: agent("a"),
      });
      expect(await register(randomUUID(), agent("a"))).toMatchObject({ kind: "registered" });
      expect(await agents().agent(org, "a")).toEqual(agent("a"));
      expect(await agents().agent(org, "b")).toBeNull();
      expect(await agents().agentsNamed(org, ["b", "a"])).toEqual([agent("a")]);
      expect(await agents().agentsNamed(org, [])).toEqual([]);
    });

    it("replaces the version that was read, and tells gateways what they act by", async () => {
      const org = randomUUID();
      const made = await register(org, agent("a"));
      const { revision } = made.kind === "registered" ? made : { revision: 0 };
      const renamed = agent("a", { name: "A", version: 2 });
      expect(await replace(org, renamed)).toEqual({ kind: "replaced", revision });
      expect(await replace(org, renamed)).toEqual({ kind: "moved" });
      expect(await replace(org, agent("b", { version: 2 }))).toEqual({ kind: "moved" });
      const moved = agent("a", { namespace: "other", quarantine: QUARANTINE, version: 3 });
      expect(await replace(org, moved)).toEqual({ kind: "replaced", revision: revision + 1 });
      const quarantine = { since: QUARANTINE.quarantined_at, until: QUARANTINE.expires_at };
      expect((await eventsAfter(revision)).filter((event) => event.org === org)).toEqual([
        {
          revision: revision + 1,
          org,
          change: { kind: "agent", record: { id: "a", namespace: "other", quarantine }, removed: false },
        },
      ]);
      const { changes } = await subject.store().controlFeed.snapshot();
      expect(changes.filter((entry) => entry.org === org)).toEqual([
        {
          org,
          change: { kind: "agent", record: { id: "a", namespace: "other", quarantine }, removed: false },
        },
      ]);
    });

    it("removes what has no quarantine and no children", async () => {
      const org = randomUUID();
      await register(org, agent("a"));
      await register(org, agent("b", { parent_agent_id: "a" }));
      const remove = async (id: string, version: number) =>
        agents().removeAgent({ org, auditRow: "{}", agent: agent(id, { version }) });
      expect(await remove("a", 1)).toEqual({ kind: "has_children", children: ["b"] });
      expect(await remove("b", 2)).toEqual({ kind: "moved" });
      await replace(org, agent("b", { parent_agent_id: "a", quarantine: QUARANTINE, version: 2 }));
      expect(await remove("b", 2)).toEqual({ kind: "quarantined" });
      await replace(org, agent("b", { parent_agent_id: "a", version: 3 }));
      const removed = await remove("b", 3);
      expect(removed).toMatchObject({ kind: "removed" });
      expect(await remove("b", 3)).toEqual({ kind: "moved" });
      const { revision } = removed.kind === "removed" ? removed : { revision: 0 };
      expect(await eventsAfter(revision - 1)).toMatchObject([
        { org, change: { kind: "agent", record: { id: "b" }, removed: true } },
      ]);
      expect(await remove("a", 1)).toMatchObject({ kind: "removed" });
    });

    it("changes no registration that came after the one that was read", async () => {
      const org = randomUUID();
      const earlier = agent("a");
      await register(org, earlier);
      await agents().removeAgent({ org, auditRow: "{}", agent: earlier });
      const later = agent("a", { namespace: "other", registered_at: "2026-01-03T00:00:00.000Z" });
      await register(org, later);
      expect(await replace(org, { ...earlier, tags: ["x"], version: 2 })).toEqual({ kind: "moved" });
      expect(await agents().removeAgent({ org, auditRow: "{}", agent: earlier })).toEqual({ kind: "moved" });
      expect(await agents().agent(org, "a")).toEqual(later);
      expect(await replace(org, { ...later, tags: ["x"], version: 2 })).toMatchObject({ kind: "replaced" });
    });

    it("takes only parents that are there, and neither cycles nor endless chains", async () => {
      const org = randomUUID();
      expect(await register(org, agent("a", { parent_agent_id: "b" }))).toEqual({ kind: "parent_missing" });
      expect(await register(org, agent("a", { parent_agent_id: "a" }))).toEqual({
        kind: "parent_cycle",
        chain: [],
      });
      await register(org, agent("a"));
      await register(org, agent("b", { parent_agent_id: "a" }));
      expect(await replace(org, agent("a", { parent_agent_id: "b", version: 2 }))).toEqual({
        kind: "parent_cycle",
        chain: ["b"],
      });
      for (let at = 1; at <= MAX_AGENT_DEPTH; at += 1)
        expect(
          await register(
            org,
            agent(`c${String(at)}`, { parent_agent_id: at === 1 ? null : `c${String(at - 1)}` }),
          ),
        ).toMatchObject({ kind: "registered" });
      const last = `c${String(MAX_AGENT_DEPTH)}`;
      expect(await register(org, agent("d", { parent_agent_id: last }))).toEqual({ kind: "parent_too_deep" });
    });

    it("lists by id what fits every filter", async () => {
      const org = randomUUID();
      await register(org, agent("z", { tags: ["prod", "eu"] }));
      await register(org, agent("a", { tags: ["pro"], namespace: "other" }));
      await register(org, agent("m", { provider: "Acme \u00c9", tags: ["eu"] }));
      expect(await idsOf(org, {})).toEqual(["a", "m", "z"]);
      expect(await idsOf(org, {}, "a", 1)).toEqual(["m"]);
      expect(await idsOf(org, { namespaces: ["other", "none"] })).toEqual(["a"]);
      expect(await idsOf(org, { namespaces: [] })).toEqual([]);
      expect(await idsOf(org, { ids: ["z", "a", "q"] })).toEqual(["a", "z"]);
      expect(await idsOf(org, { tag: "pro" })).toEqual(["a"]);
      expect(await idsOf(org, { tag: "eu" })).toEqual(["m", "z"]);
      expect(await idsOf(org, { text: "NAME OF Z" })).toEqual(["z"]);
      expect(await idsOf(org, { text: "acme \u00e9" })).toEqual(["m"]);
      expect(await idsOf(org, { text: "%" })).toEqual([]);
      expect(await idsOf(randomUUID(), {})).toEqual([]);
    });

    it("knows the worst severity and the latest heartbeat of supervised agents", async () => {
      const org = randomUUID();
      const { supervision } = subject.store();
      const beat = (agentId: string, sessionId: string) => {
        const nobody = { parentSessionId: null, parentAgentId: null, ended: false, ageMs: 0 };
        return { org, agentId, sessionId, namespace: "payments", ...nobody };
      };
      const [first] = await supervision.recordHeartbeats([
        beat("b", "s-1"),
        beat("b", "s-2"),
        beat("a", "s-1"),
      ]);
      if (first?.kind !== "recorded") throw new Error("the heartbeat was not recorded");
      const { version } = first.session;
      const named = { org, agentId: "b", sessionId: "s-1", version, auditRow: "{}" };
      const rest = { orphaned: "keep", clears: true, ends: false, missedHeartbeats: 2 } as const;
      await supervision.changeSeverities([{ ...named, severity: "WARNING", reason: "silent", ...rest }]);
      const lastHeartbeatMs = expect.any(Number);
      const found = await agents().supervision(org, ["b", "a", "none"]);
      expect(found).toEqual([
        { id: "a", namespace: "payments", severity: "INFO", lastHeartbeatMs },
        { id: "b", namespace: "payments", severity: "WARNING", lastHeartbeatMs },
      ]);
      const page = { severities: null, ids: null, text: null, after: null, limit: 5 };
      const supervised = async (changes: Partial<SupervisedPage>) =>
        agents().supervisedAgents(org, { ...page, ...changes });
      expect(await supervised({ severities: ["WARNING", "CRITICAL"] })).toEqual(["b"]);
      expect(await supervised({ severities: ["WARNING"], after: "b" })).toEqual([]);
      expect(await supervised({ severities: ["INFO", "CRITICAL"] })).toEqual([]);
      expect(await supervised({})).toEqual(["a", "b"]);
      expect(await supervised({ limit: 1, after: "a" })).toEqual(["b"]);
      expect(await supervised({ ids: ["b", "none"] })).toEqual(["b"]);
      expect(await supervised({ ids: [] })).toEqual([]);
      expect(await supervised({ text: "A" })).toEqual(["a"]);
      await supervision.recordHeartbeats([{ ...beat("a", "s-1"), ended: true }]);
      expect(await supervised({})).toEqual(["b"]);
      // Another test counts the ended sessions of all organizations.
      await supervision.recordHeartbeats([beat("a", "s-1")]);
    });

    it("keeps a namespace that an agent is registered in", async () => {
      const org = randomUUID();
      const { namespaces } = subject.store();
      const times = { created_at: null, created_by: null, updated_at: "2026-01-02T03:04:05.678Z" };
      const record = { id: "payments", name: "payments", description: null, ...times };
      await namespaces.createNamespace({ org, auditRow: "{}", record });
      await register(org, agent("a"));
      expect(await namespaces.removeNamespace({ org, auditRow: "{}", id: "payments" })).toMatchObject({
        kind: "in_use",
        use: { agents: ["a"] },
      });
    });

    it("stops at the limit of agents, per organization", async () => {
      const place = await subject.newPlace();
      const store = await place.open({ limits: { ...DEFAULT_STORE_LIMITS, agents: 1 } });
      const add = async (org: string, id: string) =>
        store.agents.registerAgent({ org, auditRow: "{}", agent: agent(id) });
      expect(await add("org", "a")).toMatchObject({ kind: "registered" });
      expect(await add("org", "b")).toEqual({ kind: "too_many" });
      expect(await add("other", "b")).toMatchObject({ kind: "registered" });
      await store.close();
      await place.remove();
    });
  });
}
