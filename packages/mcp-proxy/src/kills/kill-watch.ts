import { setTimeout as delay } from "node:timers/promises";
import {
  KILL_LIST_LEASE_MS,
  KILL_NEWS_INTERVAL_MS,
  KILL_RETRY_INTERVAL_MS,
  MAX_ENDED_IDS,
} from "../limits.ts";
import type { GatewayApi, SwitchChange, SwitchNews } from "./gateway-api.ts";
import { KillScopes } from "./kill-scopes.ts";
import type { KillState } from "./kill-state.ts";
import type { RunningCalls } from "./running-calls.ts";
import { type Scope, withAssumedNamespace } from "./scope.ts";

export interface KillWatch {
  stateOf(scope: Scope): KillState;
  /** Asks the gateway for news at once, unless this switch is known. Called when a verdict names a switch. */
  lookFor(killSwitchId: string): void;
  close(): Promise<void>;
}

export interface KillWatchPorts {
  readonly api: Pick<GatewayApi, "switchNews" | "endedSwitches">;
  readonly running: RunningCalls;
  readonly monotonicMs: () => number;
  /** Called once when the switches cannot be read, and with null when they can be read again. */
  readonly onOutage: (error: unknown) => void;
}

/**
 * Follows the gateway's kill switches by long polling, and stops the running calls that a new switch covers.
 * A switch that began and ended between two answers still stops what ran. New calls do not depend on this
 * watch, because the gateway judges each of them. While the gateway cannot be reached, running calls go on.
 */
export function startKillWatch(ports: KillWatchPorts): KillWatch {
  const watch = new Watch(ports);
  const following = watch.follow();
  return {
    stateOf: (scope) => watch.stateOf(scope),
    lookFor: (killSwitchId) => watch.lookFor(killSwitchId),
    close: async () => {
      watch.stop();
      await following;
    },
  };
}

class Watch {
  readonly #ports: KillWatchPorts;
  readonly #closing = new AbortController();
  #known = new KillScopes([]);
  #revision: number | null = null;
  /** Of `#revision`. */
  #epoch = "";
  #verifiedMs = Number.NEGATIVE_INFINITY;
  /** Ids of switches that are known to have ended; null until they were read once. */
  #ended: readonly string[] | null = null;
  /** True after a complete list, which does not tell which switches began and ended before it. */
  #missesEnded = false;
  #isOut = false;
  #lastSought: string | null = null;
  #waking = new AbortController();

  constructor(ports: KillWatchPorts) {
    this.#ports = ports;
  }

  stop(): void {
    this.#closing.abort();
  }

  async follow(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#waking = new AbortController();
      const askedMs = this.#ports.monotonicMs();
      const isNew = await this.#look(askedMs);
      const restMs = (isNew ? KILL_NEWS_INTERVAL_MS : KILL_RETRY_INTERVAL_MS) - this.#since(askedMs);
      if (restMs > 0) await this.#unlessWoken(delay(restMs)).catch(() => undefined);
    }
  }

  stateOf(scope: Scope): KillState {
    const killSwitchId = this.#known.stopping(withAssumedNamespace(scope));
    if (killSwitchId !== null) return { kind: "killed", killSwitchId };
    return this.#since(this.#verifiedMs) > KILL_LIST_LEASE_MS ? { kind: "unverified" } : { kind: "clear" };
  }

  lookFor(killSwitchId: string): void {
    // Once for each switch: an ended one never becomes known, and must not be sought forever.
    if (killSwitchId === this.#lastSought || this.#known.has(killSwitchId)) return;
    this.#lastSought = killSwitchId;
    this.#waking.abort();
  }

  #since(ms: number): number {
    return this.#ports.monotonicMs() - ms;
  }

  /** @returns whether the gateway had news */
  async #look(askedMs: number): Promise<boolean> {
    const { onOutage } = this.#ports;
    const isFirst = this.#revision === null;
    try {
      const news = await this.#unlessWoken(this.#news());
      // Null: a verdict named an unknown switch. The pending answer may not contain it, so ask again at once.
      if (news === null) return true;
      this.#take(news);
      this.#verifiedMs = askedMs;
      if (this.#missesEnded) await this.#takeEnded();
      if (this.#isOut) onOutage(null);
      this.#isOut = false;
      return news.isComplete ? isFirst : news.changes.length > 0;
    } catch (error) {
      if (!this.#isOut && !this.#closing.signal.aborted) onOutage(error);
      this.#isOut = true;
      return false;
    }
  }

  /** When the changes follow another history than the one that is known here, all switches are read. */
  async #news(): Promise<SwitchNews> {
    const news = await this.#ports.api.switchNews(this.#revision);
    return news.isComplete || news.epoch === this.#epoch ? news : this.#ports.api.switchNews(null);
  }

  #take({ epoch, revision, isComplete, changes }: SwitchNews): void {
    const begun = changes.filter(({ isActive }) => isActive).map(({ killSwitch }) => killSwitch);
    // A switch that was known when a call was judged did not stop that call, so it must not stop it now.
    const unseen = begun.filter(({ id }) => !this.#known.has(id));
    if (isComplete) {
      this.#missesEnded = true;
      const known = new KillScopes(begun);
      this.#noteEnded(this.#known.ids().filter((id) => !known.has(id)));
      this.#known = known;
    } else for (const change of changes) this.#apply(change);
    this.#revision = revision;
    this.#epoch = epoch;
    if (unseen.length > 0) this.#ports.running.enforce(new KillScopes(unseen));
  }

  #apply({ isActive, killSwitch }: SwitchChange): void {
    if (isActive) return this.#known.put(killSwitch);
    this.#known.drop(killSwitch.id);
    this.#noteEnded([killSwitch.id]);
  }

  #noteEnded(ids: readonly string[]): void {
    this.#ended = this.#ended?.concat(ids).slice(-MAX_ENDED_IDS) ?? null;
  }

  /**
   * Enforces the switches that ended since the list was read last. The list has the newest first, so they are
   * those before the first that is known. The first list is only remembered: nothing ran before it.
   */
  async #takeEnded(): Promise<void> {
    const seen = this.#ended;
    const before = this.#known;
    const ended = await this.#ports.api.endedSwitches();
    this.#missesEnded = false;
    this.#ended = ended.map(({ id }) => id);
    if (seen === null) return;
    const known = new Set(seen);
    const end = ended.findIndex(({ id }) => known.has(id) || before.has(id));
    this.#ports.running.enforce(new KillScopes(end < 0 ? ended : ended.slice(0, end)));
  }

  /** Resolves with null when the watch is woken or closed before the promise settles. */
  async #unlessWoken<Value>(promise: Promise<Value>): Promise<Value | null> {
    const signal = AbortSignal.any([this.#closing.signal, this.#waking.signal]);
    const woken = Promise.withResolvers<null>();
    const wake = (): void => woken.resolve(null);
    if (signal.aborted) wake();
    signal.addEventListener("abort", wake, { once: true });
    try {
      return await Promise.race([promise, woken.promise]);
    } finally {
      signal.removeEventListener("abort", wake);
      // An abandoned promise that rejects later must not end the process.
      promise.catch(() => undefined);
    }
  }
}
