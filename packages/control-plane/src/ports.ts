import type { DocumentCheck, DocumentText } from "@svc/engine/check-document";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type { AssignmentStore } from "@svc/store/ports/assignment-store";
import type { KillSwitchStore } from "@svc/store/ports/kill-switch-store";
import type { PolicyStore } from "@svc/store/ports/policy-store";
import type { Propagation } from "./propagation.ts";

/** Judges policy documents. Rejects when judging failed, which says nothing of the document. */
export interface DocumentChecks {
  check(text: DocumentText): Promise<DocumentCheck>;
}

/** Makes an identifier that nobody can guess and that was never made before. */
export type NewId = (prefix: "ks" | "asg") => string;

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
  readonly propagation: Propagation;
}
