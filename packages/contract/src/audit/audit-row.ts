import type { JsonObject } from "@svc/text/json-value";
import type { ApprovalHoldsFor } from "../approvals/approval-scope.ts";
import type { OutcomeStatus } from "../execute/outcome-status.ts";
import type { Decision, GovernanceMode, ReasonCode, WouldBe } from "../execute/verdict.ts";
import type { KeyIdentity } from "../keys/key-identity.ts";
import type { Role } from "../keys/role.ts";
import type { TriggerSource } from "../kill-switches/kill-switch.ts";
import type { KillSwitchScope } from "../kill-switches/kill-switch-scope.ts";
import type { RegoRecord } from "../policies/rego-record.ts";
import type { RogueDetectionSettings } from "../supervision/rogue-detection.ts";
import type { Severity } from "../supervision/severity.ts";
import type { AgentRow } from "./agent-row.ts";
import type { AlertRow } from "./alert-row.ts";
import type { AnomalyRow } from "./anomaly-row.ts";
import type { ApprovalWorkflowRow } from "./approval-workflow-row.ts";
import type { GuardrailRow } from "./guardrail-row.ts";
import type { HeldCallRow } from "./held-call-row.ts";
import type { IntegrationRow } from "./integration-row.ts";
import type { NotificationChannelRow } from "./notification-channel-row.ts";
import type { TrustRuleRow } from "./trust-rule-row.ts";
import type { WebhookRow } from "./webhook-row.ts";

/** Version of the row layout; a reader must refuse versions it does not know. */
export const AUDIT_ROW_VERSION = 1;

interface AuditRowCommon {
  readonly v: typeof AUDIT_ROW_VERSION;
  /** RFC 3339 UTC with milliseconds. Informational: the order of rows is their sequence number. */
  readonly time: string;
  readonly org: string;
  /** Who asked: the id of the key, or `anonymous` while authentication is off. */
  readonly principal: string;
}

/** One governed call and what was decided. */
export interface DecisionRow extends AuditRowCommon {
  readonly kind: "decision";
  readonly namespace: string;
  readonly agent_id: string;
  readonly session_id: string | null;
  readonly tool: string;
  /** The trace in which the call was made, as its caller named it; absent when it named none. */
  readonly trace_id?: string | undefined;
  /** Arguments as asked for, with what secret detectors found and what the policy redacts masked. */
  readonly args: JsonObject;
  /**
   * `hmac-sha256:` and hex of the canonical JSON of the arguments as asked for, unmasked. The key is the
   * deployment's, so equal arguments have equal digests in one deployment.
   */
  readonly args_digest: string;
  /** The same digest of the canonical JSON of `{agent, args, org, session, tool}`. */
  readonly call_digest: string;
  /** The same digest of the rewritten arguments; null when nothing was rewritten. */
  readonly shaped_args_digest: string | null;
  readonly decision: Decision;
  readonly would_be: WouldBe | null;
  readonly mode: GovernanceMode | null;
  readonly reason: string | null;
  readonly reason_code: ReasonCode | null;
  readonly rule_id: string | null;
  readonly policy_id: string | null;
  readonly policy_version: number | null;
  /** The versions of guardrails that decided with the policy, such as `pci@3`; absent when it names none. */
  readonly guardrails?: readonly string[] | undefined;
  /** The time by which the policy decided; absent when the policy reads no time. */
  readonly evaluated_at?: string | undefined;
  /** Absent when the policy has no module. */
  readonly rego?: RegoRecord | undefined;
  /** The cost that the caller named, decimal USD; absent when it named none. */
  readonly requested_cost?: { readonly trusted: boolean; readonly usd: string } | undefined;
  /** What the session had used, as the evaluation or a ceiling saw it; absent when neither read it. */
  readonly session_usage?: { readonly cost_usd: string; readonly steps: number } | undefined;
  readonly approval_id: string | null;
  readonly kill_switch_id: string | null;
  readonly trigger_source: TriggerSource | null;
  /** What the call costs, decimal USD; reserved from its session when `steps` is 1. */
  readonly cost_usd: string;
  /** Steps that this call reserved: 1 when a session was charged, else 0. */
  readonly steps: number;
  readonly fail_closed: boolean;
  /** Microseconds from receipt to the commit of this row, as known when it was handed over. */
  readonly latency_us: number;
}

