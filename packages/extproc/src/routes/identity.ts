import { IDENTIFIER_EXPECTATION, isIdentifier } from "@svc/contract/identifier";
import { denied, malformed, ok, type Result } from "@svc/tool-calls/result";
import type { HeaderList } from "../wire/header-list.ts";
import type { HeaderChanges } from "../wire/processing-response.ts";
import type { IdentitySource, IdentitySources } from "./route-table.ts";

/** What the configuration fixes for the whole process; null members are left to the sources. */
export interface FixedIdentity {
  readonly agentId: string | null;
  readonly namespace: string | null;
}

/** Where a stream's sources find their values. */
export interface IdentityFacts {
  readonly metadata: ReadonlyMap<string, readonly string[]>;
  readonly attributes: ReadonlyMap<string, string>;
  readonly headers: HeaderList;
}

export interface CallIdentity {
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly namespace: string | null;
}

/**
 * Tells the backend who was judged, wherever that was read, and nobody else: what a client or a proxy wrote
 * there is gone.
 */
export function identityChanges({ agentId, sessionId, namespace }: CallIdentity): HeaderChanges {
  const headers = [
    ["x-svc-agent-id", agentId],
    ["x-svc-session-id", sessionId],
    ["x-svc-namespace", namespace],
  ] as const;
  return {
    set: headers.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
    remove: headers.flatMap(([name, value]) => (value === null ? [name] : [])),
  };
}

/**
 * Reads who calls. A value that is repeated, or that contradicts what is fixed, is refused; nobody is denied.
 */
export function resolveIdentity(
  sources: IdentitySources,
  facts: IdentityFacts,
  fixed: FixedIdentity,
): Result<CallIdentity> {
  const agent = join("agent id", fixed.agentId, firstOf(sources.agent, facts));
  if (!agent.ok) return agent;
  const namespace = join("namespace", fixed.namespace, firstOf(sources.namespace, facts));
  if (!namespace.ok) return namespace;
  const session = firstOf(sources.session, facts);
  if (!session.ok) return session;
  if (agent.value === null) {
    return denied("agent_unknown", "No agent: set SVC_AGENT_ID, or let the proxy say which agent calls.");
  }
  return ok({ agentId: agent.value, sessionId: session.value, namespace: namespace.value });
}

/** Where a route reads a value from, for the reasons of denies. */
export function describeSources(sources: readonly IdentitySource[]): string {
  const places = sources.flatMap((source) =>
    source.kind === "fixed" ? [] : [`the ${source.kind} ${source.name}`],
  );
  return places.length === 0
    ? "this route names no place for it, so name one in the route table"
    : places.join(" or ");
}

function join(field: string, fixed: string | null, claimed: Result<string | null>): Result<string | null> {
  if (!claimed.ok) return claimed;
  if (fixed !== null && claimed.value !== null && fixed !== claimed.value) {
    return malformed(field, "the fixed one", "another");
  }
  return ok(fixed ?? claimed.value);
}

function firstOf(sources: readonly IdentitySource[], facts: IdentityFacts): Result<string | null> {
  for (const source of sources) {
    const values = valuesOf(source, facts);
    const [value] = values;
    if (values.length > 1) return malformed(source.kind, "one identity", String(values.length));
    if (value === undefined) continue;
    return isIdentifier(value)
      ? ok(value)
      : malformed(source.kind, `an identity of ${IDENTIFIER_EXPECTATION}`, "something else");
  }
  return ok(null);
}

function valuesOf(
  source: IdentitySource,
  { metadata, attributes, headers }: IdentityFacts,
): readonly string[] {
  switch (source.kind) {
    case "metadata":
      return metadata.get(source.name) ?? [];
    case "attribute": {
      const value = attributes.get(source.name);
      return value === undefined ? [] : [value];
    }
    case "header":
      return headers.get(source.name) ?? [];
    case "fixed":
      return [source.value];
  }
}
