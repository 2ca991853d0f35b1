import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import type { GatewayApi, SwitchChange, SwitchNews } from "./gateway-api.ts";
import { KillScopes, type Scope } from "./kill-scopes.ts";
import {
  KILL_LIST_LEASE_MS,
  KILL_NEWS_INTERVAL_MS,
  KILL_RETRY_INTERVAL_MS,
  MAX_ENDED_IDS,
} from "../limits.ts";
import type { RunningCalls } from "./running-calls.ts";

/** What the known switches say about a scope. `unverified`: they are too old to say anything. */
export type KillState =
  | { readonly kind: "clear" }
  | { readonly kind: "killed"; readonly killSwitchId: string }
  | { readonly kind: "unverified" };

export interface KillWatch {
  stateOf(scope: Scope): KillState;
  /** The gateway denied a call by this switch: one that is not known here yet is asked for at once. */
  heardOf(killSwitchId: string): void;
  close(): Promise<void>;
}

export interface KillWatchPorts {
  readonly api: Pick<GatewayApi, "switchNews" | "endedSwitches">;
  readonly running: RunningCalls;
  readonly monotonicMs: () => number;
  /** Told when the switches cannot be read, once per outage, and with null when they can be again. */
  readonly onOutage: (error: unknown) => void;
}

/**
 * Follows the gateway's kill switches by asking for what changed, which the gateway answers when something
 * does, and stops what runs in their scopes; also of switches that ended again meanwhile. New calls do not
 * depend on it: the gateway judges each. Without news running calls go on.
 */
export function startKillWatch(ports: KillWatchPorts): KillWatch {
  const watch = new Watch(ports);
  const following = watch.follow();
  return {
    stateOf: (scope) => watch.stateOf(scope),
    heardOf: (killSwitchId) => watch.heardOf(killSwitchId),
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
  #verifiedMs = Number.NEGATIVE_INFINITY;
  /** Ids of switches that are known to have ended; null before they were read for the first time. */
  #ended: readonly string[] | null = null;
  /** Since a complete list: what began and ended before it is in no news. */
  #missesEnded = false;
  #isOut = false;
  #lastHeard: string | null = null;
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
    // Calls of another namespace that the switch met were remembered when it was enforced.
    const killSwitchId = this.#known.stopping({ ...scope, namespace: scope.namespace ?? DEFAULT_NAMESPACE });
    if (killSwitchId !== null) return { kind: "killed", killSwitchId };
    return this.#since(this.#verifiedMs) > KILL_LIST_LEASE_MS ? { kind: "unverified" } : { kind: "clear" };
  }

  heardOf(killSwitchId: string): void {
    // Once for each: a switch that ended meanwhile is not among the active ones any more.
    if (killSwitchId === this.#lastHeard || this.#known.has(killSwitchId)) return;
    this.#lastHeard = killSwitchId;
    this.#waking.abort();
  }

  #since(ms: number): number {
    return this.#ports.monotonicMs() - ms;
  }

  /** @returns whether there was news */
  async #look(askedMs: number): Promise<boolean> {
    const { api, onOutage } = this.#ports;
    const isFirst = this.#revision === null;
    try {
      const news = await this.#unlessWoken(api.switchNews(this.#revision));
      // An answer that began to wait before a verdict told of a switch may not know of it.
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

  #take({ revision, isComplete, changes }: SwitchNews): void {
    const begun = changes.filter(({ isActive }) => isActive).map(({ killSwitch }) => killSwitch);
    // What a switch did not stop when the gateway judged it, the same switch does not stop later.
    const unseen = begun.filter(({ id }) => !this.#known.has(id));
    if (isComplete) {
      this.#missesEnded = true;
      const known = new KillScopes(begun);
      this.#noteEnded(this.#known.ids().filter((id) => !known.has(id)));
      this.#known = known;
    } else for (const change of changes) this.#apply(change);
    this.#revision = revision;
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

  /** Those that ended before the first look are old, and new ones stand before all that were seen. */
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

  /** Null: it was woken, or told to stop, before the promise was settled. */
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
      // Whoever was not waited for must not end the process when it fails.
      promise.catch(() => undefined);
    }
  }
}
