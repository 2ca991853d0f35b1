import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { GovernedAgent } from "./governed-agent.ts";
import type { StoredKey } from "./key-store.ts";
import type { SessionSeverity } from "./session-severity.ts";

/** One change of control state. Revisions are contiguous from 1 and commit in order. */
export interface ControlEvent {
  readonly revision: number;
  readonly org: string;
  readonly change: ControlChange;
}

/** An event whose stored text is not a change. Nobody can say what it did, until a snapshot is in. */
export interface UnreadableEvent extends Omit<ControlEvent, "change"> {
  readonly change: { readonly kind: "unreadable" };
}

export type ControlChange =
  | { readonly kind: "kill_switch"; readonly record: KillSwitchRecord }
  | {
      readonly kind: "policy";
      readonly policyId: string;
      readonly version: number;
      readonly enabled: boolean;
      /** The document as it was loaded: what a gateway compiles. */
      readonly source: string;
      /** The same document as JSON. Snapshots carry it, because it is read in a quarter of the time. */
      readonly json?: string;
    }
  | { readonly kind: "assignment"; readonly record: PolicyAssignmentRecord; readonly removed: boolean }
  /** With digests of its secrets, never with a secret. Snapshots leave out keys that were revoked. */
  | { readonly kind: "key"; readonly key: StoredKey }
  | { readonly kind: "agent"; readonly record: GovernedAgent; readonly removed: boolean }
  /** Snapshots leave out sessions at INFO. */
  | { readonly kind: "severity"; readonly record: SessionSeverity };

/**
 * Control state whole, as of one revision: what a gateway starts from. Latest policy
 * versions, active switches, keys that were not revoked.
 */
export interface ControlSnapshot {
  readonly revision: number;
  readonly changes: readonly { readonly org: string; readonly change: ControlChange }[];
}
