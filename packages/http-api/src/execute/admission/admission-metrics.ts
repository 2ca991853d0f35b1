import { Counter, Gauge, type Registry } from "prom-client";
import type { CallSize } from "./call-size.ts";

/** Why a call was refused before it was decided. A label of a metric. */
export type RefusalCause = "requests" | "bytes" | "caller_share" | "agent_share" | "wait";

/** The figures that a scrape of the metrics reads. */
export interface AdmissionState {
  readonly bytesInFlight: (size: CallSize) => number;
  readonly callsWaiting: (size: CallSize) => number;
}

export interface AdmissionMetrics {
  refused(cause: RefusalCause): void;
  watch(state: AdmissionState): void;
}

export const NO_METRICS: AdmissionMetrics = { refused: () => undefined, watch: () => undefined };

const CAUSES: readonly RefusalCause[] = ["requests", "bytes", "caller_share", "agent_share", "wait"];

const SIZES: readonly CallSize[] = ["small", "large"];

/** Names are public: they do not change within a major version. */
export function admissionMetrics(registry: Registry): AdmissionMetrics {
  const registers = [registry];
  const refusals = new Counter({
    name: "svc_admission_refused_total",
    help: "Calls refused before they were decided, by cause",
    labelNames: ["cause"],
    registers,
  });
  // An alarm on a counter needs its initial zero.
  for (const cause of CAUSES) refusals.inc({ cause }, 0);
  return {
    refused: (cause) => refusals.inc({ cause }),
    watch: ({ bytesInFlight, callsWaiting }) => {
      new Gauge({
        name: "svc_bytes_in_flight",
        help: "Bytes of calls that are read or decided, by size of call",
        labelNames: ["size"],
        registers,
        collect() {
          for (const size of SIZES) this.set({ size }, bytesInFlight(size));
        },
      });
      new Gauge({
        name: "svc_calls_waiting",
        help: "Calls that wait for a turn of their agent, by size of call",
        labelNames: ["size"],
        registers,
        collect() {
          for (const size of SIZES) this.set({ size }, callsWaiting(size));
        },
      });
    },
  };
}
