import type { DatabaseSync, StatementSync } from "node:sqlite";
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

/** Held calls, in the transaction of a batch. */
export class SqliteHeldCalls {
  readonly #select: StatementSync;
  readonly #count: StatementSync;
  readonly #release: StatementSync;
  readonly #insert: StatementSync;

  constructor(connection: DatabaseSync) {
    this.#select = connection.prepare(
      `SELECT org, id, call_digest, log_id, seq, expires_at_ms FROM held_calls
        WHERE org = ? AND call_digest = ? AND is_open = 1`,
    );
    this.#count = connection.prepare(
      `SELECT count(*) AS count FROM held_calls
        WHERE org = ? AND agent_id = ? AND is_open = 1 AND expires_at_ms > ?`,
    );
    // The keeper of held calls writes the end of a call whose time is over, with its audit row.
    this.#release = connection.prepare(
      "UPDATE held_calls SET is_open = 0 WHERE org = ? AND call_digest = ? AND is_open = 1",
    );
    this.#insert = connection.prepare(
      `INSERT INTO held_calls (org, id, call_digest, namespace, agent_id, session_id, tool, requested_by,
          revision, log_id, seq, held_at_ms, expires_at_ms, is_open, status, end_state)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 'held', NULL)`,
    );
  }

  read(claims: readonly HeldCallClaim[]): LockedHeldCalls {
    if (claims.length === 0) return NO_HELD_CALLS;
    const rows = claims.flatMap(({ org, callDigest }) => this.#select.all(org, callDigest));
    const counts: HeldCountRow[] = claimPerAgent(claims).map(({ org, agentId, atMs }) => ({
      org,
      agent_id: agentId,
      count: Number(this.#count.get(org, agentId, atMs)?.["count"]),
    }));
    return lockedHeldCalls(rows as unknown as readonly HeldCallRow[], counts);
  }

  write(held: Iterable<NewHeldCall>): void {
    for (const { claim, position } of held) {
      const { org, heldCallId, callDigest, namespace, agentId, sessionId, tool } = claim;
      const { requestedBy, revision, atMs, expiresAtMs } = claim;
      this.#release.run(org, callDigest);
      const call = [org, heldCallId, callDigest, namespace, agentId, sessionId, tool] as const;
      const { logId, seq } = position;
      this.#insert.run(...call, requestedBy, revision, logId, seq, atMs, expiresAtMs);
    }
  }
}
