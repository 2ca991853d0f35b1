import { setTimeout } from "node:timers/promises";
import * as api from "@opentelemetry/api";
import { type Context, isSpanContextValid, ROOT_CONTEXT, type Tracer, trace } from "@opentelemetry/api";
import * as otlp from "@opentelemetry/otlp-transformer";
import { defaultResource, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { TraceParent } from "@svc/contract/trace-parent";
import { VERSION } from "@svc/process/version";
import { OtlpSender, type SendExport } from "./otlp-sender.ts";
import { RegistryMetrics } from "./registry-metrics.ts";
import { samplerOf } from "./sampler-of.ts";
import type { Span, SpanEnd, SpanStart, Telemetry } from "./telemetry.ts";
import type { TelemetryValues } from "./telemetry-environment.ts";
import type { Endpoints, TelemetryParts } from "./telemetry-parts.ts";

/** Milliseconds that the last export has at the end of a process. */
const LAST_EXPORT_MS = 2_000;

const KINDS = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT };

/** Spans and metrics by OTLP over HTTP, made by the SDK of OpenTelemetry. */
export class OtlpTelemetry implements Telemetry {
  readonly #sender: OtlpSender;
  readonly #providers: { shutdown(): Promise<void> }[] = [];
  readonly #tracer: Tracer | null;

  constructor({ values, serviceName, registry, log }: TelemetryParts, { tracesUrl, metricsUrl }: Endpoints) {
    const urls = [tracesUrl, metricsUrl].flatMap((url) => url ?? []);
    this.#sender = new OtlpSender(values, urls, log);
    const resource = resourceOf(values, serviceName);
    this.#tracer = tracesUrl === null ? null : this.#openTracer(values, resource, this.#sender.to(tracesUrl));
    if (metricsUrl !== null) {
      const reader = new PeriodicExportingMetricReader({
        exporter: metricExporter(values, this.#sender.to(metricsUrl)),
        exportIntervalMillis: values.OTEL_METRIC_EXPORT_INTERVAL,
        exportTimeoutMillis: Math.min(values.OTEL_EXPORTER_OTLP_TIMEOUT, values.OTEL_METRIC_EXPORT_INTERVAL),
        metricProducers: [new RegistryMetrics(registry, resource)],
      });
      this.#providers.push(new MeterProvider({ resource, readers: [reader] }));
    }
    log.info({ traces: tracesUrl, metrics: metricsUrl }, "spans and metrics leave by OTLP");
  }

  #openTracer(values: TelemetryValues, resource: Resource, send: SendExport): Tracer {
    const serializer =
      values.OTEL_EXPORTER_OTLP_PROTOCOL === "http/json"
        ? otlp.JsonTraceSerializer
        : otlp.ProtobufTraceSerializer;
    const processor = new BatchSpanProcessor({
      exporter: {
        export: (spans, done) => send(serializer.serializeRequest(spans), done),
        shutdown: () => Promise.resolve(),
      },
      scheduledDelayMillis: values.OTEL_BSP_SCHEDULE_DELAY,
      maxQueueSize: values.OTEL_BSP_MAX_QUEUE_SIZE,
      exportTimeoutMillis: values.OTEL_EXPORTER_OTLP_TIMEOUT,
    });
    const provider = new TracerProvider({
      resource,
      sampler: samplerOf(values),
      spanProcessors: [processor],
    });
    this.#providers.push(provider);
    return provider.getTracer("svc", VERSION);
  }

  begin({ name, kind, parent }: SpanStart): Span | null {
    if (this.#tracer === null) return null;
    try {
      return spanOf(this.#tracer.startSpan(name, { kind: KINDS[kind] }, contextOf(parent)));
    } catch {
      // A fault of what measures must not become a fault of what is measured.
      return null;
    }
  }

  async close(): Promise<void> {
    const ending = Promise.allSettled(this.#providers.map((provider) => provider.shutdown()));
    await Promise.race([ending, setTimeout(LAST_EXPORT_MS, null, { ref: false })]);
    await this.#sender.close();
  }
}

function contextOf(parent: TraceParent | null): Context {
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function spanOf(span: api.Span): Span | null {
  const context = span.spanContext();
  if (!isSpanContextValid(context)) return null;
  const { traceId, spanId, traceFlags } = context;
  const isSampled = (traceFlags & api.TraceFlags.SAMPLED) !== 0;
  const text = `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
  return { trace: { text, traceId, spanId, isSampled }, end: (describe) => endSpan(span, describe) };
}

function endSpan(span: api.Span, describe: () => SpanEnd): void {
  try {
    if (span.isRecording()) {
      const { attributes, fault } = describe();
      span.setAttributes(attributes);
      if (fault !== null) span.setStatus({ code: api.SpanStatusCode.ERROR, message: fault });
    }
    span.end();
  } catch {
    // The same: the verdict of a call whose span cannot end stands.
  }
}

function resourceOf(values: TelemetryValues, serviceName: string): Resource {
  return defaultResource().merge(
    resourceFromAttributes({
      "service.version": VERSION,
      ...values.OTEL_RESOURCE_ATTRIBUTES,
      "service.name":
        values.OTEL_SERVICE_NAME ?? values.OTEL_RESOURCE_ATTRIBUTES["service.name"] ?? serviceName,
    }),
  );
}

function metricExporter(values: TelemetryValues, send: SendExport) {
  const serializer =
    values.OTEL_EXPORTER_OTLP_PROTOCOL === "http/json"
      ? otlp.JsonMetricsSerializer
      : otlp.ProtobufMetricsSerializer;
  return {
    export: (metrics: Parameters<typeof serializer.serializeRequest>[0], done: Parameters<SendExport>[1]) =>
      send(serializer.serializeRequest(metrics), done),
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}
