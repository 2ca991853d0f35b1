import { type Requirement, tested } from "./requirement.ts";

/** What leaves for OpenTelemetry. */
export const telemetryRequirements: readonly Requirement[] = [
  tested("OTEL-01", "A call has a span at its adapter and one at its gateway, in the trace of its caller."),
  tested("OTEL-02", "The row of a call names its trace, and the span of a call names its row."),
  tested("OTEL-03", "The metrics of /metrics leave by OTLP, too."),
  tested("OTEL-04", "A collector that is gone, hangs or refuses changes no verdict."),
  tested("OTEL-05", "No span has an argument of a call, and secrets in names are masked."),
  tested("OTEL-06", "A change through the control API has a span that names its route."),
  tested("OTEL-07", "The OpenTelemetry Collector reads what a server sends."),
];
