import type { Decide } from "@svc/contract/decide";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import type { Verdict } from "@svc/contract/verdict";
import { describe, expect, it, vi } from "vitest";
import { parseRouteTable } from "./routes/parse-route-table.ts";
import {
  ALLOW,
  type PlayedCall,
  playCall,
  requestBody,
  requestHeaders,
  TOOLS_CALL,
  TRAILERS,
} from "./testing/play-call.ts";

const allow: Decide = () => Promise.resolve(ALLOW);
const never: Decide = () => new Promise(() => {});
const CHUNK = 64 * 1024;

function names(call: PlayedCall): string[] {
  return call.sent.map((sent) => (sent.kind === "answer" ? sent.name : sent.kind));
}

async function settled(call: PlayedCall, count: number): Promise<void> {
  await vi.waitFor(() => expect(call.sent.length).toBeGreaterThanOrEqual(count), CONDITION_MS);
}

/** The agent in every header mutation. */
function agentsSet({ sent }: PlayedCall): readonly string[] {
  const found: string[] = [];
  JSON.stringify(sent, (key, value: unknown) => {
    const header = value as { key?: unknown; raw_value?: Uint8Array } | null;
    if (key === "header" && header?.key === "x-svc-agent-id") {
      found.push(Buffer.from(header.raw_value ?? []).toString());
    }
    return value;
  });
  return found;
}

const shaped = (args: Record<string, string>): Decide => {
  const verdict: Verdict = { ...ALLOW, args_constrained: true, shaped_args: args } as Verdict;
  return () => Promise.resolve(verdict);
};

describe("answers of a stream", () => {
  it("BUFFERED: headers, then the body with mark and length", async () => {
    const call = playCall(shaped({ b: "2" }));
    call.send(requestHeaders());
    expect(call.sent).toMatchObject([
      {
        name: "request_headers",
        response: {
          response: {
            header_mutation: { remove_headers: ["x-svc-session-id", "x-svc-namespace", "x-svc-decision"] },
          },
        },
      },
    ]);
    call.send(requestBody(TOOLS_CALL));
    await settled(call, 2);
    const response = JSON.stringify(call.sent[1]);
    expect(names(call)).toEqual(["request_headers", "request_body"]);
    expect(response).toContain('"key":"content-length"');
    expect(response).toContain('"key":"x-svc-decision"');
    expect(response).not.toContain("streamed_response");
    call.halfClose();
    expect(names(call).at(-1)).toBe("end");
  });

  it.each(["BUFFERED", "STREAMED", "FULL_DUPLEX_STREAMED"] as const)(
    "X11: %s: the backend is told the agent that was judged, once",
    async (mode) => {
      const table = parseRouteTable(
        "routes: [{path: /mcp, methods: [GET], shape: rest, tool: t}, {path: /mcp, shape: mcp}]",
      );
      const metadata = new Map([["svc-agent-id", ["agent-2"]]]);
      for (const last of [false, true]) {
        const call = playCall(allow, { table }, metadata);
        call.send(requestHeaders({ mode, last, headers: last ? { ":method": "GET" } : {} }));
        if (!last) call.send(requestBody(TOOLS_CALL));
        await vi.waitFor(() => expect(agentsSet(call)).toEqual(["agent-2"]), CONDITION_MS);
      }
    },
  );

  it("BUFFERED: trailers behind the body are answered behind it", async () => {
    const call = playCall(allow);
    call.send(requestHeaders());
    call.send(requestBody(TOOLS_CALL, false));
    await settled(call, 2);
    call.send(TRAILERS);
    expect(names(call)).toEqual(["request_headers", "request_body", "request_trailers"]);
  });

  it("STREAMED: every piece has one answer, all but the last are cleared", async () => {
    const call = playCall(allow);
    call.send(requestHeaders({ mode: "STREAMED" }));
    for (const character of TOOLS_CALL) call.send(requestBody(character, false));
    expect(call.sent).toHaveLength(1);
    call.send(requestBody("", true));
    await settled(call, TOOLS_CALL.length + 2);
    const bodies = call.sent.slice(1).map((sent) => JSON.stringify(sent));
    expect(bodies.slice(0, -1).every((text) => text.includes('"clear_body":true'))).toBe(true);
    expect(bodies.at(-1)).not.toContain("clear_body");
  });

  it("X3: FULL_DUPLEX_STREAMED: nothing before the verdict, then pieces of at most 64 KiB", async () => {
    const maxBytes = { request: 10 * CHUNK, response: 0 };
    const call = playCall(shaped({ b: "x".repeat(2 * CHUNK) }), { maxBytes });
    call.send(requestHeaders({ mode: "FULL_DUPLEX_STREAMED" }));
    for (const character of TOOLS_CALL) call.send(requestBody(character, false));
    expect(call.sent).toEqual([]);
    call.send(TRAILERS);
    await settled(call, 5);
    expect(names(call)).toEqual([
      "request_headers",
      "request_body",
      "request_body",
      "request_body",
      "request_trailers",
    ]);
    expect(JSON.stringify(call.sent)).not.toContain('"end_of_stream":true');
  });

  it("a proxy that says nothing of its mode is taken for the configured one", async () => {
    const call = playCall(allow, { fallbackMode: "FULL_DUPLEX_STREAMED" });
    call.send(requestHeaders({ mode: null }));
    call.send(requestBody(TOOLS_CALL));
    await settled(call, 2);
    expect(JSON.stringify(call.sent[1])).toContain("streamed_response");
  });
});

