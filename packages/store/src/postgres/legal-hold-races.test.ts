// peers: postgres
import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { signRemoval } from "@svc/audit-log/removal";
import { runs } from "@svc/text/testing/runs";
import { Client } from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Store } from "../ports/store.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { entry, legalHold } from "../testing/records.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const ORG = "a";
const OLD_MS = Date.UTC(2025, 0, 1);
const NOW_MS = Date.UTC(2026, 0, 1);
const ROWS = 5;
const signer = parseSigner("svc-test", generateSigningKey());

function rowOf(kind: string, timeMs: number, org = ORG): string {
  const time = new Date(timeMs).toISOString();
  return JSON.stringify({ v: 1, kind, time, org, decision: "deny", agent_id: "agent-1" });
}

/** Sessions of this database that wait for a lock. */
const WAITING = `
  SELECT count(*) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** What the log of the organization says of holds and removals, in the order of their transactions. */
const ORDER = `
  SELECT array_agg(line->>'kind' ORDER BY at) AS order
  FROM (SELECT xmin::text::bigint AS at, convert_from(bytes, 'UTF8')::json AS line
        FROM audit_rows WHERE octet_length(bytes) > 0) AS own
  WHERE line->>'kind' <> 'decision' AND line->>'org' = '${ORG}'`;

describePostgres("a legal hold that is placed while another process removes rows", (server) => {
  /** One process has old rows and removes them, one places the hold, and one keeps both waiting. */
  async function places() {
    const url = await server().createDatabase();
    const remover = await openPostgresStore({ url, logId: "log-a" });
    const holder = await openPostgresStore({ url, logId: "log-b" });
    const blocker = new Client({ connectionString: url });
    await blocker.connect();
    onTestFinished(async () => {
      await blocker.end();
      for (const store of [remover, holder]) await store.close();
    });
    // Its connection is open before it has to wait for a lock.
    await holdOf(holder, "b");
    await remover.ledger.commit(Array.from({ length: ROWS }, () => entry(rowOf("decision", OLD_MS))));
    const head = (await remover.audit.heads()).find(({ logId }) => logId === "log-a");
    if (head === undefined) throw new Error("no head");
    const note = signCheckpoint(signer, head);
    await remover.audit.appendCheckpoint({ logId: "log-a", size: head.size, note });
    return { remover, holder, blocker };
  }

  /** Looks, and @returns what removes the rows that it found. */
  async function removalOf({ retention, logId }: Store) {
    const finding = await retention.removable({ logId, block: 0, days: 30, nowMs: NOW_MS });
    if (finding.kind !== "removable") throw new Error(finding.kind);
    const removedAt = new Date(NOW_MS).toISOString();
    const removals = finding.removables.map((removable) => ({
      ...removable,
      note: signRemoval(signer, { ...removable, logId, removedAt, days: 30 }),
      auditRow: rowOf("retention", NOW_MS),
    }));
    return async () => retention.remove({ logId, guard: finding.guard, removals });
  }

  const holdOf = async ({ legalHolds }: Store, org = ORG) =>
    legalHolds.create({ org, auditRow: rowOf("legal_hold", NOW_MS, org), record: legalHold("h1") });

  const rowsLeft = async ({ audit }: Store): Promise<number> =>
    (await audit.rows("log-a", 0, ROWS)).filter(({ bytes }) => bytes.length > 0).length;

  async function waiting(blocker: Client): Promise<number> {
    const { rows } = await blocker.query<{ count: string }>(WAITING);
    return Number(rows[0]?.count);
  }

  /** Both wait for the lock on control state, in the order of `steps`; then they get it in this order. */
  async function inOrder(blocker: Client, steps: readonly (() => Promise<unknown>)[]) {
    await blocker.query("BEGIN");
    await blocker.query("SELECT 1 FROM control_head FOR UPDATE");
    const running: Promise<unknown>[] = [];
    for (const [at, step] of steps.entries()) {
      running.push(step());
      await vi.waitFor(async () => expect(await waiting(blocker)).toBe(at + 1), {
        timeout: 20_000,
        interval: 10,
      });
    }
    await blocker.query("COMMIT");
    return Promise.all(running);
  }

  // proves AUD-37
  it("wins when it comes first, although the removal looked before", async () => {
    const { remover, holder, blocker } = await places();
    const removal = await removalOf(remover);
    const outcomes = await inOrder(blocker, [async () => holdOf(holder), removal]);
    expect(outcomes).toEqual([{ kind: "created" }, "changed"]);
    expect(await rowsLeft(remover)).toBe(ROWS);
    const again = await remover.retention.removable({ logId: "log-a", block: 0, days: 30, nowMs: NOW_MS });
    expect(again).toEqual({ kind: "kept" });
  });

  // proves AUD-37
  it("comes after the removal in the log when the removal was first, and keeps what is left", async () => {
    const { remover, holder, blocker } = await places();
    const removal = await removalOf(remover);
    const outcomes = await inOrder(blocker, [removal, async () => holdOf(holder)]);
    expect(outcomes).toEqual(["removed", { kind: "created" }]);
    expect(await rowsLeft(remover)).toBe(0);
  });

  // proves AUD-37
  it("never is in force over rows that go after it, whatever the order", { timeout: 300_000 }, async () => {
    for (let round = 0; round < runs(2, 60); round += 1) {
      const { remover, holder, blocker } = await places();
      const removal = await removalOf(remover);
      const both = [removal, async () => holdOf(holder)];
      const outcomes = await Promise.all(
        (round % 2 === 0 ? both : both.toReversed()).map(async (run) => run()),
      );
      const isRemoved = outcomes.includes("removed");
      expect(await rowsLeft(remover)).toBe(isRemoved ? 0 : ROWS);
      const { rows } = await blocker.query<{ order: readonly string[] }>(ORDER);
      expect(rows[0]?.order).toEqual(isRemoved ? ["retention", "legal_hold"] : ["legal_hold"]);
    }
  });
});
