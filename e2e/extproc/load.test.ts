// peers: envoy
// long: it sends 12,000 requests
import { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtprocStage, startStage } from "../support/adapters/extproc-stage.ts";
import { ALLOW, DENY } from "../support/adapters/gateway-verdicts.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";

/**
 * Requests by how many are sent at a time. 10,000 are more than ten times as many resets as Node allows on
 * the connection between Envoy and the processor. One at a time takes four times as long.
 */
const ROUNDS = [
  { concurrency: 1, requests: 2_000 },
  { concurrency: 16, requests: 10_000 },
] as const;

/** For one round, on a machine that is busy with other things. */
const TIMEOUT_MS = 240_000;

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("thousands of requests, allows and denies in turn", () => {
  let stage: ExtprocStage;
  let pool: Pool;
  beforeAll(async () => {
    stage = await startStage();
    stage.gateway.respondWith(({ body }, response) => {
      const { args } = JSON.parse(body) as { args: { index: number } };
      const document = args.index % 2 === 0 ? ALLOW : DENY;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    });
    pool = new Pool(`http://127.0.0.1:${String(stage.envoy.port)}`, { connections: 16 });
  });
  afterAll(async () => {
    await pool?.close();
    await stage?.close();
  });

  async function send(index: number): Promise<number> {
    const headers = { "content-type": "application/json" };
    const answer = await pool.request({ method: "POST", path: "/mcp", headers, body: toolsCall({ index }) });
    await answer.body.dump();
    return answer.statusCode;
  }

  it.each(ROUNDS)(
    "$concurrency at a time: every answer is a verdict",
    async ({ concurrency, requests }) => {
      stage.gateway.forget();
      const before = stage.backend.seen.length;
      const wrong: string[] = [];
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < requests) {
          const index = next;
          next += 1;
          const status = await send(index);
          if (status !== (index % 2 === 0 ? 200 : 403)) wrong.push(`${String(index)}: ${String(status)}`);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
      expect(wrong).toEqual([]);
      expect(stage.gateway.requests).toHaveLength(requests);
      expect(stage.backend.seen.length - before).toBe(requests / 2);
    },
    TIMEOUT_MS,
  );
});
