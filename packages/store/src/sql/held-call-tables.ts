import type { HeldCallStatus } from "@svc/contract/held-call";
import type { Wording } from "./wording.ts";

/**
 * `log_id` and `seq`: the row that held the call. `is_open`: 1 while a repeat of the call finds it.
 * `end_state` is JSON; null while the status is `held`.
 */
export interface HeldCallsTable {
  org: string;
  id: string;
  call_digest: string;
  namespace: string;
  agent_id: string;
  session_id: string | null;
  tool: string;
  requested_by: string;
  revision: number;
  log_id: string;
  seq: number;
  held_at_ms: number;
  expires_at_ms: number;
  is_open: number;
  status: HeldCallStatus;
  end_state: string | null;
}

/**
 * `log_id` and `seq`: the row that held the call. `revision`: the control state that its agent was suspended
 * in. `is_open`: 1 while a repeat of the call finds it. `status`: `held` with an `is_open` of 0 has ended by
 * time, and its audit row is to be written. `end_state` is JSON.
 */
export function heldCallTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE held_calls (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      call_digest ${text} NOT NULL,
      namespace ${text} NOT NULL,
      agent_id ${text} NOT NULL,
      session_id ${text},
      tool ${text} NOT NULL,
      requested_by ${text} NOT NULL,
      revision ${integer} NOT NULL,
      log_id ${text} NOT NULL,
      seq ${integer} NOT NULL,
      held_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      is_open ${integer} NOT NULL CHECK (is_open IN (0, 1)),
      status ${text} NOT NULL CHECK (status IN ('held', 'released', 'revoked', 'expired')),
      end_state ${text},
      PRIMARY KEY (org, id),
      CHECK ((status = 'held') = (end_state IS NULL))
    )`,
    "CREATE UNIQUE INDEX held_calls_open ON held_calls (org, call_digest) WHERE is_open = 1",
    `CREATE INDEX held_calls_open_of_agent ON held_calls (org, agent_id, expires_at_ms) WHERE is_open = 1`,
    `CREATE INDEX held_calls_unresolved ON held_calls (held_at_ms, org, id) WHERE status = 'held'`,
    "CREATE INDEX held_calls_newest ON held_calls (org, held_at_ms, id)",
    "CREATE INDEX held_calls_of_agent ON held_calls (org, agent_id, held_at_ms, id)",
  ];
}
