import { once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { SMALL_BODY_BYTES } from "./limits.ts";
import { serveJobs } from "./serve-jobs.ts";
import { sharedClockMs, type WorkerNews, type WorkerOrder } from "./worker-protocol.ts";

/** Milliseconds that no job here comes near. */
const AMPLE_MS = 60_000;

/** Bodies that are blocked as soon as they are read: nobody needs to be asked. */
function orderOf(id: number, bytes: number, remainingMs: number = AMPLE_MS): WorkerOrder {
  const body = Buffer.from("x".repeat(bytes));
  const job = { dialect: "portkey", headers: {}, body } as const;
  return { kind: "judge", id, job, deadlineMs: sharedClockMs() + remainingMs };
}

/** What a thread says to orders that come at once, in the order in which it says it. */
async function saidTo(orders: readonly WorkerOrder[]): Promise<readonly string[]> {
  const { port1: here, port2: there } = new MessageChannel();
  const said: string[] = [];
  here.on("message", (news: WorkerNews) => {
    if (news.kind === "answer" || news.kind === "late") said.push(`${news.kind} ${String(news.id)}`);
  });
  for (const order of orders) here.postMessage(order);
  serveJobs(there, {
    gatewayUrl: "http://127.0.0.1:9",
    apiKey: null,
    orgId: null,
    timeoutMs: AMPLE_MS,
    fixed: { agentId: null, namespace: null },
  });
  await expect.poll(() => said.length, { timeout: 10_000 }).toBe(orders.length);
  const closed = once(here, "close");
  const close: WorkerOrder = { kind: "close" };
  here.postMessage(close);
  await closed;
  return said;
}

const LARGE = SMALL_BODY_BYTES + 1;

describe("F8: jobs that wait for the judging thread", () => {
  it("small bodies do not wait for large ones, nor large ones for larger ones that came later", async () => {
    const orders = [
      orderOf(1, LARGE),
      orderOf(2, 2 * LARGE),
      orderOf(3, SMALL_BODY_BYTES),
      orderOf(4, LARGE),
    ];
    expect(await saidTo(orders)).toEqual(["answer 3", "answer 1", "answer 2", "answer 4"]);
  });

  it("those whose time is over are told at once, and keep nobody waiting", async () => {
    const said = await saidTo([orderOf(1, LARGE), orderOf(2, LARGE, 0), orderOf(3, 20, -5)]);
    expect(said).toEqual(["late 2", "late 3", "answer 1"]);
  });

  it("a large body is not begun when its time is nearly over: all others would wait for it", async () => {
    const said = await saidTo([orderOf(1, LARGE, AMPLE_MS / 100), orderOf(2, LARGE)]);
    expect(said).toEqual(["answer 2", "late 1"]);
  });
});
