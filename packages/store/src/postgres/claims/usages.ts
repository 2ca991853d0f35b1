import type { Client } from "pg";
import { type UsageRow, usagesOf } from "../../claims/counters.ts";
import type { CounterClaim } from "../../ports/claims.ts";
import type { SessionUsage } from "../../ports/session-usage.ts";

/** Creates what is missing and locks it all, in key order, so that two batches cannot wait for each other. */
const LOCK_USAGES = {
  name: "svc-lock-usages",
  text: `
    INSERT INTO session_usage AS u (org, agent_id, session_id, steps, cost_micro_usd)
    SELECT org, agent_id, session_id, 0, 0
      FROM unnest($1::text[], $2::text[], $3::text[]) AS k (org, agent_id, session_id)
      ORDER BY org COLLATE "C", agent_id COLLATE "C", session_id COLLATE "C"
    ON CONFLICT (org, agent_id, session_id) DO UPDATE SET steps = u.steps
    RETURNING org, agent_id, session_id, steps, cost_micro_usd`,
};

/** What the sessions have used, locked. They are written with the rows, in one statement. */
export async function lockUsages(
  client: Client,
  claims: readonly CounterClaim[],
): Promise<ReadonlyMap<string, SessionUsage>> {
  if (claims.length === 0) return new Map();
  const keys = claims.map(({ key }) => key);
  const values = [
    keys.map(({ org }) => org),
    keys.map(({ agentId }) => agentId),
    keys.map(({ sessionId }) => sessionId),
  ];
  const { rows } = await client.query<UsageRow>({ ...LOCK_USAGES, values });
  return usagesOf(rows);
}
