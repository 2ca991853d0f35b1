import type { Decide } from "@svc/contract/decide";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import type { Verdict } from "@svc/contract/verdict";
import { CHAT, sentEvents } from "@svc/tool-calls/testing/streamed-answers";
import { describe, expect, it, vi } from "vitest";
import type { ExtprocOptions } from "./extproc.ts";
import { parseRouteTable } from "./routes/parse-route-table.ts";
import { type PlayedCall, playCall, requestBody, requestHeaders, TOOLS_CALL } from "./testing/play-call.ts";

const OPTIONS: Partial<ExtprocOptions> = {
  table: parseRouteTable("routes: [{ path: /chat, shape: openai }, { path: /mcp, shape: mcp }]"),
  maxBytes: { request: 10_000, response: 10_000 },
};

const allow = (id: string, more: object = {}): Verdict => ({
  decision: "allow",
  decision_id: id,
  args_constrained: false,
  ...more,
});
const deny: Verdict = {
  decision: "deny",
  decision_id: "d.1",
  args_constrained: false,
  reason: "No.",
  reason_code: "rule",
  fail_closed: false,
};
const rewritten = { args_constrained: true, shaped_args: { a: 2 } };

/** Answers one call after the other, and never once there is no answer left. */
function inTurn(...verdicts: Verdict[]): Decide {
  return () => {
    const verdict = verdicts.shift();
    return verdict === undefined ? new Promise(() => {}) : Promise.resolve(verdict);
  };
}

/** A stream on which an answer of a model came that wants to call tools. */
function answerCalling(decide: Decide, tools: readonly string[], custom = false): PlayedCall {
  const call = playCall(decide, OPTIONS);
  call.send(requestHeaders({ headers: { ":path": "/chat" } }));
  call.send({ request: "response_headers", response_headers: { headers: { headers: [EVENTS] } } });
  const events = sentEvents(CHAT.write(tools.map((tool) => ({ tool, pieces: ['{"a":1}'] }))), true);
  const body = custom
    ? events.replaceAll('"function"', '"custom"').replaceAll('"arguments"', '"input"')
    : events;
  call.send({ request: "response_body", response_body: { body: Buffer.from(body), end_of_stream: true } });
  return call;
}

const EVENTS = { key: "content-type", raw_value: Buffer.from("text/event-stream") };

async function answered(call: PlayedCall, count: number): Promise<void> {
  await vi.waitFor(() => expect(call.sent).toHaveLength(count), CONDITION_MS);
}

// proves XPR-13
describe("allowed calls that never run are reported as not executed", () => {
  it("a later call of the same answer is denied", async () => {
    const call = answerCalling(inTurn(allow("g.1"), allow("g.2"), deny), ["a", "b", "c"]);
    await answered(call, 3);
    expect(call.sent.at(-1)).toMatchObject({
      name: "immediate_response",
      response: { status: { code: 403 } },
    });
    expect(call.notExecuted).toEqual(["g.1", "g.2"]);
  });

  it("X8: a rewrite cannot be carried out", async () => {
    const call = answerCalling(inTurn(allow("g.1"), allow("g.2", rewritten)), ["a", "b"], true);
    await answered(call, 3);
    expect(call.notExecuted).toEqual(["g.1", "g.2"]);
  });

  it("the proxy went away while a later call was asked about", async () => {
    const later = Promise.withResolvers<Verdict>();
    const first = inTurn(allow("g.1"));
    const asked: string[] = [];
    const call = answerCalling(
      ({ tool }) => {
        asked.push(tool);
        return tool === "a" ? first({} as never) : later.promise;
      },
      ["a", "b"],
    );
    await vi.waitFor(() => expect(asked).toEqual(["a", "b"]), CONDITION_MS);
    call.cancel();
    later.resolve(allow("g.2"));
    await vi.waitFor(() => expect(call.notExecuted).toEqual(["g.1", "g.2"]), CONDITION_MS);
  });

  it("a request whose allow comes after its time", async () => {
    const late = Promise.withResolvers<Verdict>();
    const limits = { collectMs: { request: 10_000, response: 10_000 }, judgeMs: 10 };
    const call = playCall(() => late.promise, { ...OPTIONS, limits });
    call.send(requestHeaders());
    call.send(requestBody(TOOLS_CALL));
    await answered(call, 2);
    late.resolve(allow("g.1"));
    await vi.waitFor(() => expect(call.notExecuted).toEqual(["g.1"]), CONDITION_MS);
  });
});

describe("nothing is reported", () => {
  it("of an answer that goes on", async () => {
    const call = answerCalling(inTurn(allow("g.1"), allow("g.2", rewritten)), ["a", "b"]);
    await answered(call, 3);
    expect(call.sent.at(-1)).toMatchObject({ name: "response_body" });
    call.halfClose();
    expect(call.notExecuted).toEqual([]);
  });

  it("of an answer whose first call is denied", async () => {
    const call = answerCalling(inTurn(deny), ["a", "b"]);
    await answered(call, 3);
    expect(call.notExecuted).toEqual([]);
  });
});

describe("the time of an answer", () => {
  it("is longer than that of a request: a model sends as slowly as it thinks", async () => {
    const limits = { collectMs: { request: 10, response: 60_000 }, judgeMs: 10_000 };
    const call = playCall(inTurn(), { ...OPTIONS, limits });
    call.send(requestHeaders({ headers: { ":path": "/chat" } }));
    call.send({ request: "response_headers", response_headers: { headers: { headers: [EVENTS] } } });
    const other = playCall(inTurn(), { ...OPTIONS, limits });
    other.send(requestHeaders());
    await answered(other, 2);
    expect(other.sent.at(-1)).toMatchObject({ name: "immediate_response" });
    expect(call.sent).toHaveLength(2);
  });
});
