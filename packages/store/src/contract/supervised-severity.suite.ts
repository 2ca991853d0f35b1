import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { SessionName } from "../ports/supervision-store.ts";
import { killSwitch } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";
import { stepOf, supervisionActions } from "./supervision-actions.suite.ts";

export function supervisedSeverityContract(subject: ContractSubject): void {
  const { store, beat, step, auditRows } = supervisionActions(subject);

  describe("severities of SupervisionStore", () => {
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

    it("lets a kill switch that a session demands be activated only while it is at EMERGENCY", async () => {
      const org = randomUUID();
      const session = await beat(org);
      const activate = async (demandedBy: SessionName) => {
        const record = killSwitch(randomUUID(), { scope: "session", target_id: "s-1" });
        const change = { org, record, demandedBy, auditRow: `{"org":"${org}"}` };
        return (await subject.store().killSwitches.activateKillSwitch(change)).kind;
      };
      expect(await activate(session)).toBe("not_demanded");
      const terminated = await step(session, { severity: "EMERGENCY" });
      expect(await activate({ ...session, agentId: "agent-2" })).toBe("not_demanded");
      expect(await auditRows(org)).toBe(1);
      expect(await activate(session)).toBe("activated");
      expect(await activate(session)).toBe("existing");
      await step(terminated, { severity: "INFO", ends: true });
      expect(await activate(session)).toBe("not_demanded");
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
  });
}
