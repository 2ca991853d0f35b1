// peers: envoy
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import {
  type ExtprocStage,
  type StageOptions,
  sendThrough,
  startStage,
} from "../support/adapters/extproc-stage.ts";
import { ALLOW, verdict } from "../support/adapters/gateway-verdicts.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";
import type { ConfigurationChange } from "../support/proxies/envoy-process.ts";

const CALL = { body: toolsCall({ amount: 5 }) };
const MODES = ["BUFFERED", "FULL_DUPLEX_STREAMED"] as const;

function bodyMode(mode: string): ConfigurationChange {
  return ["request_body_mode: BUFFERED", `request_body_mode: ${mode}`];
}

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy).each(MODES)("faults on the way to a verdict, %s", (mode) => {
  let stage: ExtprocStage;
  async function start(options: StageOptions = {}): Promise<void> {
    stage = await startStage({ ...options, changes: [bodyMode(mode), ...(options.changes ?? [])] });
    onTestFinished(() => stage.close());
  }
  afterEach(() => {
    expect(stage.backend.seen).toEqual([]);
  });

  const wasAsked = (): Promise<void> => expect.poll(() => stage.asked().length, { timeout: 5_000 }).toBe(1);

  it("the processor is killed in the middle of a request: 500", async () => {
    await start();
    stage.gateway.respondWith(() => {});
    const answer = sendThrough(stage.envoy, "/mcp", CALL);
    await wasAsked();
    stage.extproc.signal("SIGKILL");
    expect((await answer).status).toBe(500);
    expect((await sendThrough(stage.envoy, "/mcp", CALL)).status).toBe(500);
  });

  it("the processor is stopped, not ended: 500 or 504 within seconds", async () => {
    await start();
    expect((await sendThrough(stage.envoy, "/mcp", CALL)).status).toBe(403);
    stage.extproc.signal("SIGSTOP");
    expect([500, 504]).toContain((await sendThrough(stage.envoy, "/mcp", CALL)).status);
    stage.extproc.signal("SIGCONT");
  });

  // proves XPR-10
  it("X1: SIGTERM denies pending calls, and the processor exits 0", async () => {
    await start();
    stage.gateway.respondWith(() => {});
    const answer = sendThrough(stage.envoy, "/mcp", CALL);
    await wasAsked();
    stage.extproc.signal("SIGTERM");
    const { status, body } = await answer;
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ decision: "deny", fail_closed: true });
    expect(await stage.extproc.exited).toBe(0);
    expect((await sendThrough(stage.envoy, "/mcp", CALL)).status).toBe(500);
  });

  it("the gateway is down, then back", async () => {
    await start();
    await stage.gateway.close();
    const { status, body } = await sendThrough(stage.envoy, "/mcp", CALL);
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ reason_code: "gateway_unreachable", fail_closed: true });
    await stage.gateway.reopen();
    expect((await sendThrough(stage.envoy, "/mcp", CALL)).status).toBe(403);
    expect(stage.asked()).toHaveLength(1);
  });

  it("the gateway is silent: a deny after the decision timeout, before Envoy's own", async () => {
    await start({ env: { SVC_DECISION_TIMEOUT_MS: "300" } });
    stage.gateway.respondWith(() => {});
    const { status, body } = await sendThrough(stage.envoy, "/mcp", CALL);
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ reason_code: "decision_timeout", fail_closed: true });
  });
});

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("a verdict that arrives after Envoy's own timeout", () => {
  it("an allow has no effect: 504", async () => {
    const stage = await startStage({ changes: [["message_timeout: 6s", "message_timeout: 0.2s"]] });
    onTestFinished(() => stage.close());
    let answered: Promise<unknown> = Promise.resolve();
    stage.gateway.respondWith((request, response) => {
      answered = new Promise((resolve) => {
        response.on("close", resolve);
      });
      setTimeout(() => verdict(ALLOW)(request, response), 600);
    });
    expect((await sendThrough(stage.envoy, "/mcp", CALL)).status).toBe(504);
    await answered;
    expect(stage.backend.seen).toEqual([]);
  });
});