describe("X1: what does not come to a verdict", () => {
  function expectDenied(call: PlayedCall): void {
    const [last] = call.sent.filter((sent) => sent.kind === "answer").slice(-1);
    expect(last).toMatchObject({ name: "immediate_response", response: { status: { code: 403 } } });
  }

  it("a proxy that says its end before the body came: refused, and not with OK", () => {
    const call = playCall(allow);
    call.send(requestHeaders());
    call.halfClose();
    expect(names(call)).toEqual(["request_headers", "immediate_response", "fail"]);
    expect(call.found).toEqual(["unjudged"]);
  });

  it("a proxy that says its end while the gateway decides: it gets the verdict", async () => {
    const call = playCall(allow);
    call.send(requestHeaders());
    call.send(requestBody(TOOLS_CALL));
    call.halfClose();
    await settled(call, 3);
    expect(names(call)).toEqual(["request_headers", "request_body", "end"]);
  });

  it("a reset before the verdict: abandoned and reported", () => {
    let abandoned: AbortSignal | undefined;
    const call = playCall((_, options) => {
      abandoned = options?.signal;
      return new Promise(() => {});
    });
    call.send(requestHeaders());
    call.send(requestBody(TOOLS_CALL));
    call.cancel();
    expect(abandoned?.aborted).toBe(true);
    expect(call.found).toEqual(["unjudged"]);
  });

  it("SIGTERM: what is pending is denied; what has not begun ends with an error", () => {
    const [pending, fresh] = [playCall(never), playCall(never)];
    pending.send(requestHeaders());
    pending.send(requestBody(TOOLS_CALL));
    for (const call of [pending, fresh]) call.shutDown();
    expectDenied(pending);
    expect(names(fresh)).toEqual(["fail"]);
  });

  it("a time that is over: denied", async () => {
    const limits = { collectMs: { request: 20, response: 60_000 }, judgeMs: 20 };
    const [collecting, judging] = [playCall(never, { limits }), playCall(never, { limits })];
    collecting.send(requestHeaders({ mode: "FULL_DUPLEX_STREAMED" }));
    judging.send(requestHeaders());
    judging.send(requestBody(TOOLS_CALL));
    await settled(collecting, 1);
    await settled(judging, 2);
    for (const call of [collecting, judging]) expectDenied(call);
  });

  it.each<[string, Decide]>([
    [
      "throws",
      () => {
        throw new Error("defect");
      },
    ],
    ["rejects", () => Promise.reject(new Error("defect"))],
  ])("a decision client that %s: denied, and told", async (_, decide) => {
    const call = playCall(decide);
    call.send(requestHeaders());
    call.send(requestBody(TOOLS_CALL));
    await settled(call, 3);
    expectDenied(call);
    expect(names(call).at(-1)).toBe("fail");
    expect(call.defects).toHaveLength(1);
  });

  it("X2: an observing proxy gets no answer, and the operator is told", () => {
    const call = playCall(allow);
    call.send({ ...requestHeaders({ mode: null }), observability_mode: true });
    call.send(requestBody(TOOLS_CALL));
    expect(call.sent).toEqual([]);
    expect(call.found).toEqual(["observed"]);
  });

  it.each(["NONE", "BUFFERED_PARTIAL", "GRPC", 7] as const)("X2: body mode %s: denied, and told", (mode) => {
    const call = playCall(allow);
    call.send(requestHeaders({ mode }));
    expectDenied(call);
    expect(call.found).toEqual(["body_mode"]);
  });

  it("a body that grows past its limit: denied at once", () => {
    const call = playCall(allow);
    call.send(requestHeaders({ mode: "FULL_DUPLEX_STREAMED" }));
    for (let sent = 0; sent < 11; sent += 1) call.send(requestBody("x".repeat(100), false));
    expectDenied(call);
  });
});
