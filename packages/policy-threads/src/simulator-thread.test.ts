import { recordingLogger } from "@svc/process/testing/recording-logger";
import { describe, expect, it, onTestFinished } from "vitest";
import { SimulatorThread } from "./simulator-thread.ts";

function startThread(options: { readonly workerUrl?: URL; readonly orderLimitMs?: number } = {}) {
  const log = recordingLogger();
  const thread = new SimulatorThread({ log, ...options });
  onTestFinished(() => thread.close());
  return { thread, log };
}

const CALL = { agent_id: "a", tool: "x" };
const BODY = Buffer.from(JSON.stringify({ document: "id: p\ntools: {allowed: [x]}\n", calls: [CALL] }));

// proves POL-65
describe("the thread that tries calls", () => {
  it("reads, simulates and compares", async () => {
    const { thread } = startThread();
    expect(await thread.read(BODY)).toMatchObject({ kind: "needs", policy: null });
    const reply = await thread.simulate({ body: BODY, stored: null, timeMs: 0, switches: [] });
    expect(reply).toMatchObject({ kind: "simulated", text: expect.stringContaining('"decision":"allow"') });
    expect(await thread.diff('{"id":"p"}', '{"id":"p","fail_closed":false}')).toMatchObject({
      count: 1,
      lines: "~ /fail_closed: true -> false\n",
    });
  });

  it("refuses a flood, and answers what it took", async () => {
    const { thread } = startThread();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => thread.read(BODY)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(16);
    expect(await thread.read(BODY)).toMatchObject({ kind: "needs" });
  });

  it("is given up when a call never ends, and is replaced", async () => {
    const source = `import { parentPort } from "node:worker_threads";
      parentPort.on("message", ({ id, job }) => {
        if (job.kind === "read") for (;;);
        const value = { kind: "compared", changes: "[]", count: 0, lines: "" };
        parentPort.postMessage({ id, ok: true, value });
      });`;
    const workerUrl = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
    const { thread, log } = startThread({ workerUrl, orderLimitMs: 500 });
    const stuck = thread.read(BODY);
    const next = thread.diff("{}", "{}");
    await expect(stuck).rejects.toThrow(/it is stuck/);
    await next.catch(() => undefined);
    await expect
      .poll(() => thread.diff("{}", "{}").catch(() => null), { timeout: 5_000 })
      .toMatchObject({ count: 0 });
    expect(log.messages).toContain("the policy simulator's thread was lost");
  });

  it("takes nothing more once it is closed", async () => {
    const { thread } = startThread();
    await thread.close();
    await expect(thread.read(BODY)).rejects.toThrow(/closing/);
  });
});
