import type { WebhookType } from "@svc/contract/webhook-event";
import type { LogPositions } from "./event-rows.ts";
import type { Page, PageRequest } from "./page.ts";
import type { RowPosition } from "./row-position.ts";

/** Milliseconds for which attempts are kept: a week. */
export const ATTEMPTS_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** Attempts of an endpoint that went through and are kept, as count. Failed ones are kept for the week. */
export const SUCCESSES_KEPT = 1_000;

/** How far an endpoint is in the logs, and how it fares. Times are milliseconds since 1970. */
export interface DeliveryCourse {
  /** The next row of each log. */
  readonly positions: LogPositions;
  /** Attempts in a row that failed, as count. */
  readonly failures: number;
  /** The first of them; null while the endpoint works. */
  readonly failingSinceMs: number | null;
  /** When a suspended endpoint is tried again; null while it is not suspended. */
  readonly probeAtMs: number | null;
  readonly lastSuccessAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  /** Rows that were gone before their events were sent, as count. */
  readonly rowsLost: number;
}

/** A delivery that did not go through at once. */
export interface WaitingDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: WebhookType;
  /** The row that the event is made of. */
  readonly row: RowPosition;
  /** Attempts so far, as count. */
  readonly attempts: number;
  /** When the next attempt is due; null: there is none, the delivery is dead. */
  readonly nextAtMs: number | null;
}

/** An attempt as its endpoint's owner reads it. */
export interface DeliveryAttempt {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly type: WebhookType;
  readonly atMs: number;
  readonly latencyMs: number;
  /** Status of the answer; null: there was none. */
  readonly status: number | null;
  /** Why it failed; null: it did not. */
  readonly fault: string | null;
  /** How the answer began, as text. */
  readonly answer: string;
}

/** What a batch of attempts came to. It is written whole or not at all. */
export interface CourseChange {
  readonly endpointId: string;
  /** Of the course as it was read. */
  readonly version: number;
  readonly course: DeliveryCourse;
  readonly attempts: readonly DeliveryAttempt[];
  /** New ones, and earlier ones as they stand now. */
  readonly waiting: readonly WaitingDelivery[];
  /** Ids of earlier ones that went through. */
  readonly settled: readonly string[];
}

/** The course of an endpoint as it is stored. */
export interface StoredCourse {
  /** Grows with each change. */
  readonly version: number;
  readonly course: DeliveryCourse;
  /** When the next attempt of its earliest waiting delivery is due; null: none waits. */
  readonly dueAtMs: number | null;
}

/** `superseded`: another process has changed the course since it was read, or the endpoint is gone. */
export type ChangedCourse =
  | ({ readonly kind: "changed" } & Pick<StoredCourse, "version" | "dueAtMs">)
  | { readonly kind: "superseded" };

export interface AttemptFilter {
  /** Those that failed, or those that did not; null: both. */
  readonly failed: boolean | null;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
}

/** What the sender of deliveries asks. */
export type DeliveryCourses = Pick<DeliveryStore, "course" | "change" | "due">;

/** Where the deliveries to endpoints stand. */
export interface DeliveryStore {
  /** Makes the course of a new endpoint. A course that is there stays as it is. */
  begin(endpointId: string, course: DeliveryCourse): Promise<void>;
  /** @returns null for an endpoint that is gone */
  course(endpointId: string): Promise<StoredCourse | null>;
  change(change: CourseChange): Promise<ChangedCourse>;
  /** Waiting deliveries whose next attempt is due, the longest due first. */
  due(endpointId: string, nowMs: number, limit: number): Promise<readonly WaitingDelivery[]>;
  /** Deliveries that wait for another attempt, and dead ones, as counts. */
  counts(endpointId: string): Promise<{ readonly waiting: number; readonly dead: number }>;
  /** Newest first. */
  attempts(
    endpointId: string,
    filter: AttemptFilter,
    page: PageRequest,
  ): Promise<Page<DeliveryAttempt> | "bad_cursor">;
  /** Forgets everything about an endpoint that was removed. */
  remove(endpointId: string): Promise<void>;
}
