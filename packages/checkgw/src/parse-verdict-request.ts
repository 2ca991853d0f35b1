import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { type Identity, resolveIdentity } from "@svc/tool-calls/identity";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import type { ForwardedBody } from "./forwarded-body.ts";
import { type DistinctHeaders, type GovernanceHeaders, readGovernanceHeaders } from "./governance-headers.ts";
import { type KeyedCall, readKeyedCall } from "./keyed-call.ts";

/**
 * The governance headers that may accompany an execute request in the body; the others would contradict it.
 */
const ALLOWED: readonly (keyof GovernanceHeaders)[] = ["agentId", "namespace", "idempotencyKey"];

const REMEDY = "set SVC_AGENT_ID, or send agent_id in the body";

/** Reads the execute request of a caller that runs the call itself. */
export function parseVerdictRequest(
  headers: DistinctHeaders,
  body: ForwardedBody | null,
  fixed: Identity,
): Result<KeyedCall> {
  const governance = readGovernanceHeaders(headers);
  if (!governance.ok) return governance;
  const stray = Object.entries(governance.value).some(
    ([field, value]) => value !== null && !isAllowed(field),
  );
  if (stray) return malformed("request headers", "the call in the body", "a part of it in X-Svc-* headers");
  if (body === null) return malformed("body", "an execute request", "nothing");
  if (!isJsonObject(body.value)) return malformed("body", "an object", "something else");
  const claims = readClaims(body.value);
  if (!claims.ok) return claims;
  const identity = resolveIdentity([fixed], [governance.value, claims.value], REMEDY);
  if (!identity.ok) return identity;
  const { agentId, namespace } = identity.value;
  const fields = { ...body.value, agent_id: agentId, ...(namespace === null ? {} : { namespace }) };
  return readKeyedCall(fields, governance.value.idempotencyKey);
}

function isAllowed(field: string): boolean {
  return ALLOWED.some((allowed) => allowed === field);
}

function readClaims(body: JsonObject): Result<Identity> {
  const agentId = readClaim(body, "agent_id");
  if (!agentId.ok) return agentId;
  const namespace = readClaim(body, "namespace");
  return namespace.ok ? ok({ agentId: agentId.value, namespace: namespace.value }) : namespace;
}

function readClaim(body: JsonObject, name: "agent_id" | "namespace"): Result<string | null> {
  const value = Object.hasOwn(body, name) ? body[name] : null;
  if (value === undefined || value === null) return ok(null);
  return typeof value === "string" ? ok(value) : malformed(name, "a string", "something else");
}
