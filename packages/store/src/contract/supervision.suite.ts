import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { ReceivedHeartbeat } from "../ports/supervision-store.ts";
import type { ContractSubject } from "./contract-subject.ts";
import { CLOCK_MS, heartbeat, supervisionActions } from "./supervision-actions.suite.ts";

export function supervisionContract(subject: ContractSubject): void {
  const { store, beat, step, auditRows, nowMs } = supervisionActions(subject);

  describe("SupervisionStore", () => {
    it("begins with the first heartbeat, dated by its own clock less the age", async () => {
      const org = randomUUID();
      const before = await nowMs();
      const session = await beat(org, { ageMs: 10_000, parentSessionId: "s-0", parentAgentId: "agent-0" });
      const after = await nowMs();
      expect(session).toMatchObject({
        org,
        agentId: "agent-1",
        sessionId: "s-1",
        namespace: "default",
        parentSessionId: "s-0",
        parentAgentId: "agent-0",
        severity: "INFO",
        missedHeartbeats: 0,
        heard: true,
        reauthenticated: false,
        orphanedAtMs: null,
        endedAtMs: null,
        contained: "none",
      });
      expect(session.lastHeartbeatMs).toBeGreaterThanOrEqual(before - 10_000);
      expect(session.lastHeartbeatMs).toBeLessThanOrEqual(after - 10_000);
      expect(Math.abs(before - Date.now())).toBeLessThan(CLOCK_MS);
      expect(await store().session(session)).toEqual(session);
      expect(await store().session({ ...session, org: randomUUID() })).toBeNull();
      expect(await auditRows(org)).toBe(0);
    });

    it("moves the time of a session forward only, and keeps a parent until another is named", async () => {
      const org = randomUUID();
      const first = await beat(org, { parentSessionId: "s-0", parentAgentId: "agent-0" });
      const late = await beat(org, { ageMs: 60_000, namespace: "prod" });
      expect(late).toMatchObject({
        lastHeartbeatMs: first.lastHeartbeatMs,
        namespace: "prod",
        parentSessionId: "s-0",
        parentAgentId: "agent-0",
      });
      expect(late.version).toBeGreaterThan(first.version);
      const other = await beat(org, { parentSessionId: "s-2", parentAgentId: null });
      expect(other).toMatchObject({ parentSessionId: "s-2", parentAgentId: null });
    });

    it("does not begin again with a heartbeat that is older than the end", async () => {
      const org = randomUUID();
      await beat(org, { ageMs: 9_000 });
      const ended = await beat(org, { ageMs: 4_000, ended: true });
      expect(await beat(org, { ageMs: 6_000 })).toEqual(ended);
      expect(await beat(org, { ageMs: 2_000 })).toMatchObject({ endedAtMs: null });
      const warned = await step(await beat(org));
      const reregistered = await step(warned, { severity: "INFO", ends: true });
      expect(await beat(org, { ageMs: 3_000 })).toEqual(reregistered);
      expect(await store().session(reregistered)).toEqual(reregistered);
    });

    it("refuses a parent that descends from the session, and a line that is too long", async () => {
      const org = randomUUID();
      const below = (sessionId: string, parentSessionId: string | null, agentId = "agent-1") =>
        heartbeat(org, { sessionId, parentSessionId, agentId });
      const record = async (...beats: readonly ReceivedHeartbeat[]) =>
        (await store().recordHeartbeats(beats)).map((each) =>
          each.kind === "bad_parent" ? each.why : each.kind,
        );
      expect(await record(below("b", "a"), below("c", "b", "agent-2"), below("a", "c"))).toEqual([
        "recorded",
        "recorded",
        "circular",
      ]);
      expect(await record(below("x", "y"), below("y", "x"), below("z", "z"))).toEqual([
        "recorded",
        "circular",
        "circular",
      ]);
      expect(await store().session({ org, agentId: "agent-1", sessionId: "a" })).toBeNull();
      expect(await record(below("b", null), below("b", "other"), below("a", "c"))).toEqual([
        "recorded",
        "recorded",
        "recorded",
      ]);
      const line = Array.from({ length: 31 }, (_, at) => below(`l${String(at + 1)}`, `l${String(at)}`));
      expect(new Set(await record(...line))).toEqual(new Set(["recorded"]));
      expect(await record(below("l32", "l31"))).toEqual(["recorded"]);
      expect(await record(below("l33", "l32"), below("l32", "l31"))).toEqual(["too_long", "recorded"]);
    });

    // proves ROGUE-18
    it("lets no two heartbeats close a circle at the same moment", async () => {
      const orgs = Array.from({ length: 10 }, () => randomUUID());
      const raced = orgs.map(async (org) => {
        const recorded = await Promise.all([
          store().recordHeartbeats([heartbeat(org, { sessionId: "a", parentSessionId: "b" })]),
          store().recordHeartbeats([heartbeat(org, { sessionId: "b", parentSessionId: "a" })]),
        ]);
        return recorded.flat().map(({ kind }) => kind);
      });
      for (const kinds of await Promise.all(raced))
        expect(kinds.toSorted()).toEqual(["bad_parent", "recorded"]);
    });

    it("takes many heartbeats at once, and of one session in their order", async () => {
      const org = randomUUID();
      const many = Array.from({ length: 700 }, (_, index) =>
        heartbeat(org, { agentId: `agent-${String(index % 7)}`, sessionId: `s-${String(index % 350)}` }),
      );
      const recorded = await store().recordHeartbeats(many);
      expect(recorded).toHaveLength(700);
      const last = new Map(
        recorded.flatMap((each) =>
          each.kind === "recorded" ? [[each.session.sessionId, each.session]] : [],
        ),
      );
      const stored = await store().session({ org, agentId: "agent-3", sessionId: "s-3" });
      expect(stored).toEqual(last.get("s-3"));
      const pair = [heartbeat(org, { ended: true }), heartbeat(org)];
      expect(await store().recordHeartbeats(pair)).toMatchObject([
        { session: { endedAtMs: expect.any(Number) } },
        { session: { endedAtMs: null } },
      ]);
    });

    it("keeps to the limit of an organization, and says which heartbeat was too many", async () => {
      const place = await subject.newPlace();
      const opened = await place.open({ limits: { ...DEFAULT_STORE_LIMITS, supervisedSessions: 2 } });
      const { supervision } = opened;
      const named = (sessionId: string, changes = {}) => heartbeat("acme", { sessionId, ...changes });
      const recorded = await supervision.recordHeartbeats(
        ["s-1", "s-2", "s-3", "s-1"].map((id) => named(id)),
      );
      expect(recorded.map(({ kind }) => kind)).toEqual(["recorded", "recorded", "too_many", "recorded"]);
      expect(await supervision.recordHeartbeats([heartbeat("other")])).toMatchObject([{ kind: "recorded" }]);
      await supervision.recordHeartbeats([named("s-1", { ended: true })]);
      expect(await supervision.recordHeartbeats([named("s-3")])).toMatchObject([{ kind: "recorded" }]);
      expect(await supervision.recordHeartbeats([named("s-1")])).toEqual([
        { kind: "too_many", of: "organization" },
      ]);
      await opened.close();
      await place.remove();
    });

    it("keeps to the limit of an agent, so that no agent takes the places of the others", async () => {
      const place = await subject.newPlace();
      const limits = { ...DEFAULT_STORE_LIMITS, supervisedSessionsOfAgent: 2 };
      const opened = await place.open({ limits });
      const { supervision } = opened;
      const named = (sessionId: string, changes = {}) => heartbeat("acme", { sessionId, ...changes });
      const flood = await supervision.recordHeartbeats(["s-1", "s-2", "s-3"].map((id) => named(id)));
      expect(flood[2]).toEqual({ kind: "too_many", of: "agent" });
      expect(await supervision.recordHeartbeats([named("s-4")])).toEqual([{ kind: "too_many", of: "agent" }]);
      const other = await supervision.recordHeartbeats([named("s-4", { agentId: "agent-2" })]);
      expect(other).toMatchObject([{ kind: "recorded" }]);
      await supervision.recordHeartbeats([named("s-1", { ended: true })]);
      expect(await supervision.recordHeartbeats([named("s-4")])).toMatchObject([{ kind: "recorded" }]);
      await opened.close();
      await place.remove();
    });

    it("keeps the spans of time in which a supervisor watched", async () => {
      const place = await subject.newPlace();
      const opened = await place.open();
      expect(await opened.supervision.watchSpans()).toEqual([]);
      const spans = [{ fromMs: 1, untilMs: 2 }];
      await opened.supervision.saveWatchSpans([{ fromMs: 0, untilMs: 1 }]);
      await opened.supervision.saveWatchSpans(spans);
      expect(await opened.supervision.watchSpans()).toEqual(spans);
      await opened.close();
      const again = await place.open();
      expect(await again.supervision.watchSpans()).toEqual(spans);
      await again.close();
      await place.remove();
    });

    it("forgets sessions that ended and are settled, and no others", async () => {
      const org = randomUUID();
      for (const sessionId of ["s-1", "s-2", "s-3", "s-4"]) await beat(org, { sessionId });
      const warned = await step(await beat(org, { sessionId: "s-2" }));
      await store().noteContainment(await beat(org, { sessionId: "s-3" }), { from: "none", to: "suspended" });
      for (const sessionId of ["s-1", "s-2", "s-3"]) await beat(org, { sessionId, ended: true });
      const [beforeMs, tooEarlyMs] = [(await nowMs()) + 1, (await nowMs()) - 60_000];
      expect(await store().forgetEnded(tooEarlyMs, 10_000)).toBe(0);
      expect(await store().forgetEnded(beforeMs, 10_000)).toBeGreaterThanOrEqual(1);
      const left = await Promise.all(
        ["s-1", "s-2", "s-3", "s-4"].map(async (sessionId) => store().session({ ...warned, sessionId })),
      );
      expect(left.map((session) => session !== null)).toEqual([false, true, true, true]);
    });
  });
}
