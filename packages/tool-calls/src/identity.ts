import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import { denied, malformed, ok, type Result } from "./result.ts";

/**
 * The caller as one source names it: settings, headers of the operator, or a body. Null when the source does
 * not name it.
 */
export interface Identity {
  readonly agentId: string | null;
  readonly namespace: string | null;
}

/** An identity with an agent. The namespace may be left to the agent's registration. */
export interface KnownIdentity extends Identity {
  readonly agentId: string;
}

/** The identity for which a call is judged. */
export interface CallIdentity extends KnownIdentity {
  readonly sessionId: string | null;
}

/**
 * Joins what the operator's configuration and the request say, the most trusted first. A later source may
 * repeat or complete an earlier one. A contradiction is refused.
 *
 * A configuration that fixes the agent fixes its namespace too: the default one, unless it names another.
 * Otherwise a caller could leave the kill switches and policies of the agent's namespace.
 */
export function joinIdentities(
  configured: readonly Identity[],
  claimed: readonly Identity[],
): Result<Identity> {
  const fixed = joinInOrder(configured);
  if (!fixed.ok) return fixed;
  const { agentId, namespace } = fixed.value;
  if (agentId === null || namespace !== null) return joinInOrder([fixed.value, ...claimed]);
  const other = claimed.some((source) => contradicts(DEFAULT_NAMESPACE, source.namespace));
  if (other) return malformed("namespace", UNNAMED_NAMESPACE, "another value");
  return joinInOrder([{ agentId, namespace: DEFAULT_NAMESPACE }, ...claimed]);
}

const UNNAMED_NAMESPACE = `${DEFAULT_NAMESPACE}, because the configuration fixes the agent and no namespace`;

function joinInOrder(sources: readonly Identity[]): Result<Identity> {
  let joined: Identity = { agentId: null, namespace: null };
  for (const { agentId, namespace } of sources) {
    if (contradicts(joined.agentId, agentId)) return contradiction("agent id");
    if (contradicts(joined.namespace, namespace)) return contradiction("namespace");
    joined = { agentId: joined.agentId ?? agentId, namespace: joined.namespace ?? namespace };
  }
  return ok(joined);
}

/**
 * Denies a call without an agent.
 * @param remedy what names the agent at this adapter, after "No agent:": `set SVC_AGENT_ID`
 */
export function requireAgent({ agentId, namespace }: Identity, remedy: string): Result<KnownIdentity> {
  return agentId === null ? denied("agent_unknown", `No agent: ${remedy}.`) : ok({ agentId, namespace });
}

/** Joins the sources of an identity, and denies a call without an agent. */
export function resolveIdentity(
  configured: readonly Identity[],
  claimed: readonly Identity[],
  remedy: string,
): Result<KnownIdentity> {
  const joined = joinIdentities(configured, claimed);
  return joined.ok ? requireAgent(joined.value, remedy) : joined;
}

function contradicts(trusted: string | null, claimed: string | null): boolean {
  return trusted !== null && claimed !== null && trusted !== claimed;
}

function contradiction(field: string): ReturnType<typeof malformed> {
  return malformed(field, "the value of a more trusted source", "another value");
}
