import type { ControlClient } from "../connection/control-client.ts";
import type { Outcome } from "../frame/exit-code.ts";
import type { Output } from "../frame/output.ts";
import { awaitGateways, type Confirmation } from "./await-gateways.ts";
import { findAuditRow, modeOf } from "./read-policy.ts";
import { countEndedApprovals, type StoredVersion, storeVersion, type VersionDraft } from "./store-version.ts";

/** What a change needs that waits for gateways. */
export interface Rollout {
  readonly client: Pick<ControlClient, "ask" | "askText">;
  readonly output: Pick<Output, "progress" | "isTerminal">;
  readonly waitMs: number;
  /** Ends waiting. */
  readonly signal: AbortSignal;
}

/** A version that is stored, and all that is known of it. */
export interface AppliedVersion extends Confirmation {
  readonly policy_id: string;
  readonly version: number;
  readonly version_before: number | null;
  readonly mode: string;
  readonly enabled: boolean;
  readonly audit_row: string | null;
  readonly audit_row_missing_because: string | null;
  readonly note: string | null;
  /** Open approvals of the version before, which nobody can approve any more. Null: not known. */
  readonly ended_approvals: number | null;
}

/**
 * Stores a version, waits until every gateway decides by it, and finds its audit row.
 * @throws CommandFailure when the version is not stored, or when nobody knows
 */
export async function applyVersion(rollout: Rollout, draft: VersionDraft): Promise<AppliedVersion> {
  const { client, output, waitMs, signal } = rollout;
  const sentMs = performance.now();
  const stored = await storeVersion(client, draft);
  const { id, version, gateways: known } = stored;
  const confirmation = await awaitGateways(client, { id, version, known, sentMs, waitMs, signal }, output);
  const ended_approvals = await countEndedApprovals(client, draft);
  const row = await findAuditRow(client, { id, version, since: stored.created_at });
  return {
    policy_id: id,
    version,
    version_before: draft.base,
    mode: modeOf(stored.document),
    enabled: stored.enabled,
    ...confirmation,
    audit_row: row.id,
    audit_row_missing_because: row.missing_because,
    note: noteOf(stored),
    ended_approvals,
  };
}

/** How a change ends: a version that is not in force everywhere is never a success. */
export function outcomeOf({ confirmed }: AppliedVersion, signal: AbortSignal): Outcome {
  if (confirmed) return "ok";
  return signal.aborted ? "interrupted" : "unreachable";
}

function noteOf({ enabled, assignment }: StoredVersion): string | null {
  if (!enabled) return DISABLED;
  if (assignment === null)
    return "The document names no agent, so the policy governs nothing until it is assigned.";
  return null;
}

export const DISABLED = "The policy is disabled, and denies every call that it governs until it is enabled.";
