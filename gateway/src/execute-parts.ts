import type { LedgerQueue, OnLateCommit } from "@svc/log-writer/ledger-queue";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { ApprovalStore } from "@svc/store/ports/approval-store";
import type { Ledger } from "@svc/store/ports/ledger";
import type { KeyedDigest } from "@svc/text/keyed-digest";
import type { ActivityWindow } from "./activity-window.ts";
import type { RowReader } from "./answer/row-reader.ts";
import type { WithdrawnRow } from "./append/withdrawals.ts";
import type { LiveControl } from "./check/control-checks.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";

/** What decides calls. */
export interface ExecuteParts {
  readonly control: LiveControl;
  readonly queue: Pick<LedgerQueue, "append" | "enqueue" | "isStalled" | "isCommitting" | "countSkippedRow">;
  /** Called for a row that committed after its call had been denied because the row was not durable. */
  readonly onLateRow: OnLateCommit;
  readonly usage: Ledger["usage"];
  /** Keyed by session: two calls of one session must not both be judged by the same usage. */
  readonly sessionMutex: KeyedMutex;
  readonly audit: RowReader;
  /** Only a call that a policy pauses asks for a grant. */
  readonly grant: ApprovalStore["grant"];
  /** Only a call that a policy pauses asks. */
  readonly usableElsewhere: ApprovalStore["usableElsewhere"];
  /** Called for a durable row whose verdict the caller did not get. */
  readonly withdraw: (row: WithdrawnRow) => void;
  readonly activity: ActivityWindow;
  readonly digest: KeyedDigest;
  readonly clock: MonotonicClock & WallClock;
  readonly log: Logger;
  /** Prefix of approval URLs, without a slash at its end. */
  readonly publicUrl: string;
}
