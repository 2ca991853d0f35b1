import type { SlotRefusal } from "@svc/process/shared-slots";
import { Counter, Gauge, type Registry } from "prom-client";

const LIMITS: readonly SlotRefusal[] = ["process", "organization", "key"];

/** Metrics of the event stream. Their names are public: they do not change within a major version. */
export class EventStreamMetrics {
  readonly gaps: Counter;
  readonly dropped: Counter;
  readonly sentBytes: Counter;
  /** By the limit that was reached. */
  readonly refused: Counter<"limit">;

  constructor(registry: Registry, readers: () => number) {
    const registers = [registry];
    new Gauge({
      name: "svc_event_stream_readers",
      help: "Open event streams",
      registers,
      collect() {
        this.set(readers());
      },
    });
    this.gaps = new Counter({
      name: "svc_event_stream_gaps_total",
      help: "Times that events were not sent to a reader, who was told",
      registers,
    });
    this.dropped = new Counter({
      name: "svc_event_stream_dropped_total",
      help: "Events that a reader was not sent because it was too slow, before its filter",
      registers,
    });
    this.sentBytes = new Counter({
      name: "svc_event_stream_sent_bytes_total",
      help: "Bytes of events sent to all readers",
      registers,
    });
    this.refused = new Counter({
      name: "svc_event_stream_refused_total",
      help: "Event streams that were refused because of a limit of the process, the organization or the key",
      labelNames: ["limit"],
      registers,
    });
    // An alarm on a counter needs its initial zero.
    for (const limit of LIMITS) this.refused.inc({ limit }, 0);
  }
}
