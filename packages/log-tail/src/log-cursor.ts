import type { LogPositions } from "@svc/store/ports/event-rows";

/** How far a follower is. It outlives the follower if what keeps it does. */
export interface LogCursor {
  /** Asked before each batch. A log that is not named begins at its first row. */
  positions(): LogPositions | Promise<LogPositions>;
  /**
   * Called when the work on a batch is done: never before, so a batch whose move was lost is worked on again.
   * @param to the logs that the batch moved, and their next rows. The others stay where they are.
   * @throws when another follower has moved the cursor since `positions`.
   */
  move(to: LogPositions): void | Promise<void>;
}
