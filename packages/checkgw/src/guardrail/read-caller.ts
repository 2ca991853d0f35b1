import { isName, NAME_EXPECTATION, nameFault } from "@svc/contract/name";
import type { JsonValue } from "@svc/text/json-value";
import { type CallIdentity, type Identity, resolveIdentity } from "@svc/tool-calls/identity";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import { type GovernanceHeaders, readGovernanceHeaders } from "../governance-headers.ts";
import type { HookContext } from "./guardrail-request.ts";

/** The headers that an operator may set on a hook; the others belong to an auth hook. */
const ALLOWED: readonly (keyof GovernanceHeaders)[] = ["agentId", "namespace", "sessionId"];

const REMEDY = "set SVC_AGENT_ID, or let the operator set X-Svc-Agent-Id on the hook";

/** What the body of a dialect says about the caller. It is the least trusted source. */
export interface BodyClaims {
  /** Null when clients can write it, because only the operator may set an identity that grants something. */
  readonly identity: Identity | null;
  /** Grants nothing, but a client that chooses it chooses which limits count the call. */
  readonly sessionId: JsonValue | undefined;
}

/**
 * Reads the caller from the configuration first, then from the hook's own headers, then from the body. When
 * the operator names the agent, a body cannot add a namespace: the call would then avoid the kill switches
 * and policies of the agent's own namespace.
 */
export function readCaller({ headers, fixed }: HookContext, claims: BodyClaims): Result<CallIdentity> {
  const governance = readGovernanceHeaders(headers);
  if (!governance.ok) return governance;
  const stray = Object.entries(governance.value).some(
    ([field, value]) => value !== null && !ALLOWED.some((allowed) => allowed === field),
  );
  if (stray)
    return malformed(
      "request headers",
      "agent, namespace and session in X-Svc-*",
      "other governance headers",
    );
  const operator = [fixed, governance.value];
  const isNamed = operator.some(({ agentId }) => agentId !== null);
  const hasNamespace = operator.some(({ namespace }) => namespace !== null);
  if (isNamed && !hasNamespace && (claims.identity?.namespace ?? null) !== null)
    return malformed("namespace", "none, because the operator names the agent", "a namespace in the body");
  const named = claims.identity === null ? [governance.value] : [governance.value, claims.identity];
  const identity = resolveIdentity([fixed], named, REMEDY);
  if (!identity.ok) return identity;
  const sessionId = governance.value.sessionId ?? claims.sessionId ?? null;
  if (sessionId !== null && (typeof sessionId !== "string" || !isName(sessionId)))
    return malformed("session id", NAME_EXPECTATION, sessionFault(sessionId));
  return ok({ ...identity.value, sessionId });
}

function sessionFault(sessionId: JsonValue): string {
  return typeof sessionId === "string"
    ? `a text that is not: ${nameFault(sessionId) ?? ""}`
    : "something else";
}
