import { type Identity, resolveIdentity } from "@svc/tool-calls/identity";
import { isOverrideBehindHook } from "@svc/tool-calls/override-headers";
import { malformed, type Result } from "@svc/tool-calls/result";
import { readCallArgs } from "./call-args.ts";
import type { ForwardedBody } from "./forwarded-body.ts";
import { readGovernanceHeaders } from "./governance-headers.ts";
import { type KeyedCall, readKeyedCall } from "./keyed-call.ts";
import type { ProxiedRequest } from "./request-facts.ts";

const REMEDY = "set SVC_AGENT_ID, or let the proxy set X-Svc-Agent-Id";

/** Reads the tool call that a proxy describes in headers. */
export function parseCheck(
  request: ProxiedRequest,
  body: ForwardedBody | null,
  fixed: Identity,
): Result<KeyedCall> {
  // A hook that sends the headers of its client also passes them to the backend.
  const override = Object.keys(request.headers).find(isOverrideBehindHook);
  if (override !== undefined)
    return malformed("request headers", "no header that overrides the method or the path", override);
  const governance = readGovernanceHeaders(request.headers);
  if (!governance.ok) return governance;
  const identity = resolveIdentity([fixed], [governance.value], REMEDY);
  if (!identity.ok) return identity;
  const args = readCallArgs(governance.value, request, body);
  if (!args.ok) return args;
  const { tool, sessionId, costUsd, idempotencyKey } = governance.value;
  const { agentId, namespace } = identity.value;
  if (tool === null) return malformed("x-svc-tool", "the name of the tool", "nothing");
  const fields = {
    agent_id: agentId,
    tool,
    args: args.value,
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(namespace === null ? {} : { namespace }),
    ...(costUsd === null ? {} : { cost_usd: costUsd }),
  };
  return readKeyedCall(fields, idempotencyKey);
}
