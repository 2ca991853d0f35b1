import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readTraceParent } from "@svc/contract/trace-parent";
import { failClosedDeny, type Verdict } from "@svc/contract/verdict";
import { readEnvironment } from "@svc/process/read-environment";
import { type RecordingLogger, recordingLogger } from "@svc/process/testing/recording-logger";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTelemetry } from "./open-telemetry.ts";
import type { Telemetry } from "./telemetry.ts";
import { telemetryEnvironment } from "./telemetry-environment.ts";
import { tracedDecide } from "./traced-decide.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_ID = "00f067aa0ba902b7";
const TRACE = `00-${TRACE_ID}-${SPAN_ID}-01`;
const CALL = { agent_id: "a", tool: "t", args: {}, session_id: null, namespace: null, cost_micro_usd: null };
const ALLOW: Verdict = { decision: "allow", decision_id: "gw_1.2", args_constrained: false, policy_id: "p" };

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

let collector: Server;
let url: string;
let status = 200;
let received: Received[];
let registry: Registry;
let log: RecordingLogger;
let telemetry: Telemetry | null;

beforeEach(async () => {
  received = [];
  log = recordingLogger();
  status = 200;
  registry = new Registry();
  telemetry = null;
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      received.push({ path: request.url ?? "", headers: request.headers, body });
      response.writeHead(status).end("{}");
    });
  });
  await new Promise<void>((resolve) => {
    collector.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}`;
});

afterEach(async () => {
  await telemetry?.close();
  await new Promise((resolve) => {
    collector.close(resolve);
  });
});

async function open(env: Readonly<Record<string, string>>): Promise<Telemetry | null> {
  const values = readEnvironment(telemetryEnvironment, env);

  telemetry = await openTelemetry({ values, serviceName: "svc-test", registry, log });
  return telemetry;
}

const toCollector = (more: Readonly<Record<string, string>> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  ...more,
});

/** All members of what a path received, by any depth, under this name. */
function found(path: string, name: string): readonly unknown[] {
  const search = (value: unknown): readonly unknown[] => {
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) => [
      ...(key === name && !Array.isArray(value) ? [inner] : []),
      ...search(inner),
    ]);
  };
  return received.filter((each) => each.path === path).flatMap(({ body }) => search(body));
}

describe("openTelemetry", () => {
  it.each([
    {},
    { OTEL_SERVICE_NAME: "named" },
    { OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" },
    {
      OTEL_TRACES_EXPORTER: "none",
      OTEL_METRICS_EXPORTER: "none",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
    },
  ])("is nothing under %j", async (env) => {
    expect(await open(env)).toBeNull();
  });

  // proves OTEL-01
  it("sends the span of a question with its verdict, as a child of the caller's", async () => {
    const opened = await open(toCollector({ OTEL_EXPORTER_OTLP_HEADERS: "x-token=a%2Cb" }));
    const asked: (string | undefined)[] = [];
    const decide = tracedDecide((_, options) => {
      asked.push(options?.traceparent);
      return Promise.resolve(ALLOW);
    }, opened);
    expect(await decide(CALL, { traceparent: TRACE })).toBe(ALLOW);
    await opened?.close();
    const [passed] = asked;
    expect(passed).toMatch(new RegExp(`^00-${TRACE_ID}-(?!${SPAN_ID})[0-9a-f]{16}-01$`));
    expect(received[0]?.headers).toMatchObject({ "x-token": "a,b", "content-type": "application/json" });
    const [spans] = found("/v1/traces", "spans");
    expect(spans).toMatchObject([
      { traceId: TRACE_ID, parentSpanId: SPAN_ID, spanId: passed?.split("-")[2], name: "svc.ask", kind: 3 },
    ]);
    expect(spans).toMatchObject([
      {
        attributes: [
          { key: "svc.decision", value: { stringValue: "allow" } },
          { key: "svc.decision_id", value: { stringValue: "gw_1.2" } },
          { key: "svc.policy_id", value: { stringValue: "p" } },
        ],
      },
    ]);
    const [resource] = found("/v1/traces", "resource");
    expect(JSON.stringify(resource)).toContain("svc-test");
  });

  it("marks the span of a fault, and of no other deny", async () => {
    const opened = await open(toCollector());
    const fault = failClosedDeny("gateway_unreachable", "No answer.");
    const rule = { ...fault, reason_code: "rule", fail_closed: false } as const;
    for (const verdict of [fault, rule]) await tracedDecide(async () => verdict, opened)(CALL);
    await opened?.close();
    const [spans] = found("/v1/traces", "spans");
    expect(spans).toMatchObject([
      { status: { code: 2, message: "gateway_unreachable" } },
      { status: { code: 0 } },
    ]);
    expect(JSON.stringify(spans)).not.toContain("No answer.");
  });

  it.each([
    { sampler: "parentbased_always_on", flags: "00", recorded: false },
    { sampler: "parentbased_always_off", flags: "01", recorded: true },
    { sampler: "always_on", flags: "00", recorded: true },
    { sampler: "always_off", flags: "01", recorded: false },
  ])(
    "records under $sampler with the caller's flags $flags: $recorded",
    async ({ sampler, flags, recorded }) => {
      const opened = await open(toCollector({ OTEL_TRACES_SAMPLER: sampler }));
      const parent = readTraceParent(TRACE.replace(/01$/, flags));
      const span = opened?.begin({ name: "svc.ask", kind: "client", parent });
      let wasAsked = false;
      span?.end(() => {
        wasAsked = true;
        return { attributes: {}, fault: null };
      });
      await opened?.close();
      expect(span?.trace).toMatchObject({ traceId: TRACE_ID, isSampled: recorded });
      expect(wasAsked).toBe(recorded);
      expect(found("/v1/traces", "spans")).toHaveLength(recorded ? 1 : 0);
    },
  );

  // proves OTEL-03
  it("sends the metrics of the process", async () => {
    const registers = [registry];
    new Counter({ name: "calls_total", help: "Calls.", labelNames: ["kind"], registers }).inc(
      { kind: "a" },
      3,
    );
    new Gauge({ name: "age_ms", help: "Age.", registers }).set(7.5);
    const durations = new Histogram({ name: "took_s", help: "Took.", buckets: [1, 5], registers });
    for (const value of [0.5, 0.7, 3, 9]) durations.observe(value);
    const opened = await open(toCollector());
    await opened?.close();
    const metrics = found("/v1/metrics", "metrics").flat();
    const point = { attributes: [{ key: "kind", value: { stringValue: "a" } }], asDouble: 3 };
    expect(metrics).toContainEqual(
      expect.objectContaining({
        name: "calls_total",
        sum: expect.objectContaining({ isMonotonic: true, dataPoints: [expect.objectContaining(point)] }),
      }),
    );
    expect(metrics).toContainEqual(
      expect.objectContaining({
        name: "age_ms",
        gauge: { dataPoints: [expect.objectContaining({ asDouble: 7.5 })] },
      }),
    );
    const histogram = { explicitBounds: [1, 5], bucketCounts: [2, 1, 1], count: 4, sum: 13.2 };
    expect(metrics).toContainEqual(
      expect.objectContaining({
        name: "took_s",
        histogram: expect.objectContaining({ dataPoints: [expect.objectContaining(histogram)] }),
      }),
    );
  });

  // proves OTEL-04
  it.each(["answers 500", "is gone"])("changes nothing when the collector %s", async (fault) => {
    const opened = await open(toCollector({ OTEL_METRICS_EXPORTER: "none" }));
    status = 500;
    if (fault === "is gone")
      await new Promise((resolve) => {
        collector.close(resolve);
      });
    const verdict = await tracedDecide(() => Promise.resolve(ALLOW), opened)(CALL);
    await opened?.close();
    expect(verdict).toBe(ALLOW);
    expect(log.messages.join("\n")).toContain("are lost");
  });
});

describe("telemetryEnvironment", () => {
  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
    { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    { OTEL_EXPORTER_OTLP_HEADERS: "x-token" },
    { OTEL_EXPORTER_OTLP_HEADERS: "a=b%0d%0ac: d" },
    { OTEL_EXPORTER_OTLP_HEADERS: "a=%zz" },
    { OTEL_TRACES_SAMPLER: "sometimes" },
    { OTEL_TRACES_SAMPLER_ARG: "1.5" },
    { OTEL_METRIC_EXPORT_INTERVAL: "0" },
  ])("refuses %j by the name of the variable", (env) => {
    expect(() => readEnvironment(telemetryEnvironment, env)).toThrow(Object.keys(env)[0]);
  });
});
