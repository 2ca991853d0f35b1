import type { WebhookType } from "@svc/contract/webhook-event";
import type { Wording } from "./wording.ts";

/** Where the deliveries to an endpoint of webhooks stand; the port says what each column means. */
export interface DeliveryCoursesTable {
  endpoint_id: string;
  version: number;
  /** JSON: the next row by log. */
  positions: string;
  failures: number;
  failing_since_ms: number | null;
  probe_at_ms: number | null;
  last_success_at_ms: number | null;
  last_failure_at_ms: number | null;
  rows_lost: number;
}

/** Deliveries that did not go through at once. A dead one has no `next_at_ms`. */
export interface WaitingDeliveriesTable {
  endpoint_id: string;
  id: string;
  event_id: string;
  type: WebhookType;
  log_id: string;
  seq: number;
  attempts: number;
  next_at_ms: number | null;
  event_at_ms: number;
  /** Null: it is not dead. */
  dead_at_ms: number | null;
}

/** Numbered by endpoint, without an order between attempts that ended together. */
export interface DeliveryAttemptsTable {
  endpoint_id: string;
  number: number;
  delivery_id: string;
  event_id: string;
  type: WebhookType;
  at_ms: number;
  latency_ms: number;
  status: number | null;
  fault: string | null;
  answer: string;
  log_id: string;
  seq: number;
}

export function deliveryTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE delivery_courses (
      endpoint_id ${text} NOT NULL PRIMARY KEY,
      version ${integer} NOT NULL,
      positions ${text} NOT NULL,
      failures ${integer} NOT NULL,
      failing_since_ms ${integer},
      probe_at_ms ${integer},
      last_success_at_ms ${integer},
      last_failure_at_ms ${integer},
      rows_lost ${integer} NOT NULL
    )`,
    `CREATE TABLE waiting_deliveries (
      endpoint_id ${text} NOT NULL,
      id ${text} NOT NULL,
      event_id ${text} NOT NULL,
      type ${text} NOT NULL,
      log_id ${text} NOT NULL,
      seq ${integer} NOT NULL,
      attempts ${integer} NOT NULL,
      next_at_ms ${integer},
      PRIMARY KEY (endpoint_id, id)
    )`,
    `CREATE INDEX waiting_deliveries_due ON waiting_deliveries (endpoint_id, next_at_ms)
      WHERE next_at_ms IS NOT NULL`,
    `CREATE TABLE delivery_attempts (
      endpoint_id ${text} NOT NULL,
      number ${integer} NOT NULL,
      delivery_id ${text} NOT NULL,
      event_id ${text} NOT NULL,
      type ${text} NOT NULL,
      at_ms ${integer} NOT NULL,
      latency_ms ${integer} NOT NULL,
      status ${integer},
      fault ${text},
      answer ${text} NOT NULL,
      PRIMARY KEY (endpoint_id, number)
    )`,
    "CREATE INDEX delivery_attempts_oldest ON delivery_attempts (at_ms)",
    `CREATE INDEX delivery_attempts_passed ON delivery_attempts (endpoint_id, number)
      WHERE fault IS NULL`,
  ];
}

/** Alerts count dead deliveries every few seconds. */
export const DEAD_DELIVERIES_INDEX =
  "CREATE INDEX waiting_deliveries_dead ON waiting_deliveries (endpoint_id) WHERE next_at_ms IS NULL";

/** Dead deliveries are kept for some time. Those of before begin it with their event. */
export function deadSince({ integer }: Wording): readonly string[] {
  return [
    `ALTER TABLE waiting_deliveries ADD COLUMN dead_at_ms ${integer}`,
    "UPDATE waiting_deliveries SET dead_at_ms = event_at_ms WHERE next_at_ms IS NULL",
    `CREATE INDEX waiting_deliveries_oldest_dead ON waiting_deliveries (dead_at_ms)
      WHERE dead_at_ms IS NOT NULL`,
  ];
}

/** When an event happened, and the row that a delivery which went through was made of. */
export function deliveryRowColumns({ integer, text }: Wording): readonly string[] {
  return [
    `ALTER TABLE waiting_deliveries ADD COLUMN event_at_ms ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE delivery_attempts ADD COLUMN log_id ${text} NOT NULL DEFAULT ''`,
    `ALTER TABLE delivery_attempts ADD COLUMN seq ${integer} NOT NULL DEFAULT 0`,
    "CREATE INDEX delivery_attempts_delivery ON delivery_attempts (delivery_id)",
    "CREATE INDEX waiting_deliveries_delivery ON waiting_deliveries (id)",
  ];
}
