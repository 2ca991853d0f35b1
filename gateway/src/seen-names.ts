import { nearestName } from "@svc/text/nearest-name";
import type { KillTarget } from "./check/kill-switch-index.ts";

/** Most names of one scope that are remembered, as count: some megabytes at the longest identifiers. */
const MAX_NAMES = 10_000;

/**
 * Most names that one misspelt name is compared with, as count: this takes about half a millisecond of
 * the serving thread.
 */
const MAX_COMPARED = 2_000;

/** The scopes in which a kill switch names something, so that an operator can misspell it. */
export type NamedScope = "session" | "agent" | "tool" | "namespace";

/** What is known about a name. */
export interface Sighting {
  /** Null: unknown, because names of this scope were forgotten. */
  readonly seen: boolean | null;
  /**
   * A known name with nearly the same spelling; null when there is none, or when the name itself is known.
   */
  readonly nearest: string | null;
}

/**
 * The agents, sessions, tools and namespaces of calls since this gateway started, used to warn an operator
 * who misspells one. Informational: it decides nothing, and only the log proves a call.
 */
export class SeenNames {
  readonly #names: Readonly<Record<NamedScope, Set<string>>> = {
    session: new Set(),
    agent: new Set(),
    tool: new Set(),
    namespace: new Set(),
  };
  readonly #forgetful = new Set<NamedScope>();

  note({ org, namespace, agentId, sessionId, tool }: KillTarget): void {
    this.#add("namespace", org, namespace);
    this.#add("agent", org, agentId);
    this.#add("tool", org, tool);
    if (sessionId !== null) this.#add("session", org, sessionId);
  }

  /** @param bound names that policies are bound to. They are known even without a call. */
  sighting(
    { org, scope, name }: { readonly org: string; readonly scope: NamedScope; readonly name: string },
    bound: readonly string[],
  ): Sighting {
    if (bound.includes(name) || this.#names[scope].has(keyOf(org, name)))
      return { seen: true, nearest: null };
    const prefix = keyOf(org, "");
    const own = [...this.#names[scope]].filter((key) => key.startsWith(prefix));
    const names = own.map((key) => key.slice(prefix.length));
    const nearest = nearestName(name, [...bound, ...names.reverse()].slice(0, MAX_COMPARED));
    return { seen: this.#forgetful.has(scope) ? null : false, nearest };
  }

  #add(scope: NamedScope, org: string, name: string): void {
    const names = this.#names[scope];
    names.add(keyOf(org, name));
    if (names.size <= MAX_NAMES) return;
    const [oldest] = names;
    if (oldest !== undefined) names.delete(oldest);
    this.#forgetful.add(scope);
  }
}

/** The id of an organization has no space. */
function keyOf(org: string, name: string): string {
  return `${org} ${name}`;
}
