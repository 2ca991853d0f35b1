// peers: postgres
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { startDatabaseLink } from "../testing/database-link.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { LeaderSession } from "./leader-session.ts";
import { PrimaryServer } from "./primary-server.ts";

/** Milliseconds in which the lead must be taken over. */
const TAKEN_OVER_WITHIN_MS = 5_000;

describePostgres("the lead of a database", (server) => {
  function candidate(url: string): LeaderSession {
    const session = new LeaderSession(new PrimaryServer(url));
    onTestFinished(() => session.close());
    return session;
  }

  it("has one process at a time, and passes on when that one ends", async () => {
    const url = await server().createDatabase();
    const first = candidate(url);
    await expect.poll(() => first.isLeader, { timeout: TAKEN_OVER_WITHIN_MS }).toBe(true);
    const others = [candidate(url), candidate(url)];
    const leaders = () => [first, ...others].filter(({ isLeader }) => isLeader).length;
    const untilMs = performance.now() + 2_000;
    while (performance.now() < untilMs) {
      expect(leaders()).toBeLessThanOrEqual(1);
      await delay(20);
    }
    expect(first.isLeader).toBe(true);
    await first.close();
    expect(first.isLeader).toBe(false);
    await expect.poll(leaders, { timeout: TAKEN_OVER_WITHIN_MS }).toBe(1);
  });

  it("S2: passes on when the connection of the leader falls silent, and never has two", async () => {
    const url = await server().createDatabase();
    const link = await startDatabaseLink(url);
    onTestFinished(() => link.close());
    const first = candidate(link.url);
    await expect.poll(() => first.isLeader, { timeout: TAKEN_OVER_WITHIN_MS }).toBe(true);
    const second = candidate(url);
    link.freeze();
    // The limit of the test bounds it.
    while (!second.isLeader) {
      await delay(5);
      expect(first.isLeader && second.isLeader).toBe(false);
    }
    expect(first.isLeader).toBe(false);
    await link.mend();
    await expect.poll(() => second.isLeader).toBe(true);
    expect(first.isLeader).toBe(false);
  });
});
