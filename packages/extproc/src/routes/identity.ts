import { isName, NAME_EXPECTATION, nameFault } from "@svc/contract/name";
import { type CallIdentity, type Identity, resolveIdentity } from "@svc/tool-calls/identity";
import { headerOfName, nameInHeader } from "@svc/tool-calls/name-in-header";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import type { HeaderList } from "../wire/header-list.ts";
import type { HeaderChanges } from "../wire/processing-response.ts";
import type { IdentitySource, IdentitySources } from "./route-table.ts";

/** Where a stream's sources find their values. */
export interface IdentityFacts {
  readonly metadata: ReadonlyMap<string, readonly string[]>;
  readonly attributes: ReadonlyMap<string, string>;
  readonly headers: HeaderList;
}

/**
 * The header changes that name the judged caller to the backend, whatever its source. They replace the values
 * that a client or a proxy wrote.
 */
export function identityChanges({ agentId, sessionId, namespace }: CallIdentity): HeaderChanges {
  const headers = [
    ["x-svc-agent-id", agentId],
    ["x-svc-session-id", sessionId],
    ["x-svc-namespace", namespace],
  ] as const;
  return {
    set: headers.flatMap(([name, value]) => (value === null ? [] : [[name, headerOfName(value)] as const])),
    remove: headers.flatMap(([name, value]) => (value === null ? [name] : [])),
  };
}

/**
 * Reads who calls from the sources of a route.
 * @param fixed the identity that the configuration fixes for the whole process
 */
export function readIdentity(
  sources: IdentitySources,
  facts: IdentityFacts,
  fixed: Identity,
): Result<CallIdentity> {
  const agent = firstOf(sources.agent, facts);
  if (!agent.ok) return agent;
  const namespace = firstOf(sources.namespace, facts);
  if (!namespace.ok) return namespace;
  const session = firstOf(sources.session, facts);
  if (!session.ok) return session;
  const said = (isConfigured: boolean): Identity => ({
    agentId: agent.value?.isConfigured === isConfigured ? agent.value.text : null,
    namespace: namespace.value?.isConfigured === isConfigured ? namespace.value.text : null,
  });
  const identity = resolveIdentity([fixed, said(true)], [said(false)], REMEDY);
  return identity.ok ? ok({ ...identity.value, sessionId: session.value?.text ?? null }) : identity;
}

const REMEDY = "set SVC_AGENT_ID, or let the proxy say which agent calls";

/** Where a route reads a value from, for the reasons of denies. */
export function describeSources(sources: readonly IdentitySource[]): string {
  const places = sources.flatMap((source) =>
    source.kind === "fixed" ? [] : [`the ${source.kind} ${source.name}`],
  );
  return places.length === 0
    ? "this route names no place for it, so name one in the route table"
    : places.join(" or ");
}

interface FoundName {
  readonly text: string;
  /** Whether the route table fixes it, rather than the request naming it. */
  readonly isConfigured: boolean;
}

function firstOf(sources: readonly IdentitySource[], facts: IdentityFacts): Result<FoundName | null> {
  for (const source of sources) {
    const values = valuesOf(source, facts);
    const [value] = values;
    if (values.length > 1) return malformed(source.kind, "one identity", String(values.length));
    if (value === undefined) continue;
    const name = nameIn(source, value);
    return name.ok ? ok({ text: name.value, isConfigured: source.kind === "fixed" }) : name;
  }
  return ok(null);
}

/** The proxy sends metadata and headers percent-encoded. It has attributes, and this table, as they are. */
function nameIn({ kind }: IdentitySource, value: string): Result<string> {
  if (kind === "metadata" || kind === "header") return nameInHeader(kind, value);
  if (isName(value)) return ok(value);
  return malformed(kind, NAME_EXPECTATION, `a text that is not: ${nameFault(value) ?? ""}`);
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
