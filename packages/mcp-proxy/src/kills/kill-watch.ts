import { setTimeout as delay } from "node:timers/promises";
import { ENDED_SWITCHES } from "@svc/contract/ended-switches";
import { failClosedDeny } from "@svc/contract/verdict";
import {
  KILL_NEWS_INTERVAL_MS,
  KILL_NEWS_LEASE_MS,
  KILL_RETRY_INTERVAL_MS,
  MAX_ENDED_IDS,
  UNVERIFIED_CHECK_MS,
} from "../limits.ts";
import { type ActiveSwitch, KillScopes } from "./kill-scopes.ts";
import type { KillState } from "./kill-state.ts";
import type { NewsOutage } from "./news-outage.ts";
import type { RunningCalls } from "./running-calls.ts";
import { type Scope, withAssumedNamespace } from "./scope.ts";
import type { SwitchChange, SwitchFeed, SwitchNews } from "./switch-feed.ts";

export interface KillWatch {
  stateOf(scope: Scope): KillState;
  /** Asks the gateway for news at once, unless this switch is known. Called when a verdict names a switch. */
  lookFor(killSwitchId: string): void;
  close(): Promise<void>;
}

export interface KillWatchPorts {
  readonly feed: Pick<SwitchFeed, "switchNews">;
  readonly running: RunningCalls;
  readonly monotonicMs: () => number;
  readonly outage: NewsOutage;
}

/**
 * Follows the gateway's kill switches by long polling, and stops the running calls that a new switch covers.
 * A switch that began and ended between two answers still stops what ran. New calls do not depend on this
 * watch, because the gateway judges each of them. A call that runs for KILL_NEWS_LEASE_MS without news ends.
 */
export function startKillWatch(ports: KillWatchPorts): KillWatch {
  const watch = new Watch(ports);
  const following = Promise.all([watch.follow(), watch.endUnverified()]);
  return {
    stateOf: (scope) => watch.stateOf(scope),
    lookFor: (killSwitchId) => watch.lookFor(killSwitchId),
    close: async () => {
      watch.stop();
      await following;
    },
  };
}

const UNVERIFIED = failClosedDeny(
  "control_state_unverified",
  `The proxy had no news of kill switches for ${String(KILL_NEWS_LEASE_MS)} ms and ended this call. It may ` +
    "have run.",
);

const UNBRIDGED = failClosedDeny(
  "control_state_unverified",
  "The proxy missed news of kill switches, one of which may have stopped this call. It may have run.",
);

class Watch {
  readonly #ports: KillWatchPorts;
  readonly #closing = new AbortController();
  #known = new KillScopes([]);
  #revision: number | null = null;
  /** Of `#revision`. */
  #epoch = "";
  /** When the last news came. */
  #newsMs: number;
  /** Ids of switches that are known to have ended; null until they were read once. */
  #ended: readonly string[] | null = null;
  #lastSought: string | null = null;
  #waking = new AbortController();

  constructor(ports: KillWatchPorts) {
    this.#ports = ports;
    this.#newsMs = ports.monotonicMs();
  }

  stop(): void {
    this.#closing.abort();
  }

  async follow(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#waking = new AbortController();
      const askedMs = this.#ports.monotonicMs();
      const isNew = await this.#look();
      const restMs = (isNew ? KILL_NEWS_INTERVAL_MS : KILL_RETRY_INTERVAL_MS) - this.#since(askedMs);
      if (restMs > 0) await this.#unlessWoken(delay(restMs)).catch(() => undefined);
    }
  }

  stateOf(scope: Scope): KillState {
    const killSwitchId = this.#known.stopping(withAssumedNamespace(scope));
    if (killSwitchId !== null) return { kind: "killed", killSwitchId };
    return this.#revision === null || this.#isLate() ? { kind: "unverified" } : { kind: "clear" };
  }

  lookFor(killSwitchId: string): void {
    // Once for each switch: an ended one never becomes known, and must not be sought forever.
    if (killSwitchId === this.#lastSought || this.#known.has(killSwitchId)) return;
    this.#lastSought = killSwitchId;
    this.#waking.abort();
  }

  /** Ends the calls that ran without news for too long, until the watch closes. */
  async endUnverified(): Promise<void> {
    const { running, outage, monotonicMs } = this.#ports;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await delay(UNVERIFIED_CHECK_MS, null, { signal }).catch(() => undefined);
      if (signal.aborted || !this.#isLate()) continue;
      outage.lasts(KILL_NEWS_LEASE_MS);
      outage.ended(running.endBegunBy(monotonicMs() - KILL_NEWS_LEASE_MS, UNVERIFIED));
    }
  }

  #isLate(): boolean {
    return this.#since(this.#newsMs) > KILL_NEWS_LEASE_MS;
  }

  #since(ms: number): number {
    return this.#ports.monotonicMs() - ms;
  }

  /** @returns whether the gateway had news */
  async #look(): Promise<boolean> {
    const { outage, monotonicMs } = this.#ports;
    const isFirst = this.#revision === null;
    try {
      const news = await this.#unlessWoken(this.#news());
      // Null: a verdict named an unknown switch. The pending answer may not contain it, so ask again at once.
      if (news === null) return true;
      this.#take(news);
      this.#newsMs = monotonicMs();
      outage.over();
      return news.isComplete ? isFirst : news.changes.length > 0;
    } catch (error) {
      if (!this.#closing.signal.aborted) outage.failed(error);
      return false;
    }
  }

  /** When the changes follow another history than the one that is known here, all switches are read. */
  async #news(): Promise<SwitchNews> {
    const news = await this.#ports.feed.switchNews(this.#revision);
    return news.isComplete || news.epoch === this.#epoch ? news : this.#ports.feed.switchNews(null);
  }

  #take({ epoch, revision, isComplete, changes, ended }: SwitchNews): void {
    const begun = changes.filter(({ isActive }) => isActive).map(({ killSwitch }) => killSwitch);
    const before = this.#known;
    // A switch that was known when a call was judged did not stop that call, so it must not stop it now.
    const unseen = begun.filter(({ id }) => !before.has(id));
    if (isComplete) this.#known = new KillScopes(begun);
    else for (const change of changes) this.#apply(change);
    this.#revision = revision;
    this.#epoch = epoch;
    if (unseen.length > 0) this.#ports.running.enforce(new KillScopes(unseen));
    if (isComplete) this.#takeEnded(ended, before);
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
   * Enforces the switches that began and ended since the last news: those before the first that is known. The
   * first list is only remembered, because nothing ran before it. When none is known and the list has no room
   * for more, a switch that it leaves out may cover anything.
   */
  #takeEnded(ended: readonly ActiveSwitch[] | null, before: KillScopes): void {
    const { running } = this.#ports;
    const seen = this.#ended;
    const nowEnded = before.ids().filter((id) => !this.#known.has(id));
    this.#ended = [...nowEnded, ...(ended ?? []).map(({ id }) => id)];
    if (seen === null) return;
    if (ended === null) return running.stopAll(UNBRIDGED);
    const known = new Set(seen);
    const end = ended.findIndex(({ id }) => known.has(id) || before.has(id));
    if (end < 0 && ended.length >= ENDED_SWITCHES) return running.stopAll(UNBRIDGED);
    running.enforce(new KillScopes(end < 0 ? ended : ended.slice(0, end)));
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
