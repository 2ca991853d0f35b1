import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createPolicy, execute } from "./support/api.ts";
import { checkedExport } from "./support/audit-export.ts";
import { type ServerProcess, startServer } from "./support/server-process.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const ROUNDS = 20;
const CONCURRENT_CALLS = 500;

/** Milliseconds that a restart may take. */
const RESTART_LIMIT_MS = 2_000;

const POLICY = "id: refunds\nagent_id: agent-1\ntools: { allowed: ['payments.*'] }\n";

/** Sends all calls at once and pulls the plug while they run. Returns the ids of the allows that came back. */
async function allowsBeforeCrash(server: ServerProcess, crashAfterMs: number): Promise<readonly string[]> {
  const calls = Array.from({ length: CONCURRENT_CALLS }, async (_, index) => {
    const answer = await execute(server.url, { session_id: `s-${String(index)}` }).catch(() => null);
    return answer?.body["decision"] === "allow" ? [String(answer.body["decision_id"])] : [];
  });
  await delay(crashAfterMs);
  await server.stop("SIGKILL");
  return (await Promise.all(calls)).flat();
}

describe("kill -9 under load", () => {
  // proves AUD-01, AUD-12
  it("L5, I2, I3: every allow that was received has its row, the chain holds, and the restart is quick", async () => {
    const dataDir = await temporaryDirectory();
    const received = new Set<string>();
    const restartsMs: number[] = [];
    let server = await startServer({ dataDir });
    expect((await createPolicy(server.url, POLICY)).status).toBe(201);
    for (let round = 0; round < ROUNDS; round += 1) {
      const allows = await allowsBeforeCrash(server, 20 + 12 * round);
      for (const id of allows) received.add(id);
      server = await startServer({ dataDir });
      restartsMs.push(server.startedInMs);
      const rows = await checkedExport(server.url);
      const durable = new Set(
        rows
          .filter(({ row }) => row["decision"] === "allow")
          .map(({ logId, seq }) => `${logId}.${String(seq)}`),
      );
      expect([...received].filter((id) => !durable.has(id))).toEqual([]);
    }
    await server.stop();
    expect(received.size).toBeGreaterThan(ROUNDS);
    expect(Math.max(...restartsMs)).toBeLessThan(RESTART_LIMIT_MS);
  }, 180_000);
});
