import { type Claims, NO_CLAIMS } from "../ports/claims.ts";

/** Whether a row comes without any claim, of whatever kind. */
export function claimsNothing(claims: Claims): boolean {
  if (claims === NO_CLAIMS) return true;
  return Object.values(claims).every(
    (claim) => claim === null || (Array.isArray(claim) && claim.length === 0),
  );
}
