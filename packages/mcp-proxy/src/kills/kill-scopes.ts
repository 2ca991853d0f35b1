import type { KillSwitchScope } from "@svc/contract/kill-switch-scope";
import type { Scope } from "./scope.ts";

/** One active kill switch, as the gateway lists it. */
export interface ActiveSwitch {
  readonly id: string;
  readonly scope: KillSwitchScope;
  readonly target: string | null;
  readonly accountWide: boolean;
}

/** An index of kill switches by what they stop. A look-up costs the same at 10 switches and at 100,000. */
export class KillScopes {
  readonly #byId = new Map<string, ActiveSwitch>();
  readonly #accountWide = new Set<string>();
  readonly #namespaces = new Set<string>();
  /**
   * Ids of the switches of each target. One target may have two: the news may bring a new one before the end
   * of the old.
   */
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
   * The id of a switch that stops this scope, or null. When the scope has no namespace, only the gateway
   * knows it, so a switch of any namespace stops the call. A call that was stopped in error can be repeated;
   * a call that ran on cannot be taken back.
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
