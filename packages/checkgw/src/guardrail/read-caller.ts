import { IDENTIFIER_EXPECTATION, isIdentifier } from "@svc/contract/identifier";
import type { JsonValue } from "@svc/contract/json-value";
import { type CallIdentity, type Identity, resolveIdentity } from "@svc/tool-calls/identity";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import { type GovernanceHeaders, readGovernanceHeaders } from "../governance-headers.ts";
import type { HookContext } from "./guardrail-request.ts";

/** The headers that an operator may set on a hook; the others belong to an auth hook. */
const ALLOWED: readonly (keyof GovernanceHeaders)[] = ["agentId", "namespace", "sessionId"];

const REMEDY = "set SVC_AGENT_ID, or let the operator set X-Svc-Agent-Id on the hook";

/** What a dialect's body says about the caller, the last to be believed. */
export interface BodyClaims {
  /** Null where clients can write it: an identity that grants something comes from the operator alone. */
  readonly identity: Identity | null;
  /** Grants nothing, but who chooses it chooses which ceilings count. */
  readonly sessionId: JsonValue | undefined;
}

/**
 * Reads who is asked for: the configuration first, then the hook's own headers, then the body. To an agent
 * that the operator named, a body adds nothing: a namespace of its choice would leave the kill switches and
 * policies of the agent's own.
 */
export function readCaller({ headers, fixed }: HookContext, claims: BodyClaims): Result<CallIdentity> {
  const governance = readGovernanceHeaders(headers);
  if (!governance.ok) return governance;
  const stray = Object.entries(governance.value).some(
    ([field, value]) => value !== null && !ALLOWED.some((allowed) => allowed === field),
  );
  if (stray) return malformed("request headers", "agent, namespace and session in X-Svc-*", "others");
  const trusted = [fixed, governance.value];
  const isNamed = trusted.some(({ agentId }) => agentId !== null);
  const hasNamespace = trusted.some(({ namespace }) => namespace !== null);
  if (isNamed && !hasNamespace && (claims.identity?.namespace ?? null) !== null)
    return malformed("namespace", "none, because the operator names the agent", "one in the body");
  const sources = claims.identity === null ? trusted : [...trusted, claims.identity];
  const identity = resolveIdentity(sources, REMEDY);
  if (!identity.ok) return identity;
  const sessionId = governance.value.sessionId ?? claims.sessionId ?? null;
  if (sessionId !== null && (typeof sessionId !== "string" || !isIdentifier(sessionId)))
    return malformed("session id", IDENTIFIER_EXPECTATION, "something else");
  return ok({ ...identity.value, sessionId });
}
