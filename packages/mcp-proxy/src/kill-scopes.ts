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

/** All active switches at one time, arranged for looking up. Never changes. */
export class KillScopes {
  readonly #accountWide: string | null;
  readonly #byTarget: ReadonlyMap<string, string>;
  readonly #anyNamespace: string | null;

  constructor(switches: readonly ActiveSwitch[]) {
    this.#accountWide = switches.find(({ accountWide }) => accountWide)?.id ?? null;
    this.#anyNamespace = switches.find(({ scope }) => scope === "namespace")?.id ?? null;
    this.#byTarget = new Map(switches.map(({ id, scope, target }) => [`${scope} ${target ?? ""}`, id]));
  }

  /**
   * The id of a switch that stops this scope, or null. A namespace that only the gateway knows may be any, so
   * a switch of any namespace stops it: a call ended too much can be repeated, one that runs on cannot be
   * taken back.
   */
  stopping({ agentId, namespace, sessionId, sessionNames = [], tool }: Scope): string | null {
    return (
      this.#accountWide ??
      this.#find("agent", agentId) ??
      this.#find("session", sessionId) ??
      this.#findAny("session", sessionNames) ??
      this.#find("tool", tool) ??
      (namespace === null ? this.#anyNamespace : this.#find("namespace", namespace))
    );
  }

  #findAny(scope: KillSwitchScope, targets: readonly string[]): string | null {
    const target = targets.find((candidate) => this.#find(scope, candidate) !== null);
    return target === undefined ? null : this.#find(scope, target);
  }

  #find(scope: KillSwitchScope, target: string | null): string | null {
    return target === null ? null : (this.#byTarget.get(`${scope} ${target}`) ?? null);
  }
}
