import type { Claims } from "../ports/claims.ts";
import type { LedgerEntry } from "../ports/ledger.ts";

/** Counters are read by `countersOf`. */
type Kind = Exclude<keyof Claims, "counters">;
type ClaimOf<Name extends Kind> = NonNullable<Claims[Name]>;

/** The claims of one kind in a batch, one per text. Their rows must be read before the claims are judged. */
export function claimsOf<Name extends Kind>(
  entries: readonly Pick<LedgerEntry, "claims">[],
  kind: Name,
  textOf: (claim: ClaimOf<Name>) => string,
): readonly ClaimOf<Name>[] {
  const byText = new Map<string, ClaimOf<Name>>();
  for (const { claims } of entries) {
    const claim = claims[kind];
    if (claim !== null) byText.set(textOf(claim), claim);
  }
  return [...byText.values()];
}
