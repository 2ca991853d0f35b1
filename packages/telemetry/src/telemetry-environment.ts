import type { EnvironmentTable, EnvironmentValues } from "@svc/process/environment-table";
import { parseBoolean, parseHttpUrl, parseInteger, parseOneOf, parseText } from "@svc/process/parsers";
import { parsePairs } from "./parse-pairs.ts";

/** Milliseconds for one request to a collector: the default of the standard, and the longest that helps. */
const DEFAULT_EXPORT_TIMEOUT_MS = 10_000;
const MAX_EXPORT_TIMEOUT_MS = 60_000;

/** Milliseconds between two exports of spans: the default of the standard. */
const DEFAULT_SPAN_DELAY_MS = 5_000;

/** Milliseconds between two exports of metrics: the default of the standard. */
const DEFAULT_METRIC_INTERVAL_MS = 60_000;
const MAX_INTERVAL_MS = 3_600_000;
const MIN_INTERVAL_MS = 100;

/** Spans that wait for their export, as count: the default of the standard. Further ones are dropped. */
const DEFAULT_QUEUED_SPANS = 2_048;
const MAX_QUEUED_SPANS = 100_000;

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const NO_PAIRS: Readonly<Record<string, string>> = {};

const EXPORTERS = ["otlp", "none"] as const;
const PROTOCOLS = ["http/protobuf", "http/json"] as const;

/** The variables of OpenTelemetry that every program reads. Without an endpoint none has an effect. */
export const telemetryEnvironment = {
  OTEL_SDK_DISABLED: {
    parse: parseBoolean,
    fallback: false,
    defaultText: "false",
    meaning: "true: no spans and no metrics leave, whatever the other variables say",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    parse: (text: string): URL | null => parseHttpUrl(text),
    fallback: null,
    defaultText: "none",
    meaning: "base address of a collector of OpenTelemetry, OTLP over HTTP; by default nothing is measured",
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    parse: (text: string): URL | null => parseHttpUrl(text),
    fallback: null,
    defaultText: "/v1/traces at the endpoint",
    meaning: "the whole address that takes spans",
  },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: {
    parse: (text: string): URL | null => parseHttpUrl(text),
    fallback: null,
    defaultText: "/v1/metrics at the endpoint",
    meaning: "the whole address that takes metrics",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    parse: parsePairs,
    fallback: NO_PAIRS,
    defaultText: "none",
    meaning: "headers of every export, as name=value, separated by commas, percent-encoded",
    secret: true,
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    parse: parseOneOf(PROTOCOLS),
    fallback: PROTOCOLS[0],
    defaultText: PROTOCOLS[0],
    meaning: "http/protobuf or http/json",
  },
  OTEL_EXPORTER_OTLP_CERTIFICATE: {
    parse: (text: string): string | null => parseText(text),
    fallback: null,
    defaultText: "none",
    meaning: "PEM file of certificate authorities that the collector's certificate may come from as well",
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    parse: parseInteger(1, MAX_EXPORT_TIMEOUT_MS),
    fallback: DEFAULT_EXPORT_TIMEOUT_MS,
    defaultText: String(DEFAULT_EXPORT_TIMEOUT_MS),
    meaning: "milliseconds for one export",
  },
  OTEL_TRACES_EXPORTER: {
    parse: parseOneOf(EXPORTERS),
    fallback: EXPORTERS[0],
    defaultText: EXPORTERS[0],
    meaning: "none: no spans leave",
  },
  OTEL_METRICS_EXPORTER: {
    parse: parseOneOf(EXPORTERS),
    fallback: EXPORTERS[0],
    defaultText: EXPORTERS[0],
    meaning: "none: no metrics leave; /metrics is served all the same",
  },
  OTEL_TRACES_SAMPLER: {
    parse: parseOneOf(SAMPLERS),
    fallback: "parentbased_always_on" as const,
    defaultText: "parentbased_always_on",
    meaning: `which spans are recorded: ${SAMPLERS.join(", ")}`,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    parse: parseShare,
    fallback: 1,
    defaultText: "1",
    meaning: "share of traces that a sampler with traceidratio records, from 0 to 1",
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    parse: parseInteger(MIN_INTERVAL_MS, MAX_INTERVAL_MS),
    fallback: DEFAULT_SPAN_DELAY_MS,
    defaultText: String(DEFAULT_SPAN_DELAY_MS),
    meaning: "milliseconds between two exports of spans",
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    parse: parseInteger(1, MAX_QUEUED_SPANS),
    fallback: DEFAULT_QUEUED_SPANS,
    defaultText: String(DEFAULT_QUEUED_SPANS),
    meaning: "spans that wait for their export; further ones are dropped",
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    parse: parseInteger(MIN_INTERVAL_MS, MAX_INTERVAL_MS),
    fallback: DEFAULT_METRIC_INTERVAL_MS,
    defaultText: String(DEFAULT_METRIC_INTERVAL_MS),
    meaning: "milliseconds between two exports of metrics",
  },
  OTEL_SERVICE_NAME: {
    parse: (text: string): string | null => parseText(text),
    fallback: null,
    defaultText: "the name of the program",
    meaning: "service.name of spans and metrics",
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    parse: parsePairs,
    fallback: NO_PAIRS,
    defaultText: "none",
    meaning: "attributes of spans and metrics, as name=value, separated by commas, percent-encoded",
  },
} satisfies EnvironmentTable;

export type TelemetryValues = EnvironmentValues<typeof telemetryEnvironment>;

function parseShare(text: string): number {
  const share = /^(?:0|1)(?:\.[0-9]{1,9})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(share >= 0 && share <= 1)) throw new Error("a number from 0 to 1, such as 0.05");
  return share;
}

/** The values of these variables alone, out of those of a program. */
export function telemetryValues(values: TelemetryValues): TelemetryValues {
  const names = Object.keys(telemetryEnvironment) as (keyof TelemetryValues)[];
  return Object.fromEntries(names.map((name) => [name, values[name]])) as unknown as TelemetryValues;
}
