import type { WebhookEvent } from "@svc/contract/webhook-event";
import type { WaitingDelivery } from "@svc/store/ports/delivery-store";
import type { WantedRows } from "@svc/store/ports/event-rows";

/** What is sent of a delivery. */
export interface Sendable {
  /** The same for every attempt, and known without asking the store. */
  readonly id: string;
  readonly event: WebhookEvent;
}

/** A delivery that is to be made. */
export interface Pending extends Omit<WaitingDelivery, "nextAtMs"> {
  /** Whether the store has it as one that waits. */
  readonly isStored: boolean;
  /** The same for deliveries of one condition of one receiver; null: it is alone. */
  readonly group: string | null;
}

/** A delivery with its event. */
export interface Delivery extends Pending, Sendable {
  /** Of its condition. */
  readonly state: string | null;
}

/** What an attempt came to. */
export interface AttemptOutcome {
  /** `gone`: the receiver wants no more deliveries (410). `refused`: it will never take this one. */
  readonly kind: "delivered" | "failed" | "refused" | "gone";
  readonly status: number | null;
  readonly fault: string | null;
  readonly answer: string;
  readonly latencyMs: number;
  readonly retryAfterMs: number | null;
}

/** What a message is about, and how it stands. */
export interface Condition {
  readonly about: string;
  /** The newest alone counts, and another one is told at once. Null: events are counted. */
  readonly state: string | null;
}

/** Where events are brought to: an endpoint of webhooks, or a channel that tells people. */
export interface Destination {
  /** Names its course, and is unique among those of all organizations. */
  readonly id: string;
  readonly org: string;
  /** Of its course, as it was a moment ago: a sender that knows an earlier one reads the course again. */
  readonly courseVersion: number;
  /** Rows that its events are made of; others may be given to it as well. */
  readonly wanted: WantedRows;
  takes(event: WebhookEvent): boolean;
  /** Leaves out what it is not told, where that takes a question to the store. */
  readonly narrow?: (deliveries: readonly Delivery[]) => Promise<readonly Delivery[]>;
  /** Whether it gets one message a minute about a condition. Else every event is a message of its own. */
  readonly hasConditions: boolean;
  /** What a message is about. */
  conditionOf(event: WebhookEvent): Condition;
  /**
   * Never rejects. @param count events that the message stands for, this one included
   * @param signal ends the attempt early, as one that failed
   */
  send(delivery: Sendable, count: number, signal: AbortSignal): Promise<AttemptOutcome>;
}
