import type { KillSwitchScope } from "@svc/contract/kill-switch";

/** What a running call or an open stream can be stopped by. */
export interface Scope {
  readonly agentId: string | null;
  readonly namespace: string | null;
  readonly sessionId: string | null;
  /** What else the same request called its session: a switch of any of these names stops it, too. */
  readonly sessionNames?: readonly string[];
  /** Null: not one call but the answers of many, of which any tool may be one. */
  readonly tool: string | null;
}

/** What switches of these sessions stop, or of the whole account: for calls that the gateway judges, too. */
export function sessionsAlone(sessionNames: readonly string[]): Scope {
  // No namespace has an empty name, and one that is not known would be any.
  return { agentId: null, namespace: "", sessionId: null, tool: null, sessionNames };
}

/** One active switch, as the list of the gateway says. */
export interface ActiveSwitch {
  readonly id: string;
  readonly scope: KillSwitchScope;
  readonly target: string | null;
  readonly accountWide: boolean;
}

/** What active switches stop, arranged for looking up: it costs the same at 10 and at 100,000 of them. */
export class KillScopes {
  readonly #byId = new Map<string, ActiveSwitch>();
  readonly #accountWide = new Set<string>();
  readonly #namespaces = new Set<string>();
  /** The switches of each target: one ends and another begins in either order of the news. */
  readonly #byTarget = new Map<string, Set<string>>();

  constructor(switches: Iterable<ActiveSwitch>) {
    for (const one of switches) this.put(one);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  put(one: ActiveSwitch): void {
    this.drop(one.id);
    this.#byId.set(one.id, one);
    if (one.accountWide) this.#accountWide.add(one.id);
    if (one.scope === "namespace") this.#namespaces.add(one.id);
    const key = targetKey(one.scope, one.target ?? "");
    const ids = this.#byTarget.get(key);
    if (ids === undefined) this.#byTarget.set(key, new Set([one.id]));
    else ids.add(one.id);
  }

  drop(id: string): void {
    const one = this.#byId.get(id);
    if (one === undefined) return;
    this.#byId.delete(id);
    this.#accountWide.delete(id);
    this.#namespaces.delete(id);
    const key = targetKey(one.scope, one.target ?? "");
    const ids = this.#byTarget.get(key);
    ids?.delete(id);
    if (ids?.size === 0) this.#byTarget.delete(key);
  }

  /**
   * The id of a switch that stops this scope, or null. A namespace that only the gateway knows may be any, so
   * a switch of any namespace stops it: a call ended too much can be repeated, one that runs on cannot be
   * taken back.
   */
  stopping({ agentId, namespace, sessionId, sessionNames = [], tool }: Scope): string | null {
    return (
      firstOf(this.#accountWide) ??
      this.#find("agent", agentId) ??
      this.#find("session", sessionId) ??
      this.#findAny("session", sessionNames) ??
      this.#find("tool", tool) ??
      (namespace === null ? firstOf(this.#namespaces) : this.#find("namespace", namespace))
    );
  }

  #findAny(scope: KillSwitchScope, targets: readonly string[]): string | null {
    const target = targets.find((candidate) => this.#find(scope, candidate) !== null);
    return target === undefined ? null : this.#find(scope, target);
  }

  #find(scope: KillSwitchScope, target: string | null): string | null {
    const ids = target === null ? undefined : this.#byTarget.get(targetKey(scope, target));
    return ids === undefined ? null : firstOf(ids);
  }
}

function targetKey(scope: KillSwitchScope, target: string): string {
  return `${scope} ${target}`;
}

function firstOf(ids: ReadonlySet<string>): string | null {
  for (const id of ids) return id;
  return null;
}
