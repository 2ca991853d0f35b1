// peers: envoy
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ExtprocStage, sendThrough, startStage } from "../support/adapters/extproc-stage.ts";
import { ALLOW, verdict } from "../support/adapters/gateway-verdicts.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";
import type { ConfigurationChange } from "../support/proxies/envoy-process.ts";

/** Envoy's own timeout of routes that name none is 15 s, in milliseconds. */
const DEFAULT_ROUTE_TIMEOUT_MS = 15_000;

/** Time for a test that must outlast it, in milliseconds. */
const OUTLASTING_MS = 40_000;

const EVENT = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n';
const EVENT_STREAM = { "content-type": "text/event-stream" };
const CALL = { body: toolsCall({}) };

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("long calls on the routes of MCP", () => {
  let stage: ExtprocStage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());
  beforeEach(() => {
    stage.reset();
    stage.gateway.respondWith(verdict(ALLOW));
  });

  it(
    "a stream of messages stays open, and a slow call is answered, beyond Envoy's default timeout",
    async () => {
      const count = 6;
      const events = Array.from({ length: count }, () => EVENT);
      const pauseMs = DEFAULT_ROUTE_TIMEOUT_MS / count + 400;
      stage.backend.answerWith({ status: 200, headers: EVENT_STREAM, body: events, pauseMs });
      const answers = await Promise.all([
        sendThrough(stage.envoy, "/mcp", { method: "GET" }),
        sendThrough(stage.envoy, "/reports/mcp", { method: "GET" }),
        sendThrough(stage.envoy, "/mcp", CALL),
      ]);
      const whole = { status: 200, body: events.join("") };
      expect(answers).toMatchObject([whole, whole, whole]);
    },
    OUTLASTING_MS,
  );
});

/** Silence that the rest of the configuration would not bear. */
const SHORT: readonly ConfigurationChange[] = [["stream_idle_timeout: 15s", "stream_idle_timeout: 1s"]];
const SILENCE_MS = 2_000;

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("a tool that is silent while it runs", () => {
  it.each([
    ["as shipped", SHORT, 200],
    [
      "longer than the idle timeout of its route",
      [...SHORT, [/idle_timeout: 300s/g, "idle_timeout: 1s"] as const],
      504,
    ],
  ] as const)("%s", async (_, changes, status) => {
    const stage = await startStage({ changes });
    try {
      stage.gateway.respondWith(verdict(ALLOW));
      stage.backend.answerWith({ status: 200, body: "done", pauseMs: SILENCE_MS });
      const answer = await sendThrough(stage.envoy, "/mcp", CALL);
      expect(answer.status).toBe(status);
      // Refused or not: an allowed call has run.
      expect(stage.backend.seen).toHaveLength(1);
    } finally {
      await stage.close();
    }
  });
});
