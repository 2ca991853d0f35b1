// peers: envoy
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ExtprocStage, sendThrough, startStage } from "../support/adapters/extproc-stage.ts";
import { ALLOW, PAUSE, shaped, verdict } from "../support/adapters/gateway-verdicts.ts";
import { toolsCall } from "../support/adapters/tools-call.ts";
import { missing } from "../support/processes/missing-peers.ts";
import type { ConfigurationChange } from "../support/proxies/envoy-process.ts";
import { type FramedAnswer, type FramedRequest, sendHttp2 } from "../support/requests/http2-request.ts";

/** Takes the second line of defence away, to see the processor alone. */
const WITHOUT_GUARD: ConfigurationChange = [
  "{ name: x-svc-decision, string_match: { exact: ungoverned } }",
  '{ name: ":method", present_match: true }',
];
const WITHOUT_TRAILERS: ConfigurationChange = ["request_trailer_mode: SEND", "request_trailer_mode: SKIP"];
const WITHOUT_HEADERS: ConfigurationChange = ["request_header_mode: SEND", "request_header_mode: SKIP"];
const SOON: ConfigurationChange = ["message_timeout: 6s", "message_timeout: 1s"];

function bodyMode(mode: string): ConfigurationChange {
  return ["request_body_mode: BUFFERED", `request_body_mode: ${mode}`];
}

const CALL = toolsCall({ amount: 5 });
const PIECES = [CALL.slice(0, 10), CALL.slice(10, 11), CALL.slice(11)];
const TRAILERS = { "x-checksum": "1", "x-svc-agent-id": "admin" };

interface Mode {
  readonly name: string;
  readonly changes: readonly ConfigurationChange[];
  /** Whether an allowed call reaches the backend. */
  readonly passes: boolean;
  /** Whether headers go on before the verdict. */
  readonly leaksHeaders?: true;
  /**
   * How requests with trailers are refused. Envoy shows the trailers only after the answers to the body,
   * which wait for them (504). Where the headers are answered before the body came, the guard is first (403).
   */
  readonly withTrailers?: readonly number[];
  /** What the processor is loud about. */
  readonly finding?: string;
  /** Of a GET without a call; 200 unless said. */
  readonly getStatus?: number;
}