export interface KillSwitchRow extends AuditRowCommon {
  readonly kind: "kill_switch";
  readonly action: "activated" | "extended" | "deactivated" | "expired" | "dry_run";
  readonly kill_switch_id: string;
  readonly scope: KillSwitchScope;
  readonly target_id: string | null;
  readonly account_wide: boolean;
  readonly reason: string;
  /** activated_by or deactivated_by as the request named it. */
  readonly actor: string;
  readonly trigger_source: TriggerSource;
  readonly expires_at: string | null;
}

export interface PolicyRow extends AuditRowCommon {
  readonly kind: "policy";
  readonly action:
    | "created"
    | "updated"
    | "rolled_back"
    | "enabled"
    | "disabled"
    | "archived"
    | "labelled"
    | "assigned"
    | "unassigned";
  readonly policy_id: string;
  readonly policy_version: number | null;
  /** `sha256:` and hex of the stored document; null unless the row records a new version. */
  readonly document_digest: string | null;
  readonly mode: GovernanceMode | null;
  readonly rolled_back_to: number | null;
  readonly agent_id: string | null;
  readonly namespace: string | null;
  /** Why, as the caller said, with secrets masked; null when the caller did not say. */
  readonly why: string | null;
  /** The versions of guardrails in the new version, such as `pci@3`; absent when it names none. */
  readonly guardrails?: readonly string[] | undefined;
  /** The labels that were set, and null for each that was removed; null unless the row records labels. */
  readonly labels: JsonObject | null;
}

export interface OutcomeRow extends AuditRowCommon {
  readonly kind: "outcome";
  readonly decision_id: string;
  readonly status: OutcomeStatus;
  /** True: the gateway denied the call after this row was written, so nobody got the decision. */
  readonly withdrawn?: true;
  readonly cost_usd: string | null;
  /** What the real cost exceeded the reservation by, decimal USD; null when it did not. */
  readonly overage_usd: string | null;
  readonly duration_ms: number | null;
}

export interface KeyRow extends AuditRowCommon {
  readonly kind: "key";
  readonly action: "created" | "exchanged" | "signed_in" | "rotated" | "revoked";
  readonly key_id: string;
  /** These five: in rows of every action but the first `created` row of a log that a start wrote. */
  readonly name?: string;
  readonly role?: Role;
  readonly agents?: readonly string[] | null;
  readonly namespaces?: readonly string[] | null;
  readonly expires_at?: string | null;
  /** In rows of keys that an identity provider stands behind. */
  readonly identity?: KeyIdentity;
  /** In `rotated` alone: when the secrets before this rotation end at the latest. */
  readonly overlap_ends_at?: string;
}

export interface NamespaceRow extends AuditRowCommon {
  readonly kind: "namespace";
  readonly action: "created" | "updated" | "removed" | "rogue_detection_changed";
  readonly namespace: string;
  /** As the request gave it; null: the change did not touch it. */
  readonly name: string | null;
  readonly description: string | null;
  /** After the change. Addresses of channels can hold secrets, so their kinds stand in for them. */
  readonly rogue_detection: AuditedRogueDetection | null;
}

/** Detection settings in a row. Channels are named by their kinds alone. */
export interface AuditedRogueDetection {
  readonly heartbeat: RogueDetectionSettings["heartbeat"];
  readonly orphan_detection: RogueDetectionSettings["orphan_detection"];
  /** These three: absent in rows from before these settings. */
  readonly coverage?: RogueDetectionSettings["coverage"];
  readonly risk?: RogueDetectionSettings["risk"];
  readonly behaviour?: RogueDetectionSettings["behaviour"];
  readonly escalation: Omit<RogueDetectionSettings["escalation"], "notify_channels"> & {
    readonly notify_channel_kinds: readonly string[];
  };
}

