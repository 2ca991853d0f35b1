// peers: postgres
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { heartbeat } from "../contract/supervision-actions.suite.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

/** Milliseconds for which another process keeps the lock of all writers. */
const LOCKED_MS = 700;

describePostgres("a heartbeat that waits for the lock of all writers", (server) => {
  it("counts from the moment when it was handed over", async () => {
    const url = await server().createDatabase();
    const store = await openPostgresStore({ url, logId: "log-a" });
    onTestFinished(() => store.close());
    const blocker = new Client({ connectionString: url });
    await blocker.connect();
    onTestFinished(() => blocker.end());
    const { nowMs } = await store.supervision.news(null, 1);
    await blocker.query("BEGIN; SELECT number FROM supervision_head FOR UPDATE");
    const recorded = store.supervision.recordHeartbeats([heartbeat("acme")]);
    await blocker.query("SELECT pg_sleep($1)", [LOCKED_MS / 1_000]);
    await blocker.query("COMMIT");
    const [session] = await recorded;
    if (session?.kind !== "recorded") throw new Error("expected the heartbeat to be recorded");
    expect(session.session.lastHeartbeatMs).toBeLessThan(nowMs + LOCKED_MS / 2);
  });
});
