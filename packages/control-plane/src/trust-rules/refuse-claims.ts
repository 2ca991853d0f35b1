import type { TrustRuleRecord } from "@svc/contract/trust-rule";
import { matchesGlob } from "@svc/engine/glob";
import type { TokenClaims } from "./identity-tokens.ts";

/** Why the rule does not admit the claims of a proved token, for the operator; null when it does. */
export function refuseClaims(
  { subject, claims, environments }: Pick<TrustRuleRecord, "subject" | "claims" | "environments">,
  token: TokenClaims,
): string | null {
  if (!fits(subject, token["sub"])) return "the subject does not fit";
  for (const [name, pattern] of Object.entries(claims ?? {}))
    if (!fits(pattern, ownClaim(token, name))) return `the claim ${name} does not fit`;
  const environment = environmentOf(token);
  if (environments !== null && (environment === null || !environments.includes(environment)))
    return "the claim environment is none of the environments";
  return null;
}

/** The deployment environment of GitHub and GitLab; null: the token names none. */
export function environmentOf(token: TokenClaims): string | null {
  const value = ownClaim(token, "environment");
  return typeof value === "string" && value !== "" ? value : null;
}

function ownClaim(token: TokenClaims, name: string): unknown {
  return Object.hasOwn(token, name) ? token[name] : undefined;
}

/** A list fits when one of its elements does. */
function fits(pattern: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((element) => !Array.isArray(element) && fits(pattern, element));
  if (typeof value === "string") return matchesGlob(pattern, value);
  if (typeof value === "boolean" || typeof value === "number") return matchesGlob(pattern, String(value));
  return false;
}
