import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import type { Verdict } from "@svc/contract/verdict";
import { SEVERAL_CALLS } from "@svc/tool-calls/testing/several-calls";
import { CHAT, sentEvents } from "@svc/tool-calls/testing/streamed-answers";
import { describe, expect, it, vi } from "vitest";
import { parseRouteTable } from "./routes/parse-route-table.ts";
import { playCall, requestHeaders } from "./testing/play-call.ts";

const OPTIONS = {
  table: parseRouteTable("routes: [{ path: /chat, shape: openai }]"),
  maxBytes: { request: 10_000, response: 10_000 },
};
const STATUSES = { pause: 202, deny: 403 } as const;

// proves ADP-11
describe("svc-extproc answers several calls in one answer of a model with one verdict", () => {
  it.each(SEVERAL_CALLS)("$name: $want", async ({ verdicts, want, asked, notExecuted }) => {
    const tools: string[] = [];
    const call = playCall(({ tool }) => {
      const verdict = verdicts[tools.push(tool) - 1];
      return Promise.resolve(verdict as Verdict);
    }, OPTIONS);
    call.send(requestHeaders({ headers: { ":path": "/chat" } }));
    const headers = [{ key: "content-type", raw_value: Buffer.from("text/event-stream") }];
    call.send({ request: "response_headers", response_headers: { headers: { headers } } });
    const calls = verdicts.map((_, index) => ({ tool: `tool_${String(index)}`, pieces: ["{}"] }));
    const body = Buffer.from(sentEvents(CHAT.write(calls), true));
    call.send({ request: "response_body", response_body: { body, end_of_stream: true } });
    await vi.waitFor(() => expect(call.sent).toHaveLength(3), CONDITION_MS);
    const answer =
      want === "allow"
        ? { name: "response_body" }
        : { name: "immediate_response", response: { status: { code: STATUSES[want] } } };
    expect(call.sent.at(-1)).toMatchObject(answer);
    expect(tools).toHaveLength(asked);
    expect(call.notExecuted).toEqual(notExecuted);
  });
});
