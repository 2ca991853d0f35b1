import type { ProblemEntry } from "@svc/contract/problem";
import { REGISTERED_CLAIMS, type TrustRuleRecord } from "@svc/contract/trust-rule";
import type { IdentityTokens } from "./identity-tokens.ts";
import { whyOpenToEverybody } from "./trust-rule-warnings.ts";

type Settings = Pick<TrustRuleRecord, "issuer" | "jwks_uri" | "subject" | "claims" | "environments">;

export interface RuleRefusal {
  /** A sentence without its end. */
  readonly reason: string;
  readonly entry: ProblemEntry;
}

/**
 * Why no such rule is made, and why one that is stored admits nobody; null: it may be. Earlier versions, and
 * settings of then, permitted rules that this one refuses.
 */
export async function refuseRule(
  tokens: Pick<IdentityTokens, "refuseAddress">,
  { issuer, jwks_uri, ...settings }: Settings,
): Promise<RuleRefusal | null> {
  const open = whyOpenToEverybody({ issuer, ...settings });
  if (open !== null) {
    const [expected, found] = ["a rule that names whom it admits", JSON.stringify(settings.subject)];
    return {
      reason: `The rule would admit everybody: ${open}`,
      entry: { pointer: "/subject", expected, found },
    };
  }
  const registered = Object.keys(settings.claims ?? {}).find((name) =>
    Object.hasOwn(REGISTERED_CLAIMS, name),
  );
  if (registered !== undefined) {
    const [expected, found] = ["claims that say who asks", JSON.stringify(registered)];
    const reason = `Every token has the claim ${registered}, so it narrows nothing`;
    return { reason, entry: { pointer: "/claims", expected, found } };
  }
  const address = jwks_uri ?? issuer;
  const refused = await tokens.refuseAddress(address);
  if (refused === null) return null;
  return {
    reason: `The keys of the issuer could never be read, so the rule would admit nobody: ${refused}`,
    entry: {
      pointer: jwks_uri === null ? "/issuer" : "/jwks_uri",
      expected: "an address that this server may call",
      found: JSON.stringify(address),
    },
  };
}
