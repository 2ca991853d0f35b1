import type { ControlMark } from "../control-head-guard.ts";
import type { AcknowledgedHead } from "../head-guard.ts";
import type { StoreLimits } from "../sql/store-context.ts";
import type { PostgresFault } from "./postgres-fault.ts";
import type { Ownership } from "./writer-session.ts";

/** What the serving thread and the one that has the connections to PostgreSQL tell each other. */

export interface PostgresSettings {
  readonly url: string;
  readonly logId: string;
  readonly limits: StoreLimits;
  readonly ownership: Ownership;
}

/** What the process knows when the thread starts, so that a thread that replaces another knows it as well. */
export interface PostgresThreadData extends PostgresSettings {
  /** Null at the start of the process. */
  readonly acknowledged: AcknowledgedHead | null;
  readonly mark: ControlMark | null;
  /** As of the keeper of marks; null when nothing keeps them. */
  readonly howToForget: string | null;
}

/** The thread's reply to a call of `OpenedPostgres`. */
export interface PostgresDone {
  readonly value: unknown;
  /** Null: the call did what it was to do. */
  readonly fault: PostgresFault | null;
  /** Where the log ends, as far as the thread knows. */
  readonly head: AcknowledgedHead | null;
  /** The newest control change that the thread knows. */
  readonly mark: ControlMark | null;
}
