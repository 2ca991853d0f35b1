import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { PolicyAssignmentRecord, PolicyMediaType, PolicyRecord } from "@svc/contract/policy-record";

/** A page of a list. `next` continues it; null at its end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export interface PageRequest {
  readonly limit: number;
  /** `next` of the page before; null for the first. A text that no page gave out yields `bad_cursor`. */
  readonly after: string | null;
}

/** A policy version with the text it came from. `source` is what gateways compile. */
export interface StoredPolicy {
  readonly record: PolicyRecord;
  readonly source: string;
  readonly mediaType: PolicyMediaType;
}

/** One change of control state. Revisions are contiguous from 1 and commit in order. */
export interface ControlEvent {
  readonly revision: number;
  readonly org: string;
  readonly change: ControlChange;
}

export type ControlChange =
  | { readonly kind: "kill_switch"; readonly record: KillSwitchRecord }
  | {
      readonly kind: "policy";
      readonly policyId: string;
      readonly version: number;
      readonly enabled: boolean;
      readonly source: string;
    }
  | { readonly kind: "assignment"; readonly record: PolicyAssignmentRecord; readonly removed: boolean };

/**
 * Control state whole, as of one revision: what a gateway starts from. Latest policy versions, active
 * switches.
 */
export interface ControlSnapshot {
  readonly revision: number;
  readonly changes: readonly { readonly org: string; readonly change: ControlChange }[];
}

/** Every mutation below is one transaction: entity, control event(s) and audit row, all or none. */
interface Change {
  readonly org: string;
  /** Canonical JSON text of the audit row, appended to this writer's log when the change takes place. */
  readonly auditRow: string;
}

export interface KillSwitchStore {
  /**
   * `existing`: a switch on the same target is active; nothing was written. All account-wide switches share
   * one target; one of them does not stand in for a narrower switch, which may outlast it.
   */
  activateKillSwitch(
    change: Change & { readonly record: KillSwitchRecord },
  ): Promise<
    | { readonly kind: "activated"; readonly revision: number }
    | { readonly kind: "existing"; readonly record: KillSwitchRecord }
    | { readonly kind: "too_many" }
  >;
  /**
   * Gives an active switch a later end, or none with null. `kept`: it ends no sooner already, so nothing was
   * written: no call of this shortens a switch. `not_active`: it has ended or never was.
   */
  extendKillSwitch(
    change: Change & { readonly id: string; readonly expiresAt: string | null },
  ): Promise<
    | { readonly kind: "extended"; readonly record: KillSwitchRecord; readonly revision: number }
    | { readonly kind: "kept"; readonly record: KillSwitchRecord }
    | { readonly kind: "not_active" }
  >;
  /** With `ifExpiresAt`, only a switch that still ends then is ended; one that was extended is `extended`. */
  endKillSwitch(
    change: Change & {
      readonly id: string;
      readonly ifExpiresAt?: string;
      readonly endedAt: string;
      readonly endedBy: string;
      readonly reason: string | null;
    },
  ): Promise<
    | { readonly kind: "ended"; readonly record: KillSwitchRecord; readonly revision: number }
    | { readonly kind: "already_inactive"; readonly record: KillSwitchRecord }
    | { readonly kind: "extended"; readonly record: KillSwitchRecord }
    | { readonly kind: "not_found" }
  >;
  /** Notes what was measured after the commit. Not a control change: no event, no audit row. */
  recordPropagation(org: string, id: string, propagationMs: number): Promise<void>;
  killSwitch(org: string, id: string): Promise<KillSwitchRecord | null>;
  /** An active account-wide switch first, since it stops everything; then newest first. */
  killSwitches(
    org: string,
    status: "active" | "inactive" | "all",
    page: PageRequest,
  ): Promise<Page<KillSwitchRecord> | "bad_cursor">;
}

/** A binding to write, with the audit row of its own. */
export interface NewBinding {
  readonly record: PolicyAssignmentRecord;
  readonly auditRow: string;
}

export interface PolicyStore {
  /** Writes version 1 and, when `binding` is given, that with an audit row of its own, in one transaction. */
  createPolicy(
    change: Change & { readonly policy: StoredPolicy; readonly binding: NewBinding | null },
  ): Promise<
    | { readonly kind: "created"; readonly revision: number }
    | { readonly kind: "id_taken" }
    | { readonly kind: "already_bound"; readonly existing: PolicyAssignmentRecord }
    | { readonly kind: "too_many" }
  >;
  /**
   * Appends a version; `policy.record.version` must be the latest plus one, else `version_moved`.
   * No binding changes. `boundAgent`: an agent that must be bound to this policy already, else `not_bound`
   * with what that agent is bound to; null: no agent is asked about.
   */
  appendPolicyVersion(
    change: Change & {
      readonly policy: StoredPolicy;
      readonly boundAgent: string | null;
    },
  ): Promise<
    | { readonly kind: "appended"; readonly revision: number }
    | { readonly kind: "not_found" }
    | { readonly kind: "version_moved"; readonly latest: number }
    | { readonly kind: "not_bound"; readonly existing: PolicyAssignmentRecord | null }
  >;
  latestPolicy(org: string, id: string): Promise<StoredPolicy | null>;
  policyVersion(org: string, id: string, version: number): Promise<StoredPolicy | null>;
  /** Latest version of each policy, by id. */
  policies(org: string, page: PageRequest): Promise<Page<StoredPolicy> | "bad_cursor">;
  /** All versions of one policy, newest first. */
  policyVersions(org: string, id: string, page: PageRequest): Promise<Page<StoredPolicy> | "bad_cursor">;
}

export interface AssignmentStore {
  assignPolicy(change: Change & { readonly record: PolicyAssignmentRecord }): Promise<
    | { readonly kind: "assigned"; readonly revision: number }
    | { readonly kind: "policy_not_found" }
    /** Same policy, same target: nothing was written. */
    | { readonly kind: "existing"; readonly record: PolicyAssignmentRecord }
    | { readonly kind: "already_bound"; readonly existing: PolicyAssignmentRecord }
  >;
  unassignPolicy(
    change: Change & { readonly id: string },
  ): Promise<
    | { readonly kind: "unassigned"; readonly record: PolicyAssignmentRecord; readonly revision: number }
    | { readonly kind: "not_found" }
  >;
  assignment(org: string, id: string): Promise<PolicyAssignmentRecord | null>;
  assignments(org: string, page: PageRequest): Promise<Page<PolicyAssignmentRecord> | "bad_cursor">;
}

/** The feed from which gateways follow control state. */
export interface ControlFeedStore {
  snapshot(): Promise<ControlSnapshot>;
  /** At most `limit` events with revision > `revision`, ascending. */
  eventsAfter(revision: number, limit: number): Promise<readonly ControlEvent[]>;
}
