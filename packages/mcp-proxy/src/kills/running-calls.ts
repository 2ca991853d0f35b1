import type { DenyVerdict } from "@svc/contract/verdict";
import { FairEvictionMap } from "../memory/fair-eviction-map.ts";
import type { KillScopes, Scope } from "./kill-scopes.ts";
import { MAX_LINGERING_CALLS } from "../limits.ts";

/** Something that runs until it is released or stopped. */
export interface RunningCall {
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
  /** The answer to what lingers was fetched: nothing is left for a kill to find. */
  settle(): void;
  /** Must be called when it is over here. */
  release(): void;
}

export interface RunningOptions {
  /** Null: no switch stops it. */
  readonly scope: Scope | null;
  /** Told at once when what it leaves behind must not be fetched: a kill stopped it, or would not find it. */
  readonly onBarred?: () => void;
}

interface Entry {
  readonly key: string;
  readonly scope: Scope;
  readonly stop: (deny: DenyVerdict) => void;
  readonly bar: (() => void) | undefined;
}

export interface RunningCallsPorts {
  readonly monotonicMs: () => number;
  /** Told when what a kill stopped is over, and how many milliseconds behind the news of the kill. */
  readonly onKilled: (latencyMs: number) => void;
}

/**
 * Every call that runs, so that a kill finds it. Of those that linger at most MAX_LINGERING_CALLS: past that
 * the agent with the most loses its oldest, whose answer cannot be fetched from then on.
 */
export class RunningCalls {
  readonly #running = new Set<Entry>();
  readonly #lingering = new FairEvictionMap<Entry>(MAX_LINGERING_CALLS, (_, { bar }) => bar?.());
  readonly #ports: RunningCallsPorts;
  #started = 0;

  constructor(ports: RunningCallsPorts) {
    this.#ports = ports;
  }

  /** Calls that are judged or run now, without what is merely fetched. */
  get callCount(): number {
    return [...this.#running].filter(({ scope }) => scope.tool !== null).length;
  }

  start({ scope, onBarred }: RunningOptions): RunningCall {
    const { monotonicMs, onKilled } = this.#ports;
    const controller = new AbortController();
    let stopped: DenyVerdict | null = null;
    let stoppedMs = 0;
    let isSettled = false;
    const stop = (deny: DenyVerdict): void => {
      stopped = deny;
      stoppedMs = monotonicMs();
      onBarred?.();
      controller.abort();
    };
    this.#started += 1;
    const entry = scope === null ? null : { key: String(this.#started), scope, stop, bar: onBarred };
    if (entry !== null) this.#running.add(entry);
    return {
      signal: controller.signal,
      stopped: () => stopped,
      abandon: () => controller.abort(),
      linger: () => {
        // Without anything to bar a kill would find it for nothing.
        if (entry?.bar !== undefined && !isSettled)
          this.#lingering.set(entry.scope.agentId, entry.key, entry);
      },
      settle: () => {
        isSettled = true;
        if (entry !== null) this.#lingering.delete(entry.key);
      },
      release: () => {
        if (entry !== null) this.#running.delete(entry);
        if (stopped !== null) onKilled(monotonicMs() - stoppedMs);
      },
    };
  }

  /** Stops what a switch of these stops. */
  enforce(scopes: KillScopes): void {
    for (const entry of [...this.#running, ...this.#lingering.values()]) {
      const id = scopes.stopping(entry.scope);
      if (id === null) continue;
      this.#running.delete(entry);
      this.#lingering.delete(entry.key);
      entry.stop(killDeny(id));
    }
  }
}

/** The deny of a scope that a switch stops, whether it was about to begin or ran already. */
export function killDeny(killSwitchId: string): DenyVerdict {
  return {
    decision: "deny",
    reason: "A kill switch stopped this call.",
    reason_code: "kill_switch",
    kill_switch_id: killSwitchId,
    args_constrained: false,
    fail_closed: false,
  };
}
