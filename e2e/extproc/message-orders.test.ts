// long: it plays every order of the messages of a stream
import { type Client, credentials, status } from "@grpc/grpc-js";
import { runs } from "@svc/text/testing/runs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningExtproc, startExtproc } from "../support/adapters/extproc-process.ts";
import { ALLOW, DENY } from "../support/adapters/gateway-verdicts.ts";
import { type PlayedMessage, playStream } from "../support/adapters/play-stream.ts";
import { type RecordingServer, startRecordingServer } from "../support/adapters/recording-server.ts";
import { loadProcessorClient } from "../support/adapters/scripted-processor.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";

/** Streams of generated messages, as count. */
const STREAMS = runs(2_000, 20_000);

/** Streams played at once. */
const CONCURRENCY = 64;

const modes = ["NONE", "STREAMED", "BUFFERED", "BUFFERED_PARTIAL", "FULL_DUPLEX_STREAMED", "GRPC"] as const;

const raw = (text: string): object => ({ raw_value: Buffer.from(text) });

function headersOf(path: string, method = "POST"): object {
  const pairs = {
    ":method": method,
    ":path": path,
    "content-type": "application/json",
    "x-svc-agent-id": "a",
  };
  return { headers: Object.entries(pairs).map(([key, value]) => ({ key, ...raw(value) })) };
}

const call = Buffer.from(toolsCall({ amount: 5 }));
const bytes = fc.oneof(
  { weight: 4, arbitrary: fc.constant(call) },
  { weight: 1, arbitrary: fc.constantFrom(Buffer.alloc(0), call.subarray(0, 20), call.subarray(20)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((piece) => Buffer.from(piece)) },
);
const flag = fc.boolean();

const requestHeaders = fc
  .tuple(fc.constantFrom("/mcp", "/refunds"), flag)
  .map(([path, last]) => ({ request_headers: { headers: headersOf(path), end_of_stream: last } }));
const body = fc
  .tuple(bytes, flag, fc.constantFrom("request_body", "request_body", "response_body"))
  .map(([piece, last, kind]) => ({ [kind]: { body: piece, end_of_stream: last } }));
const trailers = fc
  .constantFrom("request_trailers", "response_trailers")
  .map((kind) => ({ [kind]: { trailers: { headers: [{ key: "x-svc-decision", ...raw("allow") }] } } }));
const responseHeaders = flag.map((last) => ({
  response_headers: { headers: { headers: [{ key: ":status", ...raw("200") }] }, end_of_stream: last },
}));
const part: fc.Arbitrary<PlayedMessage> = fc.oneof(
  { weight: 3, arbitrary: requestHeaders },
  { weight: 6, arbitrary: body },
  { weight: 2, arbitrary: trailers },
  { weight: 1, arbitrary: responseHeaders },
  { weight: 1, arbitrary: fc.constant({}) },
);

/** What a sound Envoy would send, from its headers on; most sequences are such a one, bent. */
const sound: fc.Arbitrary<readonly PlayedMessage[]> = fc
  .tuple(requestHeaders, fc.array(body, { maxLength: 3 }), fc.option(trailers, { nil: undefined }))
  .map(([first, bodies, last]) => [first, ...bodies, ...(last === undefined ? [] : [last])]);

const sequences = fc.record({
  messages: fc.oneof(sound, fc.array(part, { maxLength: 6 })),
  mode: fc.option(fc.constantFrom(...modes), { nil: undefined }),
  /** How the proxy leaves: it says that nothing more comes, or resets. */
  leaves: fc.constantFrom<Sequence["leaves"]>("half_close", "half_close", "reset"),
});

type Sequence = Parameters<typeof playStream>[1];

describe("orders of messages that a correct Envoy never sends", () => {
  let gateway: RecordingServer;
  let extproc: RunningExtproc;
  let client: Client;
  let answer: object = DENY;
  beforeAll(async () => {
    gateway = await startRecordingServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    extproc = await startExtproc(`http://127.0.0.1:${String(gateway.port)}`);
    const Processor = loadProcessorClient();
    client = new Processor(`127.0.0.1:${String(extproc.port)}`, credentials.createInsecure());
  });
  afterAll(async () => {
    client?.close();
    await extproc?.stop();
    await gateway?.close();
  });

  async function playAll(generated: readonly Sequence[]): Promise<readonly string[]> {
    const found: string[] = [];
    const rest = [...generated];
    const worker = async (): Promise<void> => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
        const outcome = await playStream(client, next);
        if (outcome.goesOn) found.push(`${outcome.why}: ${JSON.stringify(next)}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    return found;
  }

  // proves XPR-05
  it(`X1, X3, X4: none of ${String(STREAMS)} streams continues while the gateway denies`, async () => {
    const generated = fc.sample(sequences, STREAMS);
    expect(await playAll(generated)).toEqual([]);
    expect(gateway.requests.length).toBeGreaterThan(STREAMS / 20);
    expect(await extproc.counter("svc_extproc_defects_total")).toBe(0);
  });

  it("every stream that continues while the gateway allows is recognised as allowed", async () => {
    answer = ALLOW;
    const first = { request_headers: { headers: headersOf("/mcp") } };
    const whole = { request_body: { body: call, end_of_stream: true } };
    const generated = ["BUFFERED", "STREAMED", "FULL_DUPLEX_STREAMED"].map(
      (mode): Sequence => ({ messages: [first, whole], mode, leaves: "half_close" }),
    );
    expect(await playAll(generated)).toHaveLength(generated.length);
  });

  it("X1: bytes that are not a message end with an error, not with OK", async () => {
    const outcome = await playStream(client, { messages: [], mode: undefined, leaves: "half_close" });
    expect(outcome).toMatchObject({ goesOn: false, code: status.INTERNAL });
  });
});
