import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION, type DecisionRow, type OutcomeRow } from "@svc/contract/audit-row";
import { formatDecisionId } from "@svc/contract/decision-id";
import { faultFields } from "@svc/contract/fault-fields";
import { WITHDRAWN_DIGEST } from "@svc/contract/withdrawn-digest";
import type { LateCommit } from "@svc/log-writer/ledger-queue";
import type { WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Claims, CounterClaim } from "@svc/store/ports/claims";
import type { Ledger, Settlement } from "@svc/store/ports/ledger";
import type { RowPosition } from "@svc/store/ports/row-position";
import { parseJson } from "@svc/text/parse-json";
import type { RequestId } from "../pending-call.ts";

/** A durable row whose verdict was not given: the caller got a deny instead. */
export interface WithdrawnRow {
  readonly org: string;
  readonly principal: string;
  /** Of the call whose verdict was not given; null where only its row is known. */
  readonly requestId: RequestId | null;
  readonly position: RowPosition;
  readonly claims: Claims;
}

export interface WithdrawalsOptions {
  readonly ledger: Ledger;
  readonly clock: WallClock;
  readonly log: Logger;
}

/**
 * Records that decisions were withdrawn, and gives back what they had reserved. The decision's own row
 * stays, because the log only grows. If a withdrawal cannot be written, the session stays charged, which is
 * the safe side.
 */
export class Withdrawals {
  readonly #options: WithdrawalsOptions;
  readonly #running = new Set<Promise<void>>();

  constructor(options: WithdrawalsOptions) {
    this.#options = options;
  }

  withdraw(withdrawn: WithdrawnRow): void {
    const { ledger, clock, log } = this.#options;
    const work = ledger
      .settle(withdrawal(withdrawn, clock.now()))
      .then(() => undefined)
      .catch((error: unknown) =>
        log.error(
          { ...faultFields(error), ...withdrawn.position, request_id: withdrawn.requestId?.text },
          "a withdrawal was not recorded",
        ),
      )
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /**
   * Withdraws a row that became durable after its caller was denied. A row that says deny agrees with the
   * caller's answer and stays.
   */
  withdrawLate({ entry, position }: LateCommit): void {
    const { org, principal, decision } = parseJson(entry.row) as DecisionRow;
    if (decision !== "deny")
      this.withdraw({ org, principal, requestId: null, position, claims: entry.claims });
  }

  async drain(): Promise<void> {
    await Promise.all(this.#running);
  }
}

function withdrawal({ org, principal, position, claims }: WithdrawnRow, time: Date): Settlement {
  const row: OutcomeRow = {
    v: AUDIT_ROW_VERSION,
    kind: "outcome",
    time: time.toISOString(),
    org,
    principal,
    decision_id: formatDecisionId(position),
    status: "not_executed",
    withdrawn: true,
    cost_usd: null,
    overage_usd: null,
    duration_ms: null,
  };
  return {
    org,
    decision: position,
    digest: WITHDRAWN_DIGEST,
    status: row.status,
    charges: claims.counters.map(giveBack),
    row: rowText(row),
    idempotencyKey: claims.idempotency === null ? "kept" : "released_unless_repeated",
    grant: claims.usesGrant === null ? "kept" : "released",
  };
}

function giveBack({ key, steps, costMicroUsd }: CounterClaim): Settlement["charges"][number] {
  return { key, steps: -steps, costMicroUsd: -costMicroUsd };
}
