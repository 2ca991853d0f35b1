import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type {
  ReceivedHeartbeat,
  SeverityChange,
  SupervisedSession,
  SupervisionStore,
} from "../ports/supervision-store.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import type { ContractSubject } from "./contract-subject.ts";

/** Milliseconds by which the clocks of a test and of the store may differ. */
const CLOCK_MS = 5_000;

function heartbeat(org: string, changes: Partial<ReceivedHeartbeat> = {}): ReceivedHeartbeat {
  const name = { org, agentId: "agent-1", sessionId: "s-1" };
  const parent = { parentSessionId: null, parentAgentId: null };
  return { ...name, namespace: "default", ...parent, ended: false, ageMs: 0, ...changes };
}

/** A step to WARNING, with the given members replaced. */
function stepOf(session: SupervisedSession, changes: Partial<SeverityChange> = {}): SeverityChange {
  const { org, agentId, sessionId, version } = session;
  return {
    org,
    agentId,
    sessionId,
    version,
    severity: "WARNING",
    reason: "2 heartbeats missed",
    missedHeartbeats: 2,
    orphaned: "keep",
    clears: false,
    ends: false,
    auditRow: `{"org":"${org}"}`,
    ...changes,
  };
}

export function supervisionContract(subject: ContractSubject): void {
  const store = (): SupervisionStore => subject.store().supervision;
  const beat = async (org: string, changes: Partial<ReceivedHeartbeat> = {}): Promise<SupervisedSession> => {
    const [recorded] = await store().recordHeartbeats([heartbeat(org, changes)]);
    if (recorded?.kind !== "recorded") throw new Error("expected the heartbeat to be recorded");
    return recorded.session;
  };
  const step = async (session: SupervisedSession, changes: Partial<SeverityChange> = {}) => {
    const [changed] = await store().changeSeverities([stepOf(session, changes)]);
    if (changed?.kind !== "changed") throw new Error("expected the severity to be changed");
    return changed.session;
  };
  const auditRows = async (org: string): Promise<number> => {
    const { audit, logId } = subject.store();
    return (await readChain(audit, logId)).map(rowText).filter((row) => row.includes(org)).length;
  };
  const nowMs = async (): Promise<number> => (await store().news(null, 1)).nowMs;

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

    it("changes a severity with one control event and one audit row", async () => {
      const org = randomUUID();
      const session = await beat(org);
      const { revision: before } = await subject.store().controlFeed.snapshot();
      const [changed] = await store().changeSeverities([stepOf(session)]);
      expect(changed).toMatchObject({
        kind: "changed",
        revision: before + 1,
        session: { severity: "WARNING", missedHeartbeats: 2, heard: false, reason: "2 heartbeats missed" },
      });
      const events = await subject.store().controlFeed.eventsAfter(before, 10);
      const record = {
        agentId: "agent-1",
        sessionId: "s-1",
        severity: "WARNING",
        reason: "2 heartbeats missed",
      };
      expect(events).toMatchObject([{ org, change: { kind: "severity", record } }]);
      expect(await auditRows(org)).toBe(1);
      const isOwn = (change: { readonly org: string }): boolean => change.org === org;
      const raised = (await subject.store().controlFeed.snapshot()).changes.filter(isOwn);
      expect(raised).toEqual(events.map(({ change }) => ({ org, change })));
      const warned = await beat(org);
      await step(warned, { severity: "INFO", missedHeartbeats: 0 });
      expect((await subject.store().controlFeed.snapshot()).changes.filter(isOwn)).toEqual([]);
    });

    it("changes nothing when the session has another version, and lets the others through", async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      const stale = await beat(one);
      const current = await beat(one);
      const foreign = await beat(other);
      const unknown = { ...stale, sessionId: "s-9" };
      const changes = [stepOf(stale), stepOf(foreign), stepOf(unknown)];
      const { revision } = await subject.store().controlFeed.snapshot();
      expect(await store().changeSeverities(changes)).toMatchObject([
        { kind: "moved", session: current },
        { kind: "changed", revision: revision + 1 },
        { kind: "moved", session: null },
      ]);
      expect([await auditRows(one), await auditRows(other)]).toEqual([0, 1]);
    });

    it("changes severities of several organizations at once, each event with its own", async () => {
      const orgs = Array.from({ length: 5 }, () => randomUUID());
      const sessions = await Promise.all(orgs.map(async (org) => beat(org)));
      const { revision } = await subject.store().controlFeed.snapshot();
      const changed = await store().changeSeverities(sessions.map((session) => stepOf(session)));
      const revisions = changed.map((each) => (each.kind === "changed" ? each.revision : null));
      expect(revisions).toEqual(orgs.map((_, index) => revision + index + 1));
      const events = await subject.store().controlFeed.eventsAfter(revision, 10);
      expect(events.map(({ org }) => org)).toEqual(orgs);
    });

    it("notes an orphan and a miss without a control event", async () => {
      const org = randomUUID();
      const session = await beat(org);
      const { revision } = await subject.store().controlFeed.snapshot();
      const same = { severity: "INFO", missedHeartbeats: 1 } as const;
      const [flagged] = await store().changeSeverities([stepOf(session, { ...same, orphaned: "now" })]);
      expect(flagged).toMatchObject({
        kind: "changed",
        revision: null,
        session: {
          orphanedAtMs: expect.any(Number),
          heard: true,
          missedHeartbeats: 1,
          reason: session.reason,
        },
      });
      const orphan = await beat(org);
      expect(orphan.orphanedAtMs).not.toBeNull();
      const cleared = await step(orphan, { ...same, orphaned: "clear", clears: true });
      expect(cleared).toMatchObject({ orphanedAtMs: null, heard: false });
      expect((await subject.store().controlFeed.snapshot()).revision).toBe(revision);
      expect(await auditRows(org)).toBe(2);
    });

    it("ends a session in good order below CRITICAL alone, and begins it again", async () => {
      const org = randomUUID();
      await beat(org);
      const ended = await beat(org, { ended: true });
      expect(ended.endedAtMs).not.toBeNull();
      const again = await beat(org);
      expect(again).toMatchObject({ endedAtMs: null, severity: "INFO" });
      const critical = await step(again, { severity: "CRITICAL" });
      expect(await beat(org, { ended: true })).toMatchObject({ endedAtMs: null, severity: "CRITICAL" });
      expect(critical.heard).toBe(false);
    });

    it("lets no session out of a severity by ending and beginning again", async () => {
      const org = randomUUID();
      await step(await beat(org));
      expect(await beat(org, { ended: true })).toMatchObject({ severity: "WARNING" });
      expect(await beat(org)).toMatchObject({ severity: "WARNING", endedAtMs: null, heard: true });
      const terminated = await step(await beat(org), { severity: "EMERGENCY", ends: true });
      expect(terminated.endedAtMs).not.toBeNull();
      const heard = await beat(org, { namespace: "prod" });
      expect(heard).toEqual({
        ...terminated,
        version: heard.version,
        lastHeartbeatMs: heard.lastHeartbeatMs,
      });
    });

    it("notes that an agent authenticated again, with its audit row", async () => {
      const org = randomUUID();
      const name = { org, agentId: "agent-1", sessionId: "s-1" };
      const again = async () => store().reauthenticate({ ...name, auditRow: `{"again":"${org}"}` });
      expect(await again()).toEqual({ kind: "not_found" });
      const session = await beat(org, { ageMs: 60_000 });
      expect(await again()).toMatchObject({ session: { reauthenticated: false, severity: "INFO" } });
      const current = await store().session(name);
      expect(current?.lastHeartbeatMs).toBeGreaterThan(session.lastHeartbeatMs);
      await step(await beat(org), { severity: "CRITICAL" });
      expect(await again()).toMatchObject({ session: { reauthenticated: true, heard: true } });
      const critical = await store().session(name);
      if (critical === null) throw new Error("expected the session");
      const calm = await step(critical, { severity: "INFO" });
      expect(calm.reauthenticated).toBe(false);
      await beat(org, { ended: true });
      expect(await again()).toEqual({ kind: "not_found" });
      expect(await auditRows(org)).toBe(4);
    });

    it("notes what was done to a session, once", async () => {
      const org = randomUUID();
      const session = await beat(org);
      await store().noteContainment(session, { from: "none", to: "suspended" });
      await store().noteContainment(session, { from: "none", to: "terminated" });
      const noted = await store().session(session);
      expect(noted).toMatchObject({ contained: "suspended" });
      expect(noted?.version).toBeGreaterThan(session.version);
      expect(await beat(org)).toMatchObject({ contained: "suspended" });
    });

    it("tells every change since a cursor, oldest first, in pages", async () => {
      const org = randomUUID();
      const { cursor } = await store().news(null, 1);
      const one = await beat(org, { sessionId: "s-1" });
      const two = await beat(org, { sessionId: "s-2" });
      const first = await store().news(cursor, 1);
      expect(first).toMatchObject({ sessions: [one], isMore: true });
      const second = await store().news(first.cursor, 5);
      expect(second).toMatchObject({ sessions: [two], isMore: false });
      expect(await store().news(second.cursor, 5)).toMatchObject({ sessions: [], cursor: second.cursor });
      const again = await beat(org, { sessionId: "s-1", ended: true });
      const third = await store().news(second.cursor, 5);
      expect(third.sessions).toEqual([again]);
      expect(third.nowMs).toBeGreaterThanOrEqual(again.lastHeartbeatMs);
    });

    it("leaves nothing out of the news while many write at once", async () => {
      const orgs = Array.from({ length: 8 }, () => randomUUID());
      let { cursor } = await store().news(null, 1);
      const heard = new Set<string>();
      let isWriting = true;
      const readOn = async (): Promise<void> => {
        for (let isMore = true; isMore || isWriting; ) {
          const news = await store().news(cursor, 7);
          for (const { org, sessionId, version } of news.sessions)
            heard.add(`${org} ${sessionId} ${String(version)}`);
          ({ cursor, isMore } = news);
        }
      };
      const reading = readOn();
      const written = await Promise.all(
        orgs.map(async (org) => {
          const last: SupervisedSession[] = [];
          for (let round = 0; round < 5; round += 1) {
            const sessionId = `s-${String(round)}`;
            last.push(await beat(org, { sessionId }));
          }
          return last;
        }),
      );
      isWriting = false;
      await reading;
      // The last of these reads may have been asked for before the last write.
      await readOn();
      const missing = written
        .flat()
        .filter(({ org, sessionId, version }) => !heard.has(`${org} ${sessionId} ${String(version)}`));
      expect(missing).toEqual([]);
    });

    it("takes every session as news for a cursor from beyond its own history", async () => {
      const org = randomUUID();
      await beat(org);
      const found: string[] = [];
      let cursor = "9007199254740990";
      for (let isMore = true; isMore; ) {
        const news = await store().news(cursor, 500);
        found.push(...news.sessions.map((session) => session.org));
        ({ cursor, isMore } = news);
      }
      expect(found).toContain(org);
      await expect(store().news("x", 1)).rejects.toThrow("cursor of news");
    });

    it("lists what a supervisor has to know at its start", async () => {
      const place = await subject.newPlace();
      const opened = await place.open();
      const { supervision } = opened;
      const ids = ["s-1", "s-2", "s-3", "s-4"];
      const recorded = await supervision.recordHeartbeats(
        ids.map((sessionId) => heartbeat("acme", { sessionId })),
      );
      const sessions = recorded.flatMap((each) => (each.kind === "recorded" ? [each.session] : []));
      const [, second, third] = sessions;
      if (second === undefined || third === undefined) throw new Error("expected four sessions");
      await supervision.changeSeverities([stepOf(second)]);
      await supervision.noteContainment(third, { from: "none", to: "suspended" });
      const ended = ids.slice(1).map((sessionId) => heartbeat("acme", { sessionId, ended: true }));
      await supervision.recordHeartbeats(ended);
      const found: string[] = [];
      let after: string | null = null;
      do {
        const page = await supervision.watched({ limit: 2, after });
        if (page === "bad_cursor") throw new Error("the cursor is that of the page before");
        found.push(...page.items.map(({ sessionId }) => sessionId));
        after = page.next;
      } while (after !== null);
      expect(found).toEqual(["s-1", "s-2", "s-3"]);
      expect(await supervision.watched({ limit: 2, after: "x" })).toBe("bad_cursor");
      await opened.close();
      await place.remove();
    });

    it("lists the sessions of an agent, the worst first, then the latest, and ended ones last", async () => {
      const org = randomUUID();
      await beat(org, { sessionId: "s-4" });
      await beat(org, { sessionId: "s-4", ended: true });
      for (const [index, sessionId] of ["s-1", "s-2", "s-3"].entries())
        await beat(org, { sessionId, ageMs: 50_000 - index * 10_000 });
      const first = await store().session({ org, agentId: "agent-1", sessionId: "s-1" });
      if (first === null) throw new Error("expected the session");
      await step(first, { severity: "CRITICAL" });
      await beat(org, { agentId: "agent-2", sessionId: "s-1" });
      const found: string[] = [];
      let after: string | null = null;
      do {
        const page = await store().sessionsOf(org, "agent-1", { limit: 1, after });
        if (page === "bad_cursor") throw new Error("the cursor is that of the page before");
        found.push(...page.items.map(({ sessionId }) => sessionId));
        after = page.next;
      } while (after !== null);
      expect(found).toEqual(["s-1", "s-3", "s-2", "s-4"]);
      const named = await store().sessionsNamed(org, "s-1", 5);
      expect(named.map(({ agentId }) => agentId)).toEqual(["agent-1", "agent-2"]);
      expect(await store().sessionsNamed(org, "s-1", 1)).toHaveLength(1);
      expect(await store().sessionsOf(org, "agent-1", { limit: 1, after: "x" })).toBe("bad_cursor");
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
