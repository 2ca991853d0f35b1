import type { WebhookType } from "@svc/contract/webhook-event";
import type { LogPositions } from "./event-rows.ts";
import type { Page, PageRequest } from "./page.ts";
import type { RowPosition } from "./row-position.ts";

/** Milliseconds for which attempts are kept, and dead deliveries beside their last attempt: a week. */
export const ATTEMPTS_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** Attempts of an endpoint that went through and are kept, as count. Failed ones are kept for the week. */
export const SUCCESSES_KEPT = 1_000;

/**
 * Dead deliveries of an endpoint that are kept, as count: half a megabyte. A replay of their time sends the
 * others from the audit log, which has the events of all.
 */
export const DEAD_KEPT = 1_000;

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

/** A course at its beginning: nothing that was committed before is sent. */
export function newCourse(positions: LogPositions): DeliveryCourse {
  const healthy = { failures: 0, failingSinceMs: null, probeAtMs: null };
  return { positions, ...healthy, lastSuccessAtMs: null, lastFailureAtMs: null, rowsLost: 0 };
}

/** Which event a delivery brings. */
export interface DeliveredEvent {
  readonly eventId: string;
  readonly type: WebhookType;
  /** The row that the event is made of. */
  readonly row: RowPosition;
}

/** A delivery that did not go through at once. */
export interface WaitingDelivery extends DeliveredEvent {
  readonly id: string;
  /** When the event happened. */
  readonly eventAtMs: number;
  /** Attempts so far, as count. */
  readonly attempts: number;
  /** When the next attempt is due; null: there is none, the delivery is dead. */
  readonly nextAtMs: number | null;
}

/** An attempt as its endpoint's owner reads it. */
export interface DeliveryAttempt extends DeliveredEvent {
  readonly deliveryId: string;
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
  /** Milliseconds since 1970. */
  readonly nowMs: number;
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

export interface DeliveryCounts {
  /** Deliveries that wait for another attempt. */
  readonly waiting: number;
  /** Dead ones that are kept. */
  readonly dead: number;
  /** When the oldest event of those that wait happened; null: none waits. */
  readonly oldestAtMs: number | null;
}

/** Milliseconds since 1970; `untilMs` is left out. */
export interface DeliveryRange {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Where the deliveries to endpoints stand. */
export interface DeliveryStore {
  /** Makes the course of a new endpoint. A course that is there stays as it is. */
  begin(endpointId: string, course: DeliveryCourse): Promise<void>;
  /** @returns null for an endpoint that is gone */
  course(endpointId: string): Promise<StoredCourse | null>;
  change(change: CourseChange): Promise<ChangedCourse>;
  /** Waiting deliveries whose next attempt is due, the longest due first. */
  due(endpointId: string, nowMs: number, limit: number): Promise<readonly WaitingDelivery[]>;
  /** The version of every course: a sender that knows an older one reads the course again. */
  versions(): Promise<ReadonlyMap<string, number>>;
  /** Lets deliveries wait, in place of those that are known. The sender learns of it. */
  queue(endpointId: string, deliveries: readonly WaitingDelivery[]): Promise<void>;
  /** Lets dead deliveries of events of this time wait again. @returns how many */
  queueDead(endpointId: string, range: DeliveryRange & { readonly nowMs: number }): Promise<number>;
  /** Forgets that attempts failed, for an endpoint that is enabled again. It goes on where it was. */
  revive(endpointId: string): Promise<void>;
  counts(endpointId: string): Promise<DeliveryCounts>;
  /** Dead deliveries of every endpoint that has any. */
  deadCounts(): Promise<ReadonlyMap<string, number>>;
  /** An attempt of a delivery, or the delivery that waits or is dead. Null: neither is kept. */
  find(deliveryId: string): Promise<(DeliveredEvent & { readonly endpointId: string }) | null>;
  /** Deliveries that wait, or dead ones, by id. */
  waiting(
    endpointId: string,
    filter: { readonly isDead: boolean; readonly sinceMs: number },
    page: PageRequest,
  ): Promise<Page<WaitingDelivery> | "bad_cursor">;
  /** Newest first. */
  attempts(
    endpointId: string,
    filter: AttemptFilter,
    page: PageRequest,
  ): Promise<Page<DeliveryAttempt> | "bad_cursor">;
  /** Forgets everything about an endpoint that was removed. */
  remove(endpointId: string): Promise<void>;
}
