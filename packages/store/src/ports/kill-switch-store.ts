import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { KillSwitchScope } from "@svc/contract/kill-switch-scope";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";
import type { RowPosition } from "./row-position.ts";
import type { SessionName } from "./supervision-store.ts";

/** What a switch that is not account-wide can stop. */
export interface KillSwitchTarget {
  readonly scope: Exclude<KillSwitchScope, "global">;
  readonly id: string;
}

/** How a switch came to be. */
export interface StoredActivation {
  readonly record: KillSwitchRecord;
  /** The revision of control state from which on it is in force. */
  readonly revision: number;
  /** The audit row of the activation; null when an earlier program wrote it. */
  readonly auditRow: RowPosition | null;
}

export interface KillSwitchStore {
  /**
   * `existing`: a switch on the same target is active; nothing was written. All account-wide switches share
   * one target; one of them does not stand in for a narrower switch, which may outlast it. With `demandedBy`,
   * nothing is written unless that session is at EMERGENCY: otherwise the answer is `not_demanded`.
   */
  activateKillSwitch(
    change: AuditedChange & { readonly record: KillSwitchRecord; readonly demandedBy?: SessionName },
  ): Promise<
    | { readonly kind: "activated"; readonly revision: number }
    | { readonly kind: "existing"; readonly record: KillSwitchRecord }
    | { readonly kind: "too_many" | "not_demanded" }
  >;
  /**
   * Gives an active switch a later end, or none with null. `kept`: it ends no sooner already, so nothing was
   * written: no call of this shortens a switch. `not_active`: it has ended or never was.
   */
  extendKillSwitch(
    change: AuditedChange & { readonly id: string; readonly expiresAt: string | null },
  ): Promise<
    | { readonly kind: "extended"; readonly record: KillSwitchRecord; readonly revision: number }
    | { readonly kind: "kept"; readonly record: KillSwitchRecord }
    | { readonly kind: "not_active" }
  >;
  /** With `ifExpiresAt`, only a switch that still ends then is ended; one that was extended is `extended`. */
  endKillSwitch(
    change: AuditedChange & {
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
  /** Appends the audit row of a dry run, and nothing else: no switch, no event. */
  recordDryRun(audited: AuditedChange): Promise<void>;
  /**
   * Notes what was measured after the commit of this record. Not a control change: no event, no audit row.
   */
  recordPropagation(org: string, record: KillSwitchRecord, propagationMs: number): Promise<void>;
  /** Active switches that are account-wide or on one of the targets. */
  activeKillSwitches(org: string, targets: readonly KillSwitchTarget[]): Promise<readonly KillSwitchRecord[]>;
  killSwitch(org: string, id: string): Promise<KillSwitchRecord | null>;
  activation(org: string, id: string): Promise<StoredActivation | null>;
  /** An active account-wide switch first, since it stops everything; then newest first. */
  killSwitches(
    org: string,
    status: "active" | "inactive" | "all",
    page: PageRequest,
  ): Promise<Page<KillSwitchRecord> | "bad_cursor">;
}
