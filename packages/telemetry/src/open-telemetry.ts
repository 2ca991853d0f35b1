import type { Telemetry } from "./telemetry.ts";
import type { TelemetryValues } from "./telemetry-environment.ts";
import type { Endpoints, TelemetryParts } from "./telemetry-parts.ts";

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
