import type { LogPositions } from "@svc/store/ports/event-rows";

/** The store has fewer rows of a log than its follower has seen. */
export class CursorBeyondLogError extends Error {
  override readonly name = "CursorBeyondLogError";
  /** Rows of every log that the store has. */
  readonly sizes: LogPositions;

  constructor(logId: string, { next, sizes }: { readonly next: number; readonly sizes: LogPositions }) {
    const size = String(sizes.get(logId) ?? 0);
    super(
      `the cursor stands at row ${String(next)} of the log ${logId}, which has ${size} rows; ` +
        "a backup of the database may have been restored",
    );
    this.sizes = sizes;
  }
}
