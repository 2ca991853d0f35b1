import type { DenyVerdict } from "@svc/contract/verdict";
import type { KillScopes, Scope } from "./kill-scopes.ts";
import { MAX_LINGERING_CALLS } from "./limits.ts";

/** Something that runs until it is released or stopped. */
export interface Running {
  /** Aborts when it is stopped, or when its client goes away. */
  readonly signal: AbortSignal;
  /** Why it was stopped; null while it was not, and after its client went away. */
  stopped(): DenyVerdict | null;
  /** Ends what it does: its client has gone. */
  abandon(): void;
  /**
   * The server works on without a connection, for a client that may come back: a kill still has to hear of
   * it.
   */
  linger(): void;
  /** Must be called when it is over here. */
  release(): void;
}

export interface RunningOptions {
  /** Null: no switch stops it. */
  readonly scope: Scope | null;
  /** Told at once when it is stopped. */
  readonly onStopped?: () => void;
}

interface Entry {
  readonly scope: Scope;
  readonly stop: (deny: DenyVerdict) => void;
}

export interface RunningCallsPorts {
  readonly monotonicMs: () => number;
  /** Told when what a kill stopped is over, and how many milliseconds behind the news of the kill. */
  readonly onKilled: (latencyMs: number) => void;
}

/** Every call that runs, so that a kill finds it. */
export class RunningCalls {
  readonly #running = new Set<Entry>();
  readonly #lingering = new Set<Entry>();
  readonly #ports: RunningCallsPorts;

  constructor(ports: RunningCallsPorts) {
    this.#ports = ports;
  }

  /** Calls that are judged or run now, without what is merely fetched. */
  get callCount(): number {
    return [...this.#running].filter(({ scope }) => scope.tool !== null).length;
  }

  start({ scope, onStopped }: RunningOptions): Running {
    const { monotonicMs, onKilled } = this.#ports;
    const controller = new AbortController();
    let stopped: DenyVerdict | null = null;
    let stoppedMs = 0;
    const stop = (deny: DenyVerdict): void => {
      stopped = deny;
      stoppedMs = monotonicMs();
      onStopped?.();
      controller.abort();
    };
    const entry = scope === null ? null : { scope, stop };
    if (entry !== null) this.#running.add(entry);
    return {
      signal: controller.signal,
      stopped: () => stopped,
      abandon: () => controller.abort(),
      linger: () => this.#linger(entry),
      release: () => {
        if (entry !== null) this.#running.delete(entry);
        if (stopped !== null) onKilled(monotonicMs() - stoppedMs);
      },
    };
  }

  /** Stops what a switch of these stops. */
  enforce(scopes: KillScopes): void {
    for (const entry of [...this.#running, ...this.#lingering]) {
      const id = scopes.stopping(entry.scope);
      if (id === null) continue;
      this.#running.delete(entry);
      this.#lingering.delete(entry);
      entry.stop(killed(id));
    }
  }

  #linger(entry: Entry | null): void {
    if (entry === null) return;
    this.#lingering.add(entry);
    const [oldest] = this.#lingering;
    if (this.#lingering.size > MAX_LINGERING_CALLS && oldest !== undefined) this.#lingering.delete(oldest);
  }
}

/** The deny of a scope that a switch stops, whether it was about to begin or ran already. */
export function killed(killSwitchId: string): DenyVerdict {
  return {
    decision: "deny",
    reason: "A kill switch stopped this call.",
    reason_code: "kill_switch",
    kill_switch_id: killSwitchId,
    args_constrained: false,
    fail_closed: false,
  };
}
