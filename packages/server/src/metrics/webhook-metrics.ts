import { Counter, Gauge, type Registry } from "prom-client";

/** What the gauges read. */
interface OutboxFigures {
  readonly endpoints: number;
  readonly lagMs: number;
}

/** Metrics of deliveries. Their names are public: they do not change within a major version. */
export class WebhookMetrics {
  readonly attempts: Counter<"outcome">;
  readonly #registers: readonly Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
    this.attempts = new Counter({
      name: "svc_webhook_attempts_total",
      help: "Attempts to deliver an event that this process made, by outcome",
      labelNames: ["outcome"],
      registers: [registry],
    });
  }

  /** Shows the deliveries of this process from now on. */
  watch(figures: OutboxFigures): void {
    const registers = [...this.#registers];
    new Gauge({
      name: "svc_webhook_endpoints",
      help: "Endpoints that this process delivers to; 0 while another process leads",
      registers,
      collect() {
        this.set(figures.endpoints);
      },
    });
    new Gauge({
      name: "svc_webhook_lag_seconds",
      help: "Seconds for which the endpoint that is furthest behind has not had every event",
      registers,
      collect() {
        this.set(figures.lagMs / 1_000);
      },
    });
  }
}
