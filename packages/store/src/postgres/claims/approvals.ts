import type { Client } from "pg";
import {
  type ApprovalRow,
  type HeldApproval,
  heldApprovals,
  type OpenedApproval,
} from "../../claims/approval.ts";
import type { ApprovalClaim } from "../../ports/claims.ts";

/** Position of a placeholder: it holds a call while a batch decides whether to open an approval for it. */
const PLACEHOLDER_SEQ = -1;

/**
 * Makes a placeholder for each call without an open approval and locks what is there, in key order, so that
 * two batches cannot wait for each other.
 */
const LOCK_APPROVALS = {
  name: "svc-lock-approvals",
  text: `
    INSERT INTO approvals AS a (org, id, call_digest, agent_id, session_id, tool, log_id, seq,
        created_at_ms, expires_at_ms, status)
    SELECT org, id, call_digest, '', NULL, '', '', ${String(PLACEHOLDER_SEQ)}, 0, 0, 'pending'
      FROM unnest($1::text[], $2::text[], $3::text[]) AS k (org, id, call_digest)
      ORDER BY org COLLATE "C", call_digest COLLATE "C"
    ON CONFLICT (org, call_digest) WHERE status IN ('pending', 'suspended') DO UPDATE SET status = a.status
    RETURNING org, id, call_digest, log_id, seq, expires_at_ms`,
};

/** Ends expired approvals, which would block new ones. */
const EXPIRE_APPROVALS = {
  name: "svc-expire-approvals",
  text: `
    UPDATE approvals AS a SET status = 'expired'
      FROM unnest($1::text[], $2::text[]) AS k (org, call_digest)
      WHERE a.org = k.org AND a.call_digest = k.call_digest
        AND a.status IN ('pending', 'suspended') AND a.seq <> ${String(PLACEHOLDER_SEQ)}`,
};

const REMOVE_PLACEHOLDERS = {
  name: "svc-remove-approval-placeholders",
  text: `
    DELETE FROM approvals AS a USING unnest($1::text[], $2::text[]) AS k (org, call_digest)
      WHERE a.org = k.org AND a.call_digest = k.call_digest
        AND a.status = 'pending' AND a.seq = ${String(PLACEHOLDER_SEQ)}`,
};

const INSERT_APPROVALS = {
  name: "svc-insert-approvals",
  text: `
    INSERT INTO approvals (org, id, call_digest, agent_id, session_id, tool, log_id, seq,
        created_at_ms, expires_at_ms, status)
    SELECT o.*, 'pending'
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::bigint[], $9::bigint[], $10::bigint[]) AS o`,
};

/** The open approvals of the calls that the claims name; all of these calls are locked. */
export async function lockApprovals(
  client: Client,
  claims: readonly ApprovalClaim[],
): Promise<ReadonlyMap<string, HeldApproval>> {
  if (claims.length === 0) return new Map();
  const values = [
    claims.map(({ org }) => org),
    claims.map(({ approvalId }) => approvalId),
    claims.map(({ callDigest }) => callDigest),
  ];
  const { rows } = await client.query<ApprovalRow>({ ...LOCK_APPROVALS, values });
  return heldApprovals(rows.filter(({ seq }) => seq !== PLACEHOLDER_SEQ));
}

/** @param claims all that were locked: placeholders of those that were not opened are removed. */
export async function openApprovals(
  client: Client,
  claims: readonly ApprovalClaim[],
  opened: readonly OpenedApproval[],
): Promise<void> {
  if (claims.length === 0) return;
  await client.query({ ...REMOVE_PLACEHOLDERS, values: callsOf(claims) });
  if (opened.length === 0) return;
  const calls = opened.map(({ claim }) => claim);
  await client.query({ ...EXPIRE_APPROVALS, values: callsOf(calls) });
  const values = [
    calls.map(({ org }) => org),
    calls.map(({ approvalId }) => approvalId),
    calls.map(({ callDigest }) => callDigest),
    calls.map(({ agentId }) => agentId),
    calls.map(({ sessionId }) => sessionId),
    calls.map(({ tool }) => tool),
    opened.map(({ position }) => position.logId),
    opened.map(({ position }) => position.seq),
    calls.map(({ atMs }) => atMs),
    calls.map(({ expiresAtMs }) => expiresAtMs),
  ];
  await client.query({ ...INSERT_APPROVALS, values });
}

function callsOf(claims: readonly ApprovalClaim[]): unknown[] {
  return [claims.map(({ org }) => org), claims.map(({ callDigest }) => callDigest)];
}
