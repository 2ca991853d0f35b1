// peers: postgres
import { expect, it, onTestFinished } from "vitest";
import type { NewAnomaly } from "../ports/anomaly-store.ts";
import { describePostgres } from "../testing/describe-postgres.suite.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

/** Occurrences that both processes find, as count. */
const OCCURRENCES = 20;

function occurrence(n: number): NewAnomaly {
  return {
    org: "o",
    agentId: `agent-${String(n)}`,
    namespace: "default",
    sessionId: null,
    anomaly: "deny_storm",
    subject: "",
    atMs: 1_000,
    quietMs: 60_000,
    explanation: "had 30 of 30 calls denied within a minute",
    auditRow: `{"agent":${String(n)}}`,
    raise: null,
  };
}

describePostgres("anomalies", (server) => {
  // proves ANOM-01
  it("two processes that watch at the same time record each occurrence once", async () => {
    const url = await server().createDatabase();
    const stores = [
      await openPostgresStore({ url, logId: "log-a" }),
      await openPostgresStore({ url, logId: "log-b" }),
    ];
    onTestFinished(async () => {
      for (const store of stores) await store.close();
    });
    const numbers = [...Array(OCCURRENCES).keys()];
    const record = async (n: number) =>
      Promise.all(stores.map(async ({ anomalies }) => (await anomalies.recordAnomaly(occurrence(n))).kind));
    for (const kinds of await Promise.all(numbers.map(record)))
      expect(kinds.toSorted()).toEqual(["known", "recorded"]);
    const rows = await Promise.all(stores.map(({ audit, logId }) => readChain(audit, logId)));
    const agents = rows.flat().map((row) => (JSON.parse(rowText(row)) as { agent: number }).agent);
    expect(agents.toSorted((one, other) => one - other)).toEqual(numbers);
  });
});
