import type { Client } from "pg";
import { type GrantRow, type HeldGrant, heldGrants, type UsedGrant } from "../../claims/grant.ts";
import type { GrantClaim } from "../../ports/claims.ts";

/** Whether no key that approved was revoked since: a revocation takes back what its key approved. */
export const NOT_REVOKED = `NOT EXISTS (
  SELECT 1 FROM jsonb_array_elements_text(g.approvers::jsonb) AS approver (id)
    JOIN keys ON keys.id = approver.id WHERE keys.status = 'revoked')`;

/** Locks the grants in key order, so that two batches cannot wait for each other. */
const LOCK_GRANTS = {
  name: "svc-lock-grants",
  text: `
    SELECT g.org, g.approval_id, g.binding, g.expires_at_ms, g.used_log_id, g.used_seq
      FROM grants AS g JOIN unnest($1::text[], $2::text[]) AS k (org, id)
        ON g.org = k.org AND g.approval_id = k.id
      WHERE ${NOT_REVOKED}
      ORDER BY g.org, g.approval_id
      FOR UPDATE OF g`,
};

const USE_GRANTS = {
  name: "svc-use-grants",
  text: `
    UPDATE grants AS g SET used_log_id = k.log_id, used_seq = k.seq
      FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS k (org, id, log_id, seq)
      WHERE g.org = k.org AND g.approval_id = k.id AND g.used_seq IS NULL`,
};

/** The grants that the claims name, locked. */
export async function lockGrants(
  client: Client,
  claims: readonly GrantClaim[],
): Promise<ReadonlyMap<string, HeldGrant>> {
  if (claims.length === 0) return new Map();
  const values = [claims.map(({ org }) => org), claims.map(({ approvalId }) => approvalId)];
  const { rows } = await client.query<GrantRow>({ ...LOCK_GRANTS, values });
  return heldGrants(rows);
}

/** @throws when a grant is used already, although the judgement said otherwise. */
export async function useGrants(client: Client, used: readonly UsedGrant[]): Promise<void> {
  if (used.length === 0) return;
  const values = [
    used.map(({ claim }) => claim.org),
    used.map(({ claim }) => claim.approvalId),
    used.map(({ position }) => position.logId),
    used.map(({ position }) => position.seq),
  ];
  const { rowCount } = await client.query({ ...USE_GRANTS, values });
  if (rowCount !== used.length) {
    throw new Error(`expected to use ${String(used.length)} grants, used ${String(rowCount)}`);
  }
}
