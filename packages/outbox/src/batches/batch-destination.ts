import type { RowFormat } from "@svc/contract/integration-kinds";
import type { ForwardedRow } from "@svc/store/ports/forwarded-rows";

/** What became of a batch. */
export interface BatchOutcome {
  /**
   * `delivered`: the receiver confirmed the whole batch. `too_large`: it takes smaller ones. `failed`: the
   * same batch is sent again later.
   */
  readonly kind: "delivered" | "too_large" | "failed";
  /** Rows of a delivered batch that the receiver refused by themselves, as count. */
  readonly refused: number;
  readonly status: number | null;
  /** Null: everything went well. */
  readonly fault: string | null;
  /** How the answer began. */
  readonly answer: string;
  readonly retryAfterMs: number | null;
}

/** Where the rows of an organization are brought to, in order, one batch at a time. */
export interface BatchDestination {
  /** Names its course, and is unique among those of all organizations. */
  readonly id: string;
  readonly org: string;
  readonly kind: string;
  /** Where it leads, without what can be secret. */
  readonly origin: string;
  /** Changes with its settings: one that was changed is tried at once. */
  readonly revision: string;
  readonly format: RowFormat;
  /** Never rejects. @param rows at least one @param signal ends the attempt early, as one that failed */
  send(rows: readonly ForwardedRow[], signal: AbortSignal): Promise<BatchOutcome>;
}
