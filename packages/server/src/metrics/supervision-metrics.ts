import type { Severity } from "@svc/contract/severity";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Upper bounds of lateness in seconds. Beyond the first second a step is late. */
const LATENESS_S = [0.1, 0.25, 0.5, 0.75, 1, 2, 5, 10, 30];

/** What the gauges read. */
interface SupervisionFigures {
  /** Sessions that this process supervises: 0 while another one leads. */
  readonly supervised: () => number;
  readonly bySeverity: () => Readonly<Record<Exclude<Severity, "INFO">, number>>;
}

/** Metrics of supervision. Their names are public: they do not change within a major version. */
export class SupervisionMetrics {
  readonly heartbeats: Counter<"outcome">;
  readonly transitions: Counter<"from" | "to">;
  readonly lateness: Histogram;
  readonly anomalies: Counter<"anomaly">;

  readonly #registers: readonly Registry[];

  constructor(registry: Registry) {
    const registers = [registry];
    this.#registers = registers;
    this.heartbeats = new Counter({
      name: "svc_heartbeats_total",
      help: "Heartbeats that this process received, by outcome",
      labelNames: ["outcome"],
      registers,
    });
    this.transitions = new Counter({
      name: "svc_severity_transitions_total",
      help: "Changes of severities that this process stored",
      labelNames: ["from", "to"],
      registers,
    });
    this.lateness = new Histogram({
      name: "svc_severity_lateness_seconds",
      help: "Seconds from the moment when silence reached a threshold until the severity was stored",
      buckets: LATENESS_S,
      registers,
    });
    this.anomalies = new Counter({
      name: "svc_anomalies_total",
      help: "Anomalies of agents that this process recorded",
      labelNames: ["anomaly"],
      registers,
    });
  }
  /** Shows the sessions of this process from now on. */
  watch({ supervised, bySeverity }: SupervisionFigures): void {
    const registers = [...this.#registers];
    new Gauge({
      name: "svc_supervised_sessions",
      help: "Sessions that this process supervises; 0 while another process leads",
      registers,
      collect() {
        this.set(supervised());
      },
    });
    new Gauge({
      name: "svc_raised_sessions",
      help: "Sessions above INFO, by severity",
      labelNames: ["severity"],
      registers,
      collect() {
        for (const [severity, count] of Object.entries(bySeverity())) this.set({ severity }, count);
      },
    });
  }
}
