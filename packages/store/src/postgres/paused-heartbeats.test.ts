// peers: postgres
// long: it waits until PostgreSQL ends the transaction of a process that fell silent
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { startDatabaseLink } from "../testing/database-link.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const beatOf = (sessionId: string) => ({
  org: "o",
  agentId: "a",
  sessionId,
  namespace: "default",
  parentSessionId: null,
  parentAgentId: null,
  ended: false,
  ageMs: 0,
});

describePostgres("a process that falls silent while it stores heartbeats", (server) => {
  it("does not keep others from storing theirs for long", async () => {
    const url = await server().createDatabase();
    const link = await startDatabaseLink(url);
    onTestFinished(() => link.close());
    const other = await openPostgresStore({ url, logId: "log-b" });
    onTestFinished(() => other.close());
    const silent = await openPostgresStore({ url: link.url, logId: "log-a" });
    const blocker = new Client({ connectionString: url });
    await blocker.connect();
    onTestFinished(() => blocker.end());
    const waiting = async () => {
      // A transaction sees the activity of others as it was when it looked first.
      await blocker.query("SELECT pg_stat_clear_snapshot()");
      const text = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
      return (await blocker.query<{ count: number }>(text)).rows[0]?.count;
    };

    // The silent process has the lock of all writers when it reads the sessions, and never hears the answer.
    await blocker.query("BEGIN; LOCK TABLE supervised_sessions IN ACCESS EXCLUSIVE MODE");
    const lost = silent.supervision.recordHeartbeats([beatOf("s-1")]).catch((error: unknown) => error);
    await expect.poll(waiting, { timeout: 5_000, interval: 5 }).toBe(1);
    link.freeze(["from database"]);
    await blocker.query("COMMIT");
    const stored = () =>
      other.supervision.recordHeartbeats([beatOf("s-2")]).then(
        ([recorded]) => recorded?.kind,
        () => null,
      );
    await expect.poll(stored, { timeout: 30_000, interval: 20 }).toBe("recorded");
    await link.cut();
    expect(await lost).toBeInstanceOf(Error);
    await silent.close().catch(() => undefined);
  });
});
