// peers: envoy
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ExtprocStage, sendThrough, startStage } from "../support/adapters/extproc-stage.ts";
import { ALLOW, DENY, PAUSE, shaped, verdict } from "../support/adapters/gateway-verdicts.ts";
import { missing } from "../support/processes/missing-peers.ts";
import type { ConfigurationChange } from "../support/proxies/envoy-process.ts";
import { MODEL_INTERFACES, streamed } from "./model-clients.ts";

/** The mode of the route for models; the other of the two modes wants trailers, too. */
function answerMode(mode: string): ConfigurationChange {
  const shipped = /response_body_mode: BUFFERED\n( +)response_trailer_mode: SKIP/;
  return [shipped, `response_body_mode: ${mode}\n$1response_trailer_mode: SEND`];
}

const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8" };
const PIECES = ['{"amount"', ": 5, ", '"card":"secret"}'];
const WRITTEN = { amount: 5, card: "secret" };

/** A model that is silent for longer than any other request of the shipped configuration may be. */
const SHORT_IDLE: ConfigurationChange = ["stream_idle_timeout: 15s", "stream_idle_timeout: 1s"];
const SILENCE_MS = 1_500;

// proves XPR-11
// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy).each(["BUFFERED", "FULL_DUPLEX_STREAMED"])(
  "streamed answers of models, sent as %s",
  (mode) => {
    let stage: ExtprocStage;
    let origin: string;
    beforeAll(async () => {
      stage = await startStage({ changes: [answerMode(mode), SHORT_IDLE] });
      origin = `http://127.0.0.1:${String(stage.envoy.port)}`;
    });
    afterAll(() => stage?.close());
    beforeEach(() => stage.reset());

    describe.each(MODEL_INTERFACES)("$name, read by the library of its maker", ({ answer, ask }) => {
      const answerWith = (events: readonly object[]): void =>
        stage.backend.answerWith({ status: 200, headers: EVENT_STREAM, body: streamed(events) });
      beforeEach(() => answerWith(answer("payments.refund", PIECES)));

      it("an allow: the client executes what was judged", async () => {
        stage.gateway.respondWith(verdict(ALLOW));
        expect(await ask(origin)).toEqual([{ tool: "payments.refund", args: WRITTEN }]);
        expect(stage.asked()).toEqual([{ agent_id: "refund-agent", tool: "payments.refund", args: WRITTEN }]);
      });

      it("a deny: the library reports 403 and receives no event", async () => {
        stage.gateway.respondWith(verdict(DENY));
        await expect(ask(origin)).rejects.toMatchObject({ status: 403 });
        expect(stage.asked()).toHaveLength(1);
      });

      it("X10: a pause is a success without events: the library finds no answer in it", async () => {
        stage.gateway.respondWith(verdict(PAUSE));
        await expect(ask(origin)).rejects.toThrow(/without/);
        expect(stage.asked()).toHaveLength(1);
      });

      it("X8: a rewrite: the client executes the rewritten arguments", async () => {
        stage.gateway.respondWith(verdict(shaped({ amount: 5, card: "…" })));
        expect(await ask(origin)).toEqual([{ tool: "payments.refund", args: { amount: 5, card: "…" } }]);
      });

      it("a truncated answer is refused without a question", async () => {
        stage.gateway.respondWith(verdict(ALLOW));
        const events = answer("payments.refund", PIECES);
        for (const length of [events.length - 1, events.length - 2, events.length - 3]) {
          answerWith(events.slice(0, length));
          await expect(ask(origin)).rejects.toMatchObject({ status: 403 });
        }
        expect(stage.asked()).toEqual([]);
      });

      it("a model may stay silent for longer than other requests", async () => {
        stage.gateway.respondWith(verdict(ALLOW));
        const body = [streamed(answer("payments.refund", PIECES)).join("")];
        stage.backend.answerWith({ status: 200, headers: EVENT_STREAM, body, pauseMs: SILENCE_MS });
        expect(await ask(origin)).toEqual([{ tool: "payments.refund", args: WRITTEN }]);
      });
    });

    it("a backend that breaks off in the middle: no event of a call reaches the client", async () => {
      stage.gateway.respondWith(verdict(ALLOW));
      const [chat] = MODEL_INTERFACES;
      const [first = ""] = streamed(chat?.answer("payments.refund", PIECES) ?? [], 500);
      stage.backend.answerWith({
        status: 200,
        headers: { ...EVENT_STREAM, "content-length": "9999" },
        body: first,
      });
      const answer = await sendThrough(stage.envoy, "/v1/chat/completions", { body: "{}" }).catch(() => null);
      expect(answer?.body ?? "").not.toContain("payments.refund");
      expect(stage.asked()).toEqual([]);
    });
  },
);
