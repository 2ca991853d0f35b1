import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Claims } from "../ports/claims.ts";
import { counters, entry, keyClaim } from "../testing/records.ts";
import { BatchCommitter } from "./commit-batch.ts";
import { openDatabase } from "./open-database.ts";

it("costs a row without claims no statement, and a row with a key two", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "svc-commit-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const opened = await openDatabase({ dataDir, logId: "log", acknowledged: null, growth: "refused" });
  onTestFinished(() => opened.connection.close());
  let statements = 0;
  const prepare = opened.connection.prepare.bind(opened.connection);
  opened.connection.prepare = (text) => {
    const statement = prepare(text);
    for (const method of ["run", "get", "all"] as const) {
      const execute = statement[method].bind(statement) as (...values: never[]) => never;
      statement[method] = (...values: never[]) => {
        statements += 1;
        return execute(...values);
      };
    }
    return statement;
  };
  const { connection, epoch, head } = opened;
  const committer = new BatchCommitter({ connection, logId: "log", epoch, head, beforeCommit: () => {} });
  const statementsOf = (claims: Partial<Claims>): number => {
    statements = 0;
    expect(committer.commit([entry("{}", claims)]).exceptions).toEqual([]);
    return statements;
  };
  const session = { org: "org", agentId: "agent-1", sessionId: "session-1" };
  // BEGIN, read the head, insert the row, set the head, COMMIT.
  expect(statementsOf({})).toBe(5);
  expect(statementsOf({ counters: counters(session) })).toBe(7);
  expect(statementsOf({ idempotency: keyClaim("org") })).toBe(7);
});
