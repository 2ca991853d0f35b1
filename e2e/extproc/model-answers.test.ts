// peers: envoy
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ExtprocStage, sendThrough, startStage } from "../support/adapters/extproc-stage.ts";
import { ALLOW, DENY, PAUSE, shaped, verdict } from "../support/adapters/gateway-verdicts.ts";
import { missing } from "../support/processes/missing-peers.ts";
import type { ConfigurationChange } from "../support/proxies/envoy-process.ts";

/** The mode of the route for models; the other of the two modes wants trailers, too. */
function answerMode(mode: string): ConfigurationChange {
  const shipped = /response_body_mode: BUFFERED\n( +)response_trailer_mode: SKIP/;
  return [shipped, `response_body_mode: ${mode}\n$1response_trailer_mode: SEND`];
}

const JSON_TYPE = { "content-type": "application/json" };
const REQUEST = { body: '{"messages":[]}', headers: { "accept-encoding": "gzip" } };

function chat(args: string): string {
  const call = { id: "c", type: "function", function: { name: "t", arguments: args } };
  return JSON.stringify({ choices: [{ message: { tool_calls: [call] } }] });
}

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy).each(["BUFFERED", "FULL_DUPLEX_STREAMED"])(
  "answers of models, sent as %s",
  (mode) => {
    let stage: ExtprocStage;
    beforeAll(async () => {
      stage = await startStage({ changes: [answerMode(mode)] });
    });
    afterAll(() => stage?.close());
    beforeEach(() => stage.reset());

    it.each([DENY, PAUSE])("a call never reaches the client: $decision", async (document) => {
      stage.gateway.respondWith(verdict(document));
      stage.backend.answerWith({ status: 200, headers: JSON_TYPE, body: chat('{"a":"secret"}') });
      const answer = await sendThrough(stage.envoy, "/v1/chat/completions", REQUEST);
      expect(answer.status).toBe(document === DENY ? 403 : 202);
      expect(JSON.parse(answer.body)).toEqual(document);
      expect(answer.headers.get("x-svc-decision")).toBe(document.decision);
      expect(stage.asked()).toEqual([{ agent_id: "refund-agent", tool: "t", args: { a: "secret" } }]);
    });

    it("a rewrite replaces the arguments", async () => {
      stage.gateway.respondWith(verdict(shaped({ a: "masked for everybody" })));
      stage.backend.answerWith({ status: 200, headers: JSON_TYPE, body: chat('{"a":"secret"}') });
      const answer = await sendThrough(stage.envoy, "/v1/chat/completions", REQUEST);
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toEqual(JSON.parse(chat('{"a":"masked for everybody"}')));
    });

    it("an allow passes the answer as it was judged", async () => {
      stage.gateway.respondWith(verdict(ALLOW));
      stage.backend.answerWith({ status: 200, headers: JSON_TYPE, body: chat('{"a":1}') });
      const answer = await sendThrough(stage.envoy, "/v1/chat/completions", REQUEST);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([200, JSON.parse(chat('{"a":1}'))]);
    });

    it("an answer of half a megabyte is judged whole", async () => {
      const text = "x".repeat(512 * 1024);
      const body = JSON.stringify({ choices: [], text });
      stage.backend.answerWith({ status: 200, headers: JSON_TYPE, body });
      const answer = await sendThrough(stage.envoy, "/v1/chat/completions", REQUEST);
      expect([answer.status, answer.body.length]).toEqual([200, body.length]);
    });

    it("text passes without a question, and no content coding is requested", async () => {
      stage.backend.answerWith({
        status: 200,
        headers: JSON_TYPE,
        body: '{"content":[{"type":"text","text":"hi"}]}',
      });
      expect((await sendThrough(stage.envoy, "/v1/messages", REQUEST)).status).toBe(200);
      expect(stage.backend.seen[0]?.headers).not.toHaveProperty("accept-encoding");
      expect(stage.asked()).toEqual([]);
    });

    it("a redirect is refused: the client library would follow it to an unjudged answer", async () => {
      stage.gateway.respondWith(verdict(ALLOW));
      for (const body of ["", '{"error":{}}']) {
        const headers = { ...JSON_TYPE, location: `http://127.0.0.1:${String(stage.backend.port)}/v1/other` };
        stage.backend.answerWith({ status: 307, headers, body });
        const answer = await sendThrough(stage.envoy, "/v1/chat/completions", REQUEST);
        expect([answer.status, stage.backend.seen.length]).toEqual([403, 1]);
        expect(answer.headers.get("x-svc-decision")).toBe("deny");
        stage.reset();
      }
    });

    it.each([
      ["a stream of other events", { "content-type": "text/event-stream" }, "data: {}\n\n"],
      ["an encoded answer", { ...JSON_TYPE, "content-encoding": "gzip" }, chat("{}")],
      ["another media type", { "content-type": "text/html" }, chat("{}")],
      ["an answer over the limit", JSON_TYPE, JSON.stringify({ choices: [], text: "x".repeat(1_200_000) })],
    ])("%s is refused unasked", async (_, headers, body) => {
      stage.gateway.respondWith(verdict(ALLOW));
      stage.backend.answerWith({ status: 200, headers, body });
      const answer = await sendThrough(stage.envoy, "/v1/chat/completions", REQUEST);
      expect([403, 500]).toContain(answer.status);
      expect(answer.body).not.toContain('"choices"');
      expect(stage.asked()).toEqual([]);
    });
  },
);

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("answers of models that cannot be held back", () => {
  it.each(["STREAMED", "BUFFERED_PARTIAL", "NONE"])(
    "X2: %s: refused before the model is asked",
    async (mode) => {
      const stage = await startStage({ changes: [answerMode(mode)] });
      try {
        stage.gateway.respondWith(verdict(ALLOW));
        expect((await sendThrough(stage.envoy, "/v1/messages", REQUEST)).status).toBe(403);
        expect(stage.backend.seen).toEqual([]);
        expect(await stage.extproc.counter('svc_extproc_findings_total{finding="body_mode"}')).toBe(1);
      } finally {
        await stage.close();
      }
    },
  );
});
