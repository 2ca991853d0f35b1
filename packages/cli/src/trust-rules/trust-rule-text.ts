import type { TrustRuleAnswer } from "@svc/contract/trust-rule";
import type { Member } from "../frame/render-members.ts";

/** Which tokens a rule admits, and what their keys may do. */
export function trustRuleMembers(rule: TrustRuleAnswer): Member[] {
  const { name, issuer, audience, subject, claims, role, agents, namespaces, environments } = rule;
  return [
    ["name", name],
    ["issuer", issuer],
    ["audience", audience],
    ["subject", subject],
    ["claims", claimsText(claims)],
    ["environments", environments?.join(", ") ?? "any or none"],
    ["role", role],
    ["agents", agents?.join(", ") ?? "every agent"],
    ["namespaces", namespaces?.join(", ") ?? "every namespace"],
    ["lifetime", `${String(rule.lifetime_seconds)} s`],
  ];
}

function claimsText(claims: TrustRuleAnswer["claims"]): string {
  const pairs = Object.entries(claims ?? {}).map(([name, pattern]) => `${name}=${pattern}`);
  return pairs.length === 0 ? "no further ones" : pairs.join(", ");
}