/** A step of an approval. Its request is the decision row that opened it. */
export interface ApprovalRow extends AuditRowCommon {
  readonly kind: "approval";
  readonly action:
    | "voted"
    | "approved"
    | "denied"
    | "expired"
    | "cancelled"
    | "suspended"
    | "resumed"
    | "revoked";
  readonly approval_id: string;
  /** The decision that opened it. */
  readonly decision_id: string;
  readonly namespace: string;
  readonly agent_id: string;
  readonly session_id: string | null;
  readonly tool: string;
  /** With secrets masked. */
  readonly reason: string;
  /** Approvals after this step, and how many are needed. */
  readonly approvals: number;
  readonly required: number;
  /** Keyed digest of the canonical JSON of the arguments that the approver set; null: those of the call. */
  readonly edited_args_digest: string | null;
  /** What the approval holds for, unless it is one call in its session. */
  readonly holds_for?: ApprovalHoldsFor;
  /** True: who asked for the call approved it, which only a server without authentication permits. */
  readonly by_requester: boolean;
}

/** Rows that retention removed: their number, link and hash are left. */
export interface RetentionRow extends AuditRowCommon {
  readonly kind: "retention";
  readonly action: "removed";
  /** The log of the removed rows. */
  readonly log_id: string;
  /** Their numbers as `<from>-<to>`, separated by commas. */
  readonly ranges: string;
  readonly removed_rows: number;
  /** `sha256:` and hex of the digest over their hashes that the signed statement has. */
  readonly digest: string;
  readonly older_than_days: number;
}

/** A legal hold that was placed or lifted. */
export interface LegalHoldRow extends AuditRowCommon {
  readonly kind: "legal_hold";
  readonly action: "placed" | "lifted";
  readonly legal_hold_id: string;
  readonly reason: string;
  readonly agent_id: string | null;
  readonly session_id: string | null;
  readonly namespace: string | null;
}

/** A transition of a session's severity. */
export interface SeverityRow extends AuditRowCommon {
  readonly kind: "severity";
  readonly agent_id: string;
  readonly session_id: string;
  readonly namespace: string;
  readonly previous_severity: Severity;
  readonly severity: Severity;
  readonly reason: string;
  readonly trigger_source: TriggerSource;
  readonly missed_heartbeats: number;
}

/** One row of the audit log. */
export type AuditRow =
  | DecisionRow
  | KillSwitchRow
  | PolicyRow
  | OutcomeRow
  | KeyRow
  | NamespaceRow
  | ApprovalRow
  | ApprovalWorkflowRow
  | RetentionRow
  | LegalHoldRow
  | GuardrailRow
  | TrustRuleRow
  | AgentRow
  | SeverityRow
  | AnomalyRow
  | AlertRow
  | HeldCallRow
  | WebhookRow
  | NotificationChannelRow
  | IntegrationRow;

/** The compiler holds the list complete. */
const KINDS: Readonly<Record<AuditRow["kind"], true>> = {
  decision: true,
  outcome: true,
  kill_switch: true,
  policy: true,
  namespace: true,
  key: true,
  approval: true,
  approval_workflow: true,
  retention: true,
  legal_hold: true,
  guardrail: true,
  trust_rule: true,
  agent: true,
  severity: true,
  anomaly: true,
  alert: true,
  held_call: true,
  webhook: true,
  notification_channel: true,
  integration: true,
};

export type AuditKind = AuditRow["kind"];

/** The kinds of rows, which lists and streams can be narrowed to. */
export const AUDIT_KINDS = Object.keys(KINDS) as readonly AuditKind[];
