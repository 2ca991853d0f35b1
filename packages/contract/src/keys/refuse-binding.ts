import { MAX_NAMED_BINDINGS } from "../limits.ts";
import { type Problem, problem } from "../problems/problem.ts";
import type { Principal } from "./principal.ts";

/** Whose call, outcome, switch or approval a request is about. Null where the request names none. */
export interface Subject {
  readonly agent_id: string | null;
  readonly namespace: string | null;
  /** Why it is this namespace, where the request does not name it; undefined where it does. */
  readonly implied?: ImpliedNamespace | undefined;
}

/** `registration`: the agent is registered there. The others: it is not, and the default applies. */
export type ImpliedNamespace = "registration" | "default_of_call" | "default_of_session";

/**
 * Why the key may not act for this agent in this namespace; null when it may. A bound key may not act where
 * the name that it is bound to is missing.
 */
export function refuseBinding(principal: Principal, subject: Subject): Problem | null {
  const { agents, namespaces } = principal;
  const { agent_id, namespace } = subject;
  if (agents !== null && (agent_id === null || !agents.has(agent_id)))
    return outside(principal, { kind: "agent", allowed: agents, found: foundIn("agent", agent_id) });
  if (namespaces !== null && (namespace === null || !namespaces.has(namespace)))
    return outside(principal, { kind: "namespace", allowed: namespaces, ...placed(subject) });
  return null;
}

function foundIn(kind: Mismatch["kind"], named: string | null): string {
  return named === null ? `the request names no ${kind}` : `the request names ${kind} ${named}`;
}

function placed({ agent_id, namespace, implied }: Subject): Pick<Mismatch, "found" | "remedy"> {
  const found = `the request names no namespace, and agent ${agent_id ?? ""} is`;
  const unregistered = `${found} not registered, so namespace ${namespace ?? ""} applies`;
  const register = "Register the agent in a namespace of the key (POST agents)";
  switch (implied) {
    case undefined:
      return { found: foundIn("namespace", namespace) };
    case "registration":
      return { found: `${found} registered in namespace ${namespace ?? ""}` };
    case "default_of_call":
      return { found: unregistered, remedy: `${register}, or name one of them in the call` };
    case "default_of_session":
      return {
        found: unregistered,
        remedy: `${register}, or use a key that is bound to one namespace alone`,
      };
  }
}

interface Mismatch {
  readonly kind: "agent" | "namespace";
  readonly allowed: ReadonlySet<string>;
  readonly found: string;
  readonly remedy?: string;
}

const OTHER_KEY = "Use a key that is bound to it, or one that is not bound";

function outside({ id }: Principal, { kind, allowed, found, remedy = OTHER_KEY }: Mismatch): Problem {
  const shown = [...allowed].slice(0, MAX_NAMED_BINDINGS);
  const more = allowed.size > shown.length ? ` and ${String(allowed.size - shown.length)} more` : "";
  return problem(
    "forbidden",
    `Key ${id} may act only for ${kind} ${shown.join(", ")}${more}; ${found}. ${remedy}.`,
  );
}
