import type { DecisionRow } from "@svc/contract/audit-row";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { KeyedDigest } from "@svc/text/keyed-digest";

/** A decision of the log, with what the store knows about it. */
export interface RecordedDecision {
  readonly decisionId: string;
  readonly row: DecisionRow;
  /** The kill switch that the row names, and every switch that names the call; active or not. */
  readonly switches: readonly KillSwitchRecord[];
  /** Whether the decision was withdrawn after its row was durable. */
  readonly withdrawn: boolean;
  /** Whether a repeat of the call was answered with it; null when no Idempotency-Key of it is remembered. */
  readonly repeated: boolean | null;
  /** Computes the digests of the deployment. */
  readonly digest: KeyedDigest;
}
