import type { LedgerOutcome } from "../ports/ledger.ts";

/** Why an entry wrote nothing. */
export type NotCommitted = Exclude<LedgerOutcome, { readonly kind: "committed" }>;