const modes: readonly Mode[] = [
  { name: "BUFFERED", changes: [], passes: true },
  { name: "FULL_DUPLEX_STREAMED", changes: [bodyMode("FULL_DUPLEX_STREAMED")], passes: true },
  {
    name: "STREAMED behind the guard",
    changes: [bodyMode("STREAMED")],
    passes: false,
    withTrailers: [403, 504],
  },
  {
    name: "STREAMED alone",
    changes: [bodyMode("STREAMED"), WITHOUT_GUARD],
    passes: true,
    leaksHeaders: true,
    withTrailers: [504],
  },
  {
    name: "BUFFERED_PARTIAL",
    changes: [bodyMode("BUFFERED_PARTIAL"), WITHOUT_GUARD],
    passes: false,
    finding: "body_mode",
  },
  { name: "NONE", changes: [bodyMode("NONE"), WITHOUT_GUARD], passes: false, finding: "body_mode" },
  {
    name: "bodies without headers, behind the guard",
    changes: [WITHOUT_HEADERS],
    passes: false,
    getStatus: 403,
  },
  {
    // Envoy shows this GET to no processor: the second filter exists for this case.
    name: "bodies without headers, alone",
    changes: [WITHOUT_HEADERS, WITHOUT_GUARD],
    passes: false,
    leaksHeaders: true,
    finding: "headers_skipped",
  },
];

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy).each(modes)("requests sent to the processor as $name", (mode) => {
  let stage: ExtprocStage;
  beforeAll(async () => {
    stage = await startStage({ changes: [SOON, ...mode.changes] });
  });
  afterAll(() => stage?.close());
  beforeEach(() => stage.reset());

  const send = (request: Omit<FramedRequest, "path">): Promise<FramedAnswer> =>
    sendHttp2(stage.envoy.port, { path: "/mcp", ...request });

  function expectNothingSeen(): void {
    const whole = stage.backend.seen.filter(({ body }) => body !== null);
    expect(whole).toEqual([]);
    if (!mode.leaksHeaders) expect(stage.backend.seen).toEqual([]);
  }

  it.each([
    ["one piece", { pieces: [CALL] }],
    ["X3: several pieces", { pieces: PIECES }],
    ["X4: pieces and trailers", { pieces: PIECES, trailers: TRAILERS }],
    ["X3: an empty last piece", { pieces: [CALL, ""] }],
  ])(`an allow${mode.passes ? " passes" : " cannot be carried"}: %s`, async (_, request) => {
    stage.gateway.respondWith(verdict(ALLOW));
    const answer = await send(request);
    if (mode.withTrailers !== undefined && "trailers" in request) {
      expect(mode.withTrailers).toContain(answer.status);
      expectNothingSeen();
    } else if (mode.passes) {
      expect(answer).toMatchObject({ status: 200, body: "from the backend" });
      expect(JSON.parse(stage.backend.seen[0]?.body ?? "")).toEqual(JSON.parse(CALL));
      expect(stage.asked()).toHaveLength(1);
    } else {
      expect(answer.status).toBe(403);
      expectNothingSeen();
    }
  });

  // proves XPR-09
  it("X2: nothing passes without a verdict, and an unsuitable mode is reported", async () => {
    const finding = `svc_extproc_findings_total{finding="${mode.finding ?? "body_mode"}"}`;
    const before = await stage.extproc.counter(finding);
    for (const document of [undefined, PAUSE]) {
      if (document !== undefined) stage.gateway.respondWith(verdict(document));
      expect([202, 403]).toContain((await send({ pieces: PIECES })).status);
    }
    expectNothingSeen();
    expect((await stage.extproc.counter(finding)) - before).toBe(mode.finding === undefined ? 0 : 2);
  });

  it("X4: HEADERS, then trailers without DATA, never pass", async () => {
    stage.gateway.respondWith(verdict(ALLOW));
    const answer = await send({ pieces: [], trailers: TRAILERS });
    expect([403, 504]).toContain(answer.status);
    expectNothingSeen();
    expect(stage.asked()).toEqual([]);
  });

  it("a rewrite, larger and smaller", async () => {
    for (const args of [{ note: "x".repeat(200_000) }, {}]) {
      stage.reset();
      stage.gateway.respondWith(verdict(shaped(args)));
      const answer = await send({ pieces: PIECES });
      expect(answer.status).toBe(mode.passes ? 200 : 403);
      if (mode.passes)
        expect(JSON.parse(stage.backend.seen[0]?.body ?? "")).toEqual(JSON.parse(toolsCall(args)));
    }
  });

  it("X6: a body over the limit is 413 or 403", async () => {
    stage.gateway.respondWith(verdict(ALLOW));
    const answer = await send({ pieces: [toolsCall({ note: "x".repeat(700_000) })] });
    expect([403, 413, 504]).toContain(answer.status);
    expectNothingSeen();
    expect(stage.asked()).toEqual([]);
  });

  it("a GET without a call", async () => {
    const answer = await sendThrough(stage.envoy, "/mcp", { method: "GET" });
    expect(answer.status).toBe(mode.getStatus ?? 200);
  });
});

const holes: readonly { readonly name: string; readonly changes: readonly ConfigurationChange[] }[] = [
  { name: "BUFFERED", changes: [WITHOUT_TRAILERS] },
  { name: "STREAMED", changes: [WITHOUT_TRAILERS, bodyMode("STREAMED")] },
  { name: "BUFFERED_PARTIAL", changes: [WITHOUT_TRAILERS, bodyMode("BUFFERED_PARTIAL")] },
];

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy).each(holes)(
  "X4: trailers that are not shown to the processor, $name",
  ({ changes }) => {
    let stage: ExtprocStage;
    beforeAll(async () => {
      stage = await startStage({ changes: [SOON, ...changes] });
    });
    afterAll(() => stage?.close());

    // proves XPR-06
    it.each([
      ["without DATA", []],
      ["behind a whole body", PIECES],
    ])("%s: nothing is seen but what was allowed", async (_, pieces) => {
      stage.reset();
      stage.gateway.respondWith(verdict(ALLOW));
      const answer = await sendHttp2(stage.envoy.port, { path: "/mcp", pieces, trailers: TRAILERS });
      if (answer.status === 200) expect(stage.asked()).toHaveLength(1);
      else {
        expect([403, 504]).toContain(answer.status);
        expect(stage.backend.seen).toEqual([]);
      }
    });
  },
);

// skip: a machine without Envoy; the runner says why there is none
describe.skipIf(missing.envoy)("X4: STREAMED alone, trailers not shown", () => {
  it("the answers that are held back prevent the call from ending: 504, and no whole request", async () => {
    const stage = await startStage({
      changes: [SOON, WITHOUT_GUARD, WITHOUT_TRAILERS, bodyMode("STREAMED")],
    });
    try {
      stage.gateway.respondWith(verdict(ALLOW));
      const request = { path: "/mcp", pieces: PIECES, trailers: TRAILERS };
      expect((await sendHttp2(stage.envoy.port, request)).status).toBe(504);
      expect(stage.backend.seen.filter(({ body }) => body !== null)).toEqual([]);
    } finally {
      await stage.close();
    }
  });
});
