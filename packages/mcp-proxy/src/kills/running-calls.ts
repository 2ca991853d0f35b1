import type { ServerResponse } from "node:http";
import type { DenyVerdict } from "@svc/contract/verdict";
import { MAX_LINGERING_CALLS } from "../limits.ts";
import { FairEvictionMap } from "../memory/fair-eviction-map.ts";
import { killDeny } from "./kill-deny.ts";
import type { KillScopes } from "./kill-scopes.ts";
import type { Scope } from "./scope.ts";

/** A call or a stream that runs until it is released or stopped. */
export interface RunningCall {
  /** Aborts when the call is stopped, or when its client goes away. */
  readonly signal: AbortSignal;
  /** Why it was stopped. Null while it was not, and after its client went away. */
  stopped(): DenyVerdict | null;
  /** Ends the call because its client has gone. */
  abandon(): void;
  /** Keeps the call in reach of kill switches after its connection ended: its client may come back for it. */
  linger(): void;
  /** Ends lingering: the answer was fetched, so a kill switch has nothing left to stop. */
  settle(): void;
  /** Must be called once, when the call is over in this proxy. */
  release(): void;
}

export interface RunningOptions {
  /** Null: no switch stops it. */
  readonly scope: Scope | null;
  /**
   * Called at once when the result of the call must not be fetched any more: a kill switch stopped the call,
   * or the call was evicted, so that no switch would find it.
   */
  readonly onBarred?: () => void;
}

interface Entry {
  readonly key: string;
  readonly scope: Scope;
  readonly startedMs: number;
  readonly stop: (deny: DenyVerdict) => void;
  readonly bar: (() => void) | undefined;
}

export interface RunningCallsPorts {
  readonly monotonicMs: () => number;
  /**
   * Called when a call that a switch stopped is over, with the milliseconds since the proxy learned
   * of the switch.
   */
  readonly onKilled: (latencyMs: number) => void;
}

/**
 * All calls that run, so that a kill switch finds them. At most MAX_LINGERING_CALLS linger. Past that the
 * agent with the most loses its oldest, whose answer cannot be fetched from then on.
 */
export class RunningCalls {
  readonly #running = new Set<Entry>();
  readonly #lingering = new FairEvictionMap<Entry>(MAX_LINGERING_CALLS, (_, { bar }) => bar?.());
  readonly #ports: RunningCallsPorts;
  #started = 0;

  constructor(ports: RunningCallsPorts) {
    this.#ports = ports;
  }

  /** Calls that are judged or executed now, as count. Streams and other requests are not in it. */
  get callCount(): number {
    return [...this.#running].filter(({ scope }) => scope.tool !== null).length;
  }

  start({ scope, onBarred }: RunningOptions): RunningCall {
    const { monotonicMs, onKilled } = this.#ports;
    const controller = new AbortController();
    let stopped: DenyVerdict | null = null;
    let stoppedMs = 0;
    let isSettled = false;
    const startedMs = monotonicMs();
    const stop = (deny: DenyVerdict): void => {
      stopped = deny;
      stoppedMs = monotonicMs();
      controller.abort();
    };
    this.#started += 1;
    const key = String(this.#started);
    const entry = scope === null ? null : { key, scope, startedMs, stop, bar: onBarred };
    if (entry !== null) this.#running.add(entry);
    return {
      signal: controller.signal,
      stopped: () => stopped,
      abandon: () => controller.abort(),
      linger: () => {
        // Without onBarred a switch that finds it would have nothing to do.
        if (entry?.bar !== undefined && !isSettled)
          this.#lingering.set(entry.scope.agentId, entry.key, entry);
      },
      settle: () => {
        isSettled = true;
        if (entry !== null) this.#lingering.delete(entry.key);
      },
      release: () => {
        if (entry !== null) this.#running.delete(entry);
        if (stopped?.reason_code === "kill_switch") onKilled(monotonicMs() - stoppedMs);
      },
    };
  }

  /** Stops every call that one of these switches covers. */
  enforce(scopes: KillScopes): void {
    this.#stopWhere(({ scope }) => {
      const id = scopes.stopping(scope);
      return id === null ? null : killDeny(id);
    });
  }

  /** Stops every call, because a kill switch that nobody can name any more may cover it. */
  stopAll(deny: DenyVerdict): void {
    this.#stopWhere(() => deny);
  }

  /**
   * Ends every call that began by then. Its result can be fetched once a later list of switches shows that
   * none covers it. @returns how many calls and streams were ended
   */
  endBegunBy(ms: number, deny: DenyVerdict): number {
    const ending = [...this.#running].filter(({ startedMs }) => startedMs <= ms);
    for (const entry of ending) {
      this.#running.delete(entry);
      if (entry.bar !== undefined) this.#lingering.set(entry.scope.agentId, entry.key, entry);
      entry.stop(deny);
    }
    return ending.length;
  }

  #stopWhere(denyOf: (entry: Entry) => DenyVerdict | null): void {
    for (const entry of [...this.#running, ...this.#lingering.values()]) {
      const deny = denyOf(entry);
      if (deny === null) continue;
      this.#running.delete(entry);
      this.#lingering.delete(entry.key);
      entry.bar?.();
      entry.stop(deny);
    }
  }
}

/** Does the work of a running call. Ends it when its client goes away, and always releases it. */
export async function whileRunning<Result>(
  running: RunningCall,
  response: ServerResponse,
  work: () => Promise<Result>,
): Promise<Result> {
  const onClose = (): void => running.abandon();
  response.once("close", onClose);
  if (response.destroyed) running.abandon();
  try {
    return await work();
  } finally {
    response.off("close", onClose);
    running.release();
  }
}
