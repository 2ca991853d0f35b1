import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { describe, expect, it, onTestFinished } from "vitest";
import { execute } from "../execute.ts";
import { DIGEST_KEY } from "../testing/gateway-over.ts";
import { call, received, testGateway } from "../testing/test-gateway.ts";
import { LargeCallThread } from "./large-call-thread.ts";
import { openLargeCall } from "./open-large-call.ts";

const POLICY = `
id: p
governance_mode: enforcement
fail_closed: true
tools: { allowed: ["payments.*"], denied: ["payments.delete"] }
session: { max_steps: 1 }
rules:
  - id: large
    priority: 1
    match: { tool: "*", condition: { field: args.amount, operator: ">", value: 100 } }
    action: deny
  - id: hide
    priority: 2
    match: { tool: "*" }
    action: redact
    redact: { fields: [args.card] }
`;

function startThread(
  options: { readonly url?: URL; readonly stallLimitMs?: number; readonly idleEndMs?: number } = {},
) {
  const log = recordingLogger();
  const thread = new LargeCallThread({ log, digestKey: DIGEST_KEY, ...options });
  onTestFinished(() => thread.close());
  return { thread, log };
}

const bodyOf = ({ agent_id, session_id, tool, args }: ExecuteRequest): Buffer =>
  Buffer.from(JSON.stringify({ agent_id, tool, args, ...(session_id === null ? {} : { session_id }) }));

async function gatewayWithPolicy() {
  const gateway = await testGateway();
  gateway.feed.putPolicy("p", POLICY, { agent_id: "agent-1" });
  await gateway.follower.catchUp();
  return gateway;
}

// proves FAIR-10
describe("a call on the thread of large calls", () => {
  it.each([
    { name: "allowed and rewritten", request: call({ args: { amount: 1, card: "4111111111111111" } }) },
    { name: "denied by a rule", request: call({ args: { amount: 1_000 } }) },
    { name: "denied by a list", request: call({ tool: "payments.delete" }) },
    { name: "with a secret, which is masked", request: call({ args: { token: `ghp_${"a1B2".repeat(9)}` } }) },
    { name: "without a session", request: call({ session_id: null }) },
    { name: "of an agent without a policy", request: call({ agent_id: "agent-2" }) },
  ])("gets the verdict and the row of the serving thread: $name", async ({ request }) => {
    const { thread } = startThread();
    const [here, there] = [await gatewayWithPolicy(), await gatewayWithPolicy()];
    const opened = await openLargeCall(thread, bodyOf(request));
    if (opened.kind !== "opened") return expect.unreachable(opened.kind);
    const verdict = await execute(there.parts, received(opened.request));
    expect(verdict).toEqual(await here.execute(request));
    expect(there.ledger.rows).toEqual(here.ledger.rows);
    opened.release();
  });

  it("counts a ceiling that is reached once for both", async () => {
    const { thread } = startThread();
    const gateway = await gatewayWithPolicy();
    await gateway.execute(call());
    const opened = await openLargeCall(thread, bodyOf(call()));
    if (opened.kind !== "opened") return expect.unreachable(opened.kind);
    const verdict = await execute(gateway.parts, received(opened.request));
    expect(verdict).toMatchObject({ decision: "deny", reason_code: "max_steps" });
  });

  it("is refused as on the serving thread when its body is", async () => {
    const { thread } = startThread();
    expect(await openLargeCall(thread, Buffer.from('{"a":1,"a":2}'))).toMatchObject({ kind: "malformed" });
    expect(await openLargeCall(thread, Buffer.from('{"agent_id":7}'))).toMatchObject({ kind: "refused" });
    const tooLarge = await openLargeCall(thread, Buffer.alloc(MAX_BODY_BYTES + 1, " "));
    expect(tooLarge).toMatchObject({ kind: "malformed", fault: { kind: "too_large" } });
  });

  it("is denied once it was released", async () => {
    const { thread } = startThread();
    const gateway = await gatewayWithPolicy();
    const opened = await openLargeCall(thread, bodyOf(call()));
    if (opened.kind !== "opened") return expect.unreachable(opened.kind);
    opened.release();
    const verdict = await execute(gateway.parts, received(opened.request));
    expect(verdict).toMatchObject({ decision: "deny", reason_code: "internal_error", fail_closed: true });
  });
});

// proves FAIR-11
describe("a thread of large calls that fails", () => {
  const workerOf = (source: string): URL => new URL(`data:text/javascript,${encodeURIComponent(source)}`);

  it("denies the calls that it had, and is replaced at the next one", async () => {
    const { thread, log } = startThread({
      url: workerOf(
        'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(1))',
      ),
    });
    for (let at = 0; at < 2; at += 1)
      await expect(openLargeCall(thread, Buffer.from("{}"))).rejects.toThrow(/ended: it exited/);
    expect(log.messages).toEqual(Array(2).fill("the thread of large calls was lost"));
  });

  it("is given up when it is stuck", async () => {
    const { thread } = startThread({ stallLimitMs: 300, url: workerOf("for (;;);") });
    await expect(openLargeCall(thread, Buffer.from("{}"))).rejects.toThrow(/ended: it is stuck/);
  });

  it("takes nothing more once it is closed", async () => {
    const { thread } = startThread();
    await openLargeCall(thread, Buffer.from("{}"));
    await thread.close();
    await expect(openLargeCall(thread, Buffer.from("{}"))).rejects.toThrow(/closing/);
  });

  // proves START-01
  it("judges the first call after idle minutes as any other, on a thread that starts for it", async () => {
    const { thread, log } = startThread({ idleEndMs: 1 });
    const { parts } = await gatewayWithPolicy();
    for (let turn = 0; turn < 2; turn += 1) {
      const started = once(process, "worker");
      const opened = await openLargeCall(thread, bodyOf(call({ args: { amount: 1_000 } })));
      if (opened.kind !== "opened") return expect.unreachable(opened.kind);
      const verdict = await execute(parts, received(opened.request));
      expect(verdict).toMatchObject({ decision: "deny" });
      opened.release();
      const [worker] = (await started) as [Worker];
      // A thread that has ended has the id -1.
      await expect.poll(() => worker.threadId, { timeout: 30_000 }).toBe(-1);
    }
    expect(log.messages).toEqual([]);
  });
});
