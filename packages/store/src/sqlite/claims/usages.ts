import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type ChargedSession, type UsageRow, usagesOf } from "../../claims/counters.ts";
import type { CounterClaim } from "../../ports/claims.ts";
import type { SessionUsage } from "../../ports/session-usage.ts";

/** What sessions have used, in the transaction of a batch. */
export class SqliteUsages {
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;

  constructor(connection: DatabaseSync) {
    this.#select = connection.prepare(
      `SELECT org, agent_id, session_id, steps, cost_micro_usd FROM session_usage
        WHERE org = ? AND agent_id = ? AND session_id = ?`,
    );
    this.#upsert = connection.prepare(
      `INSERT INTO session_usage (org, agent_id, session_id, steps, cost_micro_usd) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (org, agent_id, session_id)
        DO UPDATE SET steps = excluded.steps, cost_micro_usd = excluded.cost_micro_usd`,
    );
  }

  read(claims: readonly CounterClaim[]): ReadonlyMap<string, SessionUsage> {
    const rows = claims.flatMap(({ key: { org, agentId, sessionId } }) =>
      this.#select.all(org, agentId, sessionId),
    );
    return usagesOf(rows as unknown as readonly UsageRow[]);
  }

  write(charged: Iterable<ChargedSession>): void {
    for (const { key, usage } of charged) {
      this.#upsert.run(key.org, key.agentId, key.sessionId, usage.steps, usage.costMicroUsd);
    }
  }
}
