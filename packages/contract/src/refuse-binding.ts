import { MAX_NAMED_BINDINGS } from "./limits.ts";
import type { Principal } from "./principal.ts";
import { type Problem, problem } from "./problem.ts";

/** Whose call, outcome, switch or approval a request is about. Null where the request names none. */
export interface Subject {
  readonly agent_id: string | null;
  readonly namespace: string | null;
}

/**
 * Why the key may not act for this agent in this namespace; null when it may. A bound key may not act where
 * the name that it is bound to is missing.
 */
export function refuseBinding(principal: Principal, { agent_id, namespace }: Subject): Problem | null {
  const { agents, namespaces } = principal;
  if (agents !== null && (agent_id === null || !agents.has(agent_id)))
    return outside(principal, { kind: "agent", allowed: agents, named: agent_id });
  if (namespaces !== null && (namespace === null || !namespaces.has(namespace)))
    return outside(principal, { kind: "namespace", allowed: namespaces, named: namespace });
  return null;
}

interface Mismatch {
  readonly kind: "agent" | "namespace";
  readonly allowed: ReadonlySet<string>;
  readonly named: string | null;
}

function outside({ id }: Principal, { kind, allowed, named }: Mismatch): Problem {
  const shown = [...allowed].slice(0, MAX_NAMED_BINDINGS);
  const more = allowed.size > shown.length ? ` and ${String(allowed.size - shown.length)} more` : "";
  const found = named === null ? `no ${kind}` : `${kind} ${named}`;
  return problem(
    "forbidden",
    `Key ${id} may act only for ${kind} ${shown.join(", ")}${more}; the request names ${found}. ` +
      "Use a key that is bound to it, or one that is not bound.",
  );
}
