import type { WebhookEvent } from "@svc/contract/webhook-event";
import type { EventPage, EventRow, LogPositions } from "@svc/store/ports/event-rows";
import type { AttemptOutcome, Condition, Destination, Sendable } from "../destination.ts";
import type { Endpoint } from "../endpoint.ts";
import { type DisabledReason, EndpointCourier } from "../endpoint-courier.ts";
import { endpointOf } from "./endpoint-of.ts";
import { MemoryDeliveries } from "./memory-deliveries.ts";

/** Rows of a page, as count: more than fail until an endpoint is suspended, and those on their way then. */
const PAGE_ROWS = 40;

export type Answer = AttemptOutcome["kind"];

/** Logs, a receiver and a clock that a test moves. Several couriers can work on the one endpoint. */
export class CourierWorld {
  readonly deliveries = new MemoryDeliveries();
  readonly disabled: DisabledReason[] = [];
  /** Every attempt, in the order in which they began. */
  readonly sent: {
    readonly delivery: Sendable;
    readonly atMs: number;
    readonly answer: Answer;
    readonly count: number;
  }[] = [];
  /** What the receiver answers now. */
  answer: (event: WebhookEvent) => Answer = () => "delivered";
  /** Null while it is disabled. */
  endpoint: Endpoint | null = endpointOf();
  /** What one message a minute is about; null: every event is a message of its own. */
  conditionOf: ((event: WebhookEvent) => Condition) | null = null;
  nowMs = Date.UTC(2026, 0, 1);
  mostAtOnce = 0;
  readonly #logs = new Map<string, EventRow[]>();
  #atOnce = 0;

  /** Anomalies of organization `acme`, or rows of another one. @returns the ids of the events of `acme` */
  append(logId: string, count: number, org = "acme"): readonly string[] {
    const rows = this.#logs.get(logId) ?? [];
    this.#logs.set(logId, rows);
    return Array.from({ length: count }, () => {
      const seq = rows.length;
      const id = `${logId}.${String(seq)}`;
      const row = { v: 1, kind: "anomaly", time: "2026-01-01T00:00:00.000Z", org, principal: "key" };
      const about = { agent_id: "a", session_id: null, namespace: null, anomaly: "call_burst" };
      const data = JSON.stringify({ id, row: { ...row, ...about, explanation: "e", evidence: {} } });
      rows.push({ logId, seq, org, kind: "anomaly", agentId: "a", namespace: null, decision: null, data });
      return `evt_${logId}-${String(seq)}`;
    });
  }

  courier(): EndpointCourier {
    return new EndpointCourier({
      endpointId: "whk_1",
      endpoint: () => this.#destination(),
      store: this.deliveries,
      read: async (from) => this.read(from),
      readRow: async ({ logId, seq }) => this.#logs.get(logId)?.[seq] ?? null,
      disable: async (_, reason) => {
        this.disabled.push(reason);
        this.endpoint = null;
      },
      noteAttempt: () => undefined,
      digest: (text) => text.replaceAll("\n", "/"),
      clock: { now: () => new Date(this.nowMs) },
      random: () => 0,
    });
  }

  /** Ids of the events that the receiver has confirmed. */
  get confirmed(): ReadonlySet<string> {
    return new Set(
      this.sent.filter(({ answer }) => answer === "delivered").map(({ delivery }) => delivery.event.id),
    );
  }

  read(from: LogPositions): EventPage {
    const sizes = new Map([...this.#logs].map(([logId, rows]) => [logId, rows.length]));
    const next = new Map(from);
    const events: EventRow[] = [];
    for (const [logId, start] of from) {
      const rows = (this.#logs.get(logId) ?? []).slice(start, start + PAGE_ROWS - events.length);
      events.push(...rows);
      next.set(logId, start + rows.length);
    }
    return { events, next, sizes, unreadable: 0 };
  }

  #destination(): Destination | null {
    if (this.endpoint === null) return null;
    const { id, org, courseVersion } = this.endpoint;
    return {
      id,
      org,
      courseVersion,
      wanted: { kinds: null, decisions: null },
      takes: () => true,
      hasConditions: this.conditionOf !== null,
      conditionOf: (event) => this.conditionOf?.(event) ?? { about: "", state: null },
      send: async (delivery, count) => this.#attempt(delivery, count),
    };
  }

  async #attempt(delivery: Sendable, count: number): Promise<AttemptOutcome> {
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    const answer = this.answer(delivery.event);
    this.sent.push({ delivery, atMs: this.nowMs, answer, count });
    await new Promise(setImmediate);
    this.#atOnce -= 1;
    const fault = answer === "delivered" ? null : "status 500";
    return { kind: answer, status: 200, fault, answer: "", latencyMs: 1, retryAfterMs: null };
  }
}

const never = new AbortController().signal;

/** Steps until nothing more is to be sent at once. */
export async function settle(courier: EndpointCourier): Promise<void> {
  while (await courier.step(never));
}
