import type { DocumentCheck, DocumentText } from "@svc/engine/check-document";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type { AssignmentStore } from "@svc/store/ports/assignment-store";
import type { ControlFeedStore } from "@svc/store/ports/control-feed-store";
import type { KillSwitchStore } from "@svc/store/ports/kill-switch-store";
import type { PolicyStore } from "@svc/store/ports/policy-store";
import type { Ledger } from "@svc/store/ports/ledger";
import type { Propagation } from "./propagation.ts";

/** Judges policy documents. Rejects when judging failed, which says nothing of the document. */
export interface DocumentChecks {
  check(text: DocumentText): Promise<DocumentCheck>;
}

/** Makes an identifier that nobody can guess and that was never made before. */
export type NewId = (prefix: "ks" | "asg") => string;

/** Told of switches that have a time to live; ends them when it is over. */
export interface TtlWatch {
  watch(timed: {
    readonly org: string;
    readonly killSwitchId: string;
    /** `expires_at` of the record: a switch that by then has a later end is not ended. */
    readonly expiresAt: string;
    readonly remainingMs: number;
  }): void;
  /** The switch has ended otherwise. Unknown ids are none of its business. */
  forget(killSwitchId: string): void;
}

/** Everything that operations reach the world through. Each operation names the few it needs. */
export interface ControlPlanePorts {
  /** Wall time is written down for people; deadlines use the monotonic clock. */
  readonly clock: MonotonicClock & WallClock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly newId: NewId;
  readonly documents: DocumentChecks;
  readonly killSwitches: KillSwitchStore;
  readonly policies: PolicyStore;
  readonly assignments: AssignmentStore;
  readonly controlFeed: Pick<ControlFeedStore, "snapshot">;
  /**
   * Appends rows that go with no change of state. The gateway commits to the same ledger: whoever wires this
   * keeps one commit in flight over both.
   */
  readonly ledger: Pick<Ledger, "commit">;
  readonly propagation: Propagation;
  readonly ttl: TtlWatch;
}
