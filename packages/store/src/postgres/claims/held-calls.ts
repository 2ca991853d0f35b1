import type { Client } from "pg";
import {
  claimPerAgent,
  type HeldCallRow,
  type HeldCountRow,
  type LockedHeldCalls,
  lockedHeldCalls,
  type NewHeldCall,
  NO_HELD_CALLS,
} from "../../claims/held-call.ts";
import type { HeldCallClaim } from "../../ports/claims.ts";

/** First number of the locks on the held calls of agents. Arbitrary. */
const AGENT_LOCK = 1_736_190_246;

/**
 * Held until the commit, in the order of the numbers, so that batches of several processes hold no call
 * twice and no more than the limit. Two agents may share a number, and then wait for each other.
 */
const LOCK_AGENTS = {
  name: "svc-lock-held-calls",
  text: `
    SELECT pg_advisory_xact_lock(${String(AGENT_LOCK)}, k.number) FROM (
      SELECT DISTINCT hashtext(org || '/' || agent_id) AS number
        FROM unnest($1::text[], $2::text[]) AS a (org, agent_id) ORDER BY 1
    ) AS k`,
};

/**
 * Read after the lock, so that it sees what others have held. Its rows are locked before the head of the log,
 * as the keeper of held calls does it.
 */
const SELECT_HELD = {
  name: "svc-select-held-calls",
  text: `
    SELECT h.org, h.id, h.call_digest, h.log_id, h.seq, h.expires_at_ms
      FROM held_calls AS h JOIN unnest($1::text[], $2::text[]) AS k (org, call_digest)
        ON h.org = k.org AND h.call_digest = k.call_digest
      WHERE h.is_open = 1
      ORDER BY h.org COLLATE "C", h.id COLLATE "C" FOR UPDATE OF h`,
};

const COUNT_HELD = {
  name: "svc-count-held-calls",
  text: `
    SELECT k.org, k.agent_id, (
        SELECT count(*)::int FROM held_calls AS h
          WHERE h.org = k.org AND h.agent_id = k.agent_id AND h.is_open = 1 AND h.expires_at_ms > k.at_ms
      ) AS count
      FROM unnest($1::text[], $2::text[], $3::bigint[]) AS k (org, agent_id, at_ms)`,
};

/** The keeper of held calls writes the end of a call whose time is over, with its audit row. */
const RELEASE_DIGESTS = {
  name: "svc-release-held-digests",
  text: `
    UPDATE held_calls AS h SET is_open = 0
      FROM unnest($1::text[], $2::text[]) AS k (org, call_digest)
      WHERE h.org = k.org AND h.call_digest = k.call_digest AND h.is_open = 1`,
};

const INSERT_HELD = {
  name: "svc-insert-held-calls",
  text: `
    INSERT INTO held_calls (org, id, call_digest, namespace, agent_id, session_id, tool, requested_by,
        revision, log_id, seq, held_at_ms, expires_at_ms, is_open, status, end_state)
    SELECT o.*, 1, 'held', NULL
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::text[], $9::bigint[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[]) AS o`,
};

/** What the claims are judged by; the held calls of all of their agents are locked. */
export async function lockHeldCalls(
  client: Client,
  claims: readonly HeldCallClaim[],
): Promise<LockedHeldCalls> {
  if (claims.length === 0) return NO_HELD_CALLS;
  const agents = claimPerAgent(claims);
  const orgs = agents.map(({ org }) => org);
  const names = agents.map(({ agentId }) => agentId);
  await client.query({ ...LOCK_AGENTS, values: [orgs, names] });
  const held = await client.query<HeldCallRow>({
    ...SELECT_HELD,
    values: [claims.map(({ org }) => org), claims.map(({ callDigest }) => callDigest)],
  });
  const times = agents.map(({ atMs }) => atMs);
  const counts = await client.query<HeldCountRow>({ ...COUNT_HELD, values: [orgs, names, times] });
  return lockedHeldCalls(held.rows, counts.rows);
}

export async function insertHeldCalls(client: Client, held: readonly NewHeldCall[]): Promise<void> {
  if (held.length === 0) return;
  const calls = held.map(({ claim }) => claim);
  const [orgs, digests] = [calls.map(({ org }) => org), calls.map(({ callDigest }) => callDigest)];
  await client.query({ ...RELEASE_DIGESTS, values: [orgs, digests] });
  const values = [
    orgs,
    calls.map(({ heldCallId }) => heldCallId),
    digests,
    calls.map(({ namespace }) => namespace),
    calls.map(({ agentId }) => agentId),
    calls.map(({ sessionId }) => sessionId),
    calls.map(({ tool }) => tool),
    calls.map(({ requestedBy }) => requestedBy),
    calls.map(({ revision }) => revision),
    held.map(({ position }) => position.logId),
    held.map(({ position }) => position.seq),
    calls.map(({ atMs }) => atMs),
    calls.map(({ expiresAtMs }) => expiresAtMs),
  ];
  await client.query({ ...INSERT_HELD, values });
}
