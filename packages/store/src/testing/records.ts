import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { ReplayRecord } from "@svc/contract/replay";
import type { StoredAgent } from "../ports/agent-store.ts";
import type { ApprovalChange } from "../ports/approval-store.ts";
import {
  type ApprovalClaim,
  type Claims,
  type CounterClaim,
  type GrantClaim,
  type HeldCallClaim,
  type IdempotencyClaim,
  NO_CLAIMS,
} from "../ports/claims.ts";
import type { StoredKey } from "../ports/key-store.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import type { StoredVersion } from "../ports/policy-store.ts";
import type { SessionKey } from "../ports/session-usage.ts";

/** Valid records for tests; a case names only what it is about. */

const TIME = "2026-01-02T03:04:05.678Z";

export function killSwitch(id: string, changes: Partial<KillSwitchRecord> = {}): KillSwitchRecord {
  return {
    kill_switch_id: id,
    scope: "agent",
    target_id: "agent-1",
    account_wide: false,
    auto_recovery: false,
    status: "active",
    reason: "test",
    activated_by: "operator",
    trigger_source: "api",
    activated_at: TIME,
    expires_at: null,
    ended_at: null,
    ended_by: null,
    end_reason: null,
    propagation_ms: null,
    ...changes,
  };
}

export function legalHold(id: string, changes: Partial<LegalHoldRecord> = {}): LegalHoldRecord {
  return {
    id,
    reason: "case",
    agent_id: null,
    session_id: null,
    namespace: null,
    created_at: "2026-01-01T00:00:00.000Z",
    created_by: "key_1",
    lifted_at: null,
    lifted_by: null,
    ...changes,
  };
}

export function policy(id: string, version: number): StoredVersion {
  return {
    record: {
      id,
      version,
      name: null,
      document: { id, note: `version ${String(version)} \u00e9\u{1f512}` },
      created_at: TIME,
      created_by: "author",
      rolled_back_to: null,
      why: null,
    },
    source: `id: ${id}\nnote: version ${String(version)} \u00e9\u{1f512}\n`,
    mediaType: "application/yaml",
  };
}

export function assignment(
  id: string,
  policyId: string,
  target: { readonly agent: string } | { readonly namespace: string },
): PolicyAssignmentRecord {
  return {
    id,
    policy_id: policyId,
    agent_id: "agent" in target ? target.agent : null,
    namespace_id: "namespace" in target ? target.namespace : null,
    created_at: TIME,
    created_by: "author",
  };
}

/** A managed key of role agent with one secret. */
export function apiKey(id: string, changes: Partial<StoredKey> = {}): StoredKey {
  return {
    id,
    org: "org",
    name: "a key",
    role: "agent",
    agents: null,
    namespaces: null,
    origin: "managed",
    created_at: TIME,
    created_by: "creator",
    expires_at: null,
    revoked_at: null,
    revoked_by: null,
    secrets: [{ digest: "00".repeat(32), created_at: TIME, expires_at: null }],
    ...changes,
  };
}

export function counters(key: SessionKey, changes: Partial<CounterClaim> = {}): Claims["counters"] {
  const claim = {
    key,
    steps: 1,
    costMicroUsd: 0,
    maxSteps: null,
    maxCostMicroUsd: null,
    observed: null,
    ...changes,
  };
  return [claim];
}

export function entry(row: string, claims: Partial<Claims> = {}): LedgerEntry {
  return { row, claims: { ...NO_CLAIMS, ...claims } };
}

/** Unix milliseconds at which the claims below are made. */
export const NOW_MS = 1_000_000;

export function approvalClaim(org: string, changes: Partial<ApprovalClaim> = {}): ApprovalClaim {
  return {
    org,
    approvalId: "apr_1",
    binding: "call-1",
    holdsFor: { scope: "session", covers: [] },
    anywhere: "call-1-anywhere",
    namespace: "default",
    agentId: "agent-1",
    sessionId: "session-1",
    tool: "payments.refund",
    policyId: "payments",
    policyVersion: 3,
    ruleId: "large-refunds",
    workflowId: null,
    requestedBy: "key-1",
    atMs: NOW_MS,
    expiresAtMs: NOW_MS + 1_000,
    maxOpen: { organization: 10, agent: 10, key: 10 },
    ...changes,
  };
}

const REPLAY_TIME = "2026-01-02T03:04:05.678Z";

export function replayRecord(id: string, changes: Partial<ReplayRecord> = {}): ReplayRecord {
  return {
    id,
    policy_id: "p",
    candidate: { version: 1, document_digest: "sha256:x", mode: "enforcement" },
    since: REPLAY_TIME,
    until: REPLAY_TIME,
    agents: null,
    status: "running",
    reason: null,
    progress: { rows_read: 0, rows_total: 9 },
    created_at: REPLAY_TIME,
    created_by: "key",
    ended_at: null,
    result: null,
    ...changes,
  };
}

/** Approves `apr_1`, so that its call has a grant. */
export function approvalChange(org: string, changes: Partial<ApprovalChange> = {}): ApprovalChange {
  return {
    org,
    id: "apr_1",
    version: 1,
    status: "approved",
    state: {
      workflow: null,
      votes: [],
      proposal: null,
      end: null,
      holdsFor: { scope: "session", covers: [] },
      revoked: null,
    },
    grant: { expiresAtMs: NOW_MS + 1, approvers: ["key-2"], edit: null, maxUses: 1 },
    atMs: NOW_MS,
    auditRow: '{"approved":true}',
    ...changes,
  };
}

export function grantClaim(org: string, changes: Partial<GrantClaim> = {}): GrantClaim {
  return { org, approvalId: "apr_1", binding: "call-1", atMs: NOW_MS, ...changes };
}

export function keyClaim(org: string, changes: Partial<IdempotencyClaim> = {}): IdempotencyClaim {
  return {
    org,
    keyDigest: "key-1",
    requestDigest: "request-1",
    replaces: null,
    atMs: NOW_MS,
    expiresAtMs: NOW_MS + 1_000,
    ...changes,
  };
}

export function heldCallClaim(org: string, changes: Partial<HeldCallClaim> = {}): HeldCallClaim {
  return {
    org,
    heldCallId: "hld_1",
    callDigest: "call-1",
    namespace: "default",
    agentId: "agent-1",
    sessionId: "session-1",
    tool: "payments.refund",
    requestedBy: "key-1",
    revision: 7,
    atMs: NOW_MS,
    expiresAtMs: NOW_MS + 1_000,
    maxHeld: 10,
    ...changes,
  };
}

export function storedAgent(id: string, known: Partial<StoredAgent> = {}): StoredAgent {
  return {
    id,
    name: `Name of ${id}`,
    namespace: "payments",
    provider: null,
    tags: [],
    capabilities: [],
    parent_agent_id: null,
    quarantine: null,
    registered_at: "2026-01-02T03:04:05.678Z",
    created_by: "author",
    version: 1,
    ...known,
  };
}
