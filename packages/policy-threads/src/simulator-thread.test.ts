import { recordingLogger } from "@svc/process/testing/recording-logger";
import { describe, expect, it, onTestFinished } from "vitest";
import { SimulatorThread } from "./simulator-thread.ts";

function startThread(options: { readonly url?: URL; readonly stallLimitMs?: number } = {}) {
  const log = recordingLogger();
  const thread = new SimulatorThread({ log, modules: null, ...options });
  onTestFinished(() => thread.close());
  return { thread, log };
}

const CALL = { agent_id: "a", tool: "x" };
const BODY = Buffer.from(JSON.stringify({ document: "id: p\ntools: {allowed: [x]}\n", calls: [CALL] }));

// proves POL-65
describe("the thread that tries calls", () => {
  it("reads, simulates and compares", async () => {
    const { thread } = startThread();
    expect(await thread.calls.read(BODY)).toMatchObject({ kind: "needs", policy: null });
    const reply = await thread.calls.simulate({ body: BODY, stored: null, timeMs: 0, switches: [] });
    expect(reply).toMatchObject({ kind: "simulated", text: expect.stringContaining('"decision":"allow"') });
    expect(await thread.calls.diff('{"id":"p"}', '{"id":"p","fail_closed":false}')).toMatchObject({
      count: 1,
      lines: "~ /fail_closed: true -> false\n",
    });
  });

  it("refuses a flood, and answers what it took", async () => {
    const { thread } = startThread();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => thread.calls.read(BODY)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(16);
    expect(await thread.calls.read(BODY)).toMatchObject({ kind: "needs" });
  });

  it("is given up when a call never ends, and is replaced", async () => {
    const source = `import { parentPort } from "node:worker_threads";
      parentPort.on("message", ({ id, job }) => {
        if (job.method === "read") for (;;);
        const value = { kind: "compared", changes: "[]", count: 0, lines: "" };
        parentPort.postMessage({ id, ok: true, value });
      });`;
    const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
    const { thread, log } = startThread({ url, stallLimitMs: 500 });
    const stuck = thread.calls.read(BODY);
    const next = thread.calls.diff("{}", "{}");
    await expect(stuck).rejects.toThrow(/it is stuck/);
    await next.catch(() => undefined);
    await expect
      .poll(() => thread.calls.diff("{}", "{}").catch(() => null), { timeout: 5_000 })
      .toMatchObject({ count: 0 });
    expect(log.messages).toContain("the policy simulator's thread was lost");
  });

  it("takes nothing more once it is closed", async () => {
    const { thread } = startThread();
    await thread.close();
    await expect(thread.calls.read(BODY)).rejects.toThrow(/closing/);
  });
});
