import type { AlertRecord, AlertStatus } from "@svc/contract/alert";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";

/** Alerts of one organization that may be unresolved at once, as count: people look at a few. */
export const MAX_OPEN_ALERTS = 200;

/** Resolved alerts of one organization that are kept, as count. Their rows stay in the log. */
export const RESOLVED_ALERTS_KEPT = 10_000;

/** An alert and whose it is. */
export interface OwnedAlert {
  readonly org: string;
  readonly record: AlertRecord;
}

/**
 * Alerts of all organizations. At most one of a condition and a subject is not resolved. Each change is
 * written with its audit row. Every promise rejects when the store does not answer; what it was asked to
 * write may then have been written.
 */
export interface AlertStore {
  /**
   * Of two processes that open the same alert, one gets `known`. `too_many`: the organization has
   * `MAX_OPEN_ALERTS`. The oldest resolved alerts beyond `RESOLVED_ALERTS_KEPT` are removed.
   */
  open(
    change: AuditedChange & { readonly record: AlertRecord },
  ): Promise<{ readonly kind: "opened" | "known" | "too_many" }>;
  /** Takes place only while the alert has the status that `before` has. Nothing is written otherwise. */
  change(
    change: AuditedChange & { readonly before: AlertStatus; readonly record: AlertRecord },
  ): Promise<{ readonly kind: "changed" | "moved" }>;
  find(org: string, id: string): Promise<AlertRecord | null>;
  /** Those of all organizations that are not resolved. */
  unresolved(): Promise<readonly OwnedAlert[]>;
  /** Newest first. @param status null: all */
  list(org: string, status: AlertStatus | null, page: PageRequest): Promise<Page<AlertRecord> | "bad_cursor">;
}
