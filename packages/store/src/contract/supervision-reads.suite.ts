import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { SupervisedSession } from "../ports/supervision-store.ts";
import type { ContractSubject } from "./contract-subject.ts";
import { heartbeat, stepOf, supervisionActions } from "./supervision-actions.suite.ts";

export function supervisionReadsContract(subject: ContractSubject): void {
  const { store, beat, step } = supervisionActions(subject);

  describe("what SupervisionStore tells", () => {
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
  });
}
