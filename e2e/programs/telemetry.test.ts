import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import { type RecordingServer, startRecordingServer } from "../support/adapters/recording-server.ts";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_ID = "00f067aa0ba902b7";
const TRACE = `00-${TRACE_ID}-${SPAN_ID}-01`;
/** Nobody's, in the form of a personal token of GitHub. */
const TOKEN = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const POLICY = `id: refunds
tools: { allowed: ["payments.*", "${TOKEN}"] }
`;

/** A span as OTLP over JSON has it, with its attributes as one object. */
interface ReceivedSpan {
  readonly service: unknown;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface TraceExport {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, "attributes"> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}

let collector: RecordingServer;
let server: ServerProcess;
let checkgw: RunningCheckgw;

beforeAll(async () => {
  collector = await startRecordingServer((_, response) => void response.end("{}"));
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(collector.port)}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "100",
    OTEL_METRIC_EXPORT_INTERVAL: "200",
  };
  server = await startServer({ env });
  checkgw = await startCheckgw(server.url, env);
  const created = await createPolicy(server.url, POLICY);
  expect(created.status).toBe(201);
  for (const agent_id of ["agent-1", TOKEN])
    await send("POST", `${server.url}/api/v1/policy-assignments`, {
      body: { policy_id: "refunds", agent_id },
    });
});
afterAll(async () => {
  await checkgw?.stop();
  await server?.stop("SIGKILL");
  await collector?.close();
});

function objectOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function spans(): readonly ReceivedSpan[] {
  const exports = collector.requests
    .filter(({ url }) => url === "/v1/traces")
    .flatMap(({ body }) => (JSON.parse(body) as TraceExport).resourceSpans ?? []);
  return exports.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        ...span,
        service: objectOf(resource.attributes)["service.name"],
        attributes: objectOf(span.attributes),
      })),
    ),
  );
}

function spanOf(wanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
  return vi.waitFor(
    () => {
      const found = spans().find(wanted);
      if (found === undefined) throw new Error(`not among ${JSON.stringify(spans())}`);
      return found;
    },
    { timeout: 10_000 },
  );
}

const askCheckgw = (headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`http://127.0.0.1:${String(checkgw.port)}/check`, {
    headers: { "x-svc-tool": "payments.refund", "x-svc-agent-id": "agent-1", ...headers },
  });

describe("with a collector", () => {
  // proves OPS-14, OTEL-01, OTEL-02
  it("one trace leads from the caller over adapter and gateway to the row, and back", async () => {
    const answer = await askCheckgw({ traceparent: TRACE });
    expect(answer.headers.get("x-svc-decision")).toBe("allow");
    const inTrace = ({ traceId }: ReceivedSpan): boolean => traceId === TRACE_ID;
    const asked = await spanOf((span) => inTrace(span) && span.name === "svc.ask");
    const decided = await spanOf((span) => inTrace(span) && span.name === "svc.decide");
    expect(asked).toMatchObject({ service: "svc-checkgw", parentSpanId: SPAN_ID });
    expect(decided).toMatchObject({ service: "svc-server", parentSpanId: asked.spanId });
    expect(decided.attributes).toMatchObject({
      "gen_ai.agent.id": "agent-1",
      "gen_ai.tool.name": "payments.refund",
      "svc.decision": "allow",
      "svc.policy_id": "refunds",
    });
    const { ["svc.decision_id"]: decisionId } = decided.attributes;
    expect(asked.attributes["svc.decision_id"]).toBe(decisionId);
    const found = await send("GET", `${server.url}/api/v1/audit/${String(decisionId)}`);
    expect(JSON.stringify(found.body)).toContain(`"trace_id":"${TRACE_ID}"`);
  });

  // proves OTEL-02
  it("a call without a trace begins one, which its row names", async () => {
    const { body } = await execute(server.url);
    const decided = await spanOf((span) => span.attributes["svc.decision_id"] === body["decision_id"]);
    expect(decided.parentSpanId ?? "").toBe("");
    const rows = (await checkedExport(server.url)).map(({ row }) => row);
    expect(rows).toContainEqual(expect.objectContaining({ kind: "decision", trace_id: decided.traceId }));
  });

  // proves OTEL-05
  it("no export has an argument, or a secret that somebody put where a name belongs", async () => {
    const args = { note: "only the row may have this" };
    const { body } = await execute(server.url, { agent_id: TOKEN, session_id: TOKEN, tool: TOKEN, args });
    expect(body["decision"]).toBe("allow");
    await spanOf((span) => span.attributes["svc.decision_id"] === body["decision_id"]);
    const sent = collector.requests.map((request) => request.body).join("\n");
    expect(sent).not.toContain(TOKEN);
    expect(sent).not.toContain(args.note);
  });

  // proves OTEL-06
  it("a change has a span with its route and without the names in its path", async () => {
    const path = `${server.url}/api/v1/policies/refunds/disable`;
    expect((await send("POST", path, { headers: { traceparent: TRACE } })).status).toBe(200);
    const changed = await spanOf(({ name }) => name.endsWith("/disable"));
    expect(changed).toMatchObject({
      traceId: TRACE_ID,
      name: "POST /api/v1/policies/{policy_id}/disable",
      attributes: { "http.response.status_code": 200 },
    });
    expect((await send("POST", `${server.url}/api/v1/policies/refunds/enable`)).status).toBe(200);
  });

  // proves OTEL-03
  it("metrics of server and adapter arrive", async () => {
    const metrics = (): string =>
      collector.requests
        .filter(({ url }) => url === "/v1/metrics")
        .map(({ body }) => body)
        .join("\n");
    await vi.waitFor(() => expect(metrics()).toContain("svc_decisions_total"), { timeout: 10_000 });
    await vi.waitFor(() => expect(metrics()).toContain("svc-checkgw"), { timeout: 10_000 });
  });

  // proves OTEL-04
  it("a collector that hangs changes no verdict, and keeps nothing from ending", async () => {
    collector.respondWith(() => undefined);
    for (let call = 0; call < 20; call += 1) {
      const answer = await askCheckgw({});
      expect(answer.headers.get("x-svc-decision")).toBe("allow");
    }
    expect(await checkgw.stop()).toBe(0);
    expect(await server.stop()).toBe(0);
  });
});
