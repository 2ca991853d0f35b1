import type { DatabaseSync } from "node:sqlite";
import { bindingText } from "../../claims/approval.ts";
import { claimsOf } from "../../claims/claims-of.ts";
import { countersOf } from "../../claims/counters.ts";
import { grantText } from "../../claims/grant.ts";
import { heldCallText } from "../../claims/held-call.ts";
import { keyText } from "../../claims/idempotency.ts";
import type { ClaimState, TakenClaims } from "../../claims/judge-claims.ts";
import type { LedgerEntry } from "../../ports/ledger.ts";
import { SqliteApprovals } from "./approvals.ts";
import { SqliteGrants } from "./grants.ts";
import { SqliteHeldCalls } from "./held-calls.ts";
import { SqliteKeys } from "./keys.ts";
import { SqliteUsages } from "./usages.ts";

/** The claims of a batch in its transaction. A claim that no entry makes costs no statement. */
export class ClaimTables {
  readonly #usages: SqliteUsages;
  readonly #grants: SqliteGrants;
  readonly #approvals: SqliteApprovals;
  readonly #heldCalls: SqliteHeldCalls;
  readonly #keys: SqliteKeys;

  constructor(connection: DatabaseSync) {
    this.#usages = new SqliteUsages(connection);
    this.#grants = new SqliteGrants(connection);
    this.#approvals = new SqliteApprovals(connection);
    this.#heldCalls = new SqliteHeldCalls(connection);
    this.#keys = new SqliteKeys(connection);
  }

  read(entries: readonly Pick<LedgerEntry, "claims">[]): ClaimState {
    return {
      usages: this.#usages.read(countersOf(entries)),
      grants: this.#grants.read(claimsOf(entries, "usesGrant", grantText)),
      approvals: this.#approvals.read(claimsOf(entries, "opensApproval", bindingText)),
      heldCalls: this.#heldCalls.read(claimsOf(entries, "holdsCall", heldCallText)),
      keys: this.#keys.read(claimsOf(entries, "idempotency", keyText)),
    };
  }

  write({ counters, grants, approvals, heldCalls, keys }: TakenClaims): void {
    this.#usages.write(counters.charged.values());
    this.#grants.write(grants.used.values());
    this.#approvals.write(approvals.opened.values());
    this.#heldCalls.write(heldCalls.held.values());
    this.#keys.write(keys.changed.values());
  }
}
