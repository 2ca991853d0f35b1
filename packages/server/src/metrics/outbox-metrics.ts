import type { OutboxFigures } from "@svc/outbox/outbox-service";
import { Counter, Gauge, type Registry } from "prom-client";

/** Metrics of deliveries. Their names are public: they do not change within a major version. */
export class OutboxMetrics {
  readonly #attempts: Readonly<Record<OutboxFigures["attempts"][number]["side"], Counter<"outcome">>>;

  /** @param lags of the endpoints that this process delivers to, as of the last look */
  constructor(registry: Registry, lags: () => OutboxFigures["lagsMs"]) {
    const registers = [registry];
    this.#attempts = {
      webhooks: new Counter({
        name: "svc_webhook_attempts_total",
        help: "Attempts to deliver an event that this process made, by outcome",
        labelNames: ["outcome"],
        registers,
      }),
      channels: new Counter({
        name: "svc_channel_attempts_total",
        help: "Attempts to tell people through a notification channel that this process made, by outcome",
        labelNames: ["outcome"],
        registers,
      }),
    };
    new Gauge({
      name: "svc_webhook_endpoints",
      help: "Endpoints that this process delivers to; 0 while another process leads",
      registers,
      collect() {
        this.set(lags().size);
      },
    });
    new Gauge({
      name: "svc_webhook_lag_seconds",
      help: "Seconds for which the endpoint that is furthest behind has not had every event",
      registers,
      collect() {
        this.set(Math.max(0, ...lags().values()) / 1_000);
      },
    });
  }

  note(attempts: OutboxFigures["attempts"]): void {
    for (const { side, outcome } of attempts) this.#attempts[side].inc({ outcome });
  }
}
