import type { Client } from "pg";
import { type GrantRow, type LockedGrant, lockedGrants, type UsedGrant } from "../../claims/grant.ts";
import type { GrantClaim } from "../../ports/claims.ts";

/** Whether no key that approved was revoked since: a revocation takes back what its key approved. */
export const NOT_REVOKED = `NOT EXISTS (
  SELECT 1 FROM jsonb_array_elements_text(g.approvers::jsonb) AS approver (id)
    JOIN keys ON keys.id = approver.id WHERE keys.status = 'revoked')`;

/** Locks the grants in key order, so that two batches cannot wait for each other. */
const LOCK_GRANTS = {
  name: "svc-lock-grants",
  text: `
    SELECT g.org, g.approval_id, g.binding, g.expires_at_ms, g.used_log_id, g.used_seq, g.max_uses, g.uses
      FROM grants AS g JOIN unnest($1::text[], $2::text[]) AS k (org, id)
        ON g.org = k.org AND g.approval_id = k.id
      WHERE ${NOT_REVOKED}
      ORDER BY g.org, g.approval_id
      FOR UPDATE OF g`,
};

const USE_GRANTS = {
  name: "svc-use-grants",
  text: `
    UPDATE grants AS g SET uses = g.uses + k.uses, used_log_id = k.log_id, used_seq = k.seq,
        used_at_ms = k.at_ms
      FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[])
        AS k (org, id, uses, log_id, seq, at_ms)
      WHERE g.org = k.org AND g.approval_id = k.id AND g.used_seq IS NULL AND g.uses + k.uses <= g.max_uses`,
};

const NOTE_USES = {
  name: "svc-note-grant-uses",
  text: `
    INSERT INTO grant_uses (log_id, seq, org, approval_id)
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[])`,
};

/** The grants that the claims name, locked. */
export async function lockGrants(
  client: Client,
  claims: readonly GrantClaim[],
): Promise<ReadonlyMap<string, LockedGrant>> {
  if (claims.length === 0) return new Map();
  const values = [claims.map(({ org }) => org), claims.map(({ approvalId }) => approvalId)];
  const { rows } = await client.query<GrantRow>({ ...LOCK_GRANTS, values });
  return lockedGrants(rows);
}

/** @throws when a grant is used up already, although the judgement said otherwise. */
export async function useGrants(client: Client, used: readonly UsedGrant[]): Promise<void> {
  if (used.length === 0) return;
  const last = used.map(({ positions, isUsedUp }) => (isUsedUp ? (positions.at(-1) ?? null) : null));
  const values = [
    used.map(({ claim }) => claim.org),
    used.map(({ claim }) => claim.approvalId),
    used.map(({ positions }) => positions.length),
    last.map((position) => position?.logId ?? null),
    last.map((position) => position?.seq ?? null),
    used.map(({ claim }) => claim.atMs),
  ];
  const { rowCount } = await client.query({ ...USE_GRANTS, values });
  if (rowCount !== used.length) {
    throw new Error(`expected to use ${String(used.length)} grants, used ${String(rowCount)}`);
  }
  const shared = used.filter(({ isShared }) => isShared);
  const uses = shared.flatMap(({ claim, positions }) => positions.map((position) => ({ claim, position })));
  if (uses.length === 0) return;
  const noted = [
    uses.map(({ position }) => position.logId),
    uses.map(({ position }) => position.seq),
    uses.map(({ claim }) => claim.org),
    uses.map(({ claim }) => claim.approvalId),
  ];
  await client.query({ ...NOTE_USES, values: noted });
}
