import type { Logger } from "@svc/process/logger";
import type { Registry } from "prom-client";
import type { TelemetryValues } from "./telemetry-environment.ts";

export interface TelemetryParts {
  readonly values: TelemetryValues;
  /** Of the program, unless the environment names another. */
  readonly serviceName: string;
  /** The metrics of the process, which leave beside /metrics. */
  readonly registry: Registry;
  readonly log: Logger;
}

export interface Endpoints {
  /** Null: they do not leave. */
  readonly tracesUrl: string | null;
  readonly metricsUrl: string | null;
}
