import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";

/** Legal holds. A change locks out removals of rows until it has committed. */
export interface LegalHoldStore {
  placeHold(
    change: AuditedChange & { readonly record: LegalHoldRecord },
  ): Promise<{ readonly kind: "placed" } | { readonly kind: "too_many" }>;
  /** `lifted_before`: the hold was not in force any more. */
  liftHold(
    change: AuditedChange & { readonly id: string; readonly liftedAt: string; readonly liftedBy: string },
  ): Promise<
    | { readonly kind: "lifted" | "lifted_before"; readonly record: LegalHoldRecord }
    | { readonly kind: "not_found" }
  >;
  legalHold(org: string, id: string): Promise<LegalHoldRecord | null>;
  /** Newest first, lifted ones included. */
  legalHolds(org: string, page: PageRequest): Promise<Page<LegalHoldRecord> | "bad_cursor">;
}
