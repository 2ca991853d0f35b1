import type { Logger } from "@svc/process/logger";
import type { Registry } from "prom-client";
import type { Telemetry } from "./telemetry.ts";
import type { TelemetryValues } from "./telemetry-environment.ts";

export interface TelemetryParts {
  readonly values: TelemetryValues;
  /** Of the program, unless the environment names another. */
  readonly serviceName: string;
  /** The metrics of the process, which leave beside /metrics. */
  readonly registry: Registry;
  readonly log: Logger;
}

/**
 * Loads what measures, when the environment names where spans or metrics go. Null: it names nothing, and
 * nothing was loaded. @throws naming a file of certificates that cannot be read
 */
export async function openTelemetry(parts: TelemetryParts): Promise<Telemetry | null> {
  const { tracesUrl, metricsUrl } = endpointsOf(parts.values);
  if (tracesUrl === null && metricsUrl === null) return null;
  const { OtlpTelemetry } = await import("./otlp-telemetry.ts");
  return new OtlpTelemetry(parts, { tracesUrl, metricsUrl });
}

export interface Endpoints {
  /** Null: they do not leave. */
  readonly tracesUrl: string | null;
  readonly metricsUrl: string | null;
}

function endpointsOf(values: TelemetryValues): Endpoints {
  const isOff = values.OTEL_SDK_DISABLED;
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = (own: URL | null, path: string): string | null =>
    own?.href ?? (base === null ? null : base.href.replace(/\/+$/, "") + path);
  const tracesUrl = url(values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, "/v1/traces");
  const metricsUrl = url(values.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, "/v1/metrics");
  return {
    tracesUrl: isOff || values.OTEL_TRACES_EXPORTER === "none" ? null : tracesUrl,
    metricsUrl: isOff || values.OTEL_METRICS_EXPORTER === "none" ? null : metricsUrl,
  };
}
