import type { LedgerOutcome } from "../ports/ledger.ts";

/** The outcome of an entry that wrote nothing. */
export type NotCommitted = Exclude<LedgerOutcome, { readonly kind: "committed" }>;
