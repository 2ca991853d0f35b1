import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import type { GatewayApi } from "./gateway-api.ts";
import { type ActiveSwitch, KillScopes, type Scope } from "./kill-scopes.ts";
import { KILL_LIST_LEASE_MS, KILL_POLL_INTERVAL_MS } from "./limits.ts";
import type { RunningCalls } from "./running.ts";

/** What the list of switches says about a scope. `unverified`: the list is too old to say anything. */
export type KillState =
  | { readonly kind: "clear" }
  | { readonly kind: "killed"; readonly killSwitchId: string }
  | { readonly kind: "unverified" };

export interface KillWatch {
  stateOf(scope: Scope): KillState;
  /** The gateway denied a call by this switch: one that is not in the list yet is looked for at once. */
  heardOf(killSwitchId: string): void;
  close(): Promise<void>;
}

export interface KillWatchPorts {
  readonly api: Pick<GatewayApi, "activeSwitches" | "endedSwitches">;
  readonly running: RunningCalls;
  readonly monotonicMs: () => number;
  /** Told when the list cannot be read, once per outage, and with null when it can be again. */
  readonly onOutage: (error: unknown) => void;
}

/**
 * Follows the gateway's kill switches by asking for the list every second, and whenever a verdict tells of a
 * switch that is not in it, and stops what runs in their scopes; also of those that ended again before they
 * were seen. New calls do not depend on it: the gateway judges each. Without a list running calls go on.
 */
export function startKillWatch(ports: KillWatchPorts): KillWatch {
  const closing = new AbortController();
  let active: readonly ActiveSwitch[] = [];
  let ended: readonly ActiveSwitch[] | null = null;
  let scopes = new KillScopes(active);
  let verifiedMs = Number.NEGATIVE_INFINITY;
  let isOut = false;
  let lastHeard: string | null = null;
  let waking = new AbortController();
  const look = async (): Promise<void> => {
    const askedMs = ports.monotonicMs();
    try {
      const before = new Set(idsOf([...active, ...(ended ?? [])]));
      active = await ports.api.activeSwitches();
      scopes = new KillScopes(active);
      verifiedMs = askedMs;
      // What a switch did not stop when the gateway judged it, the same switch does not stop later.
      ports.running.enforce(new KillScopes(active.filter(({ id }) => !before.has(id))));
      const endedNow = await ports.api.endedSwitches();
      // Those that ended before the first look are old, and new ones stand before all that were seen.
      if (ended !== null)
        ports.running.enforce(new KillScopes(unseen(endedNow, [...before, ...idsOf(active)])));
      ended = endedNow;
      if (isOut) ports.onOutage(null);
      isOut = false;
    } catch (error) {
      if (!isOut && !closing.signal.aborted) ports.onOutage(error);
      isOut = true;
    }
  };
  const follow = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      waking = new AbortController();
      await look();
      const signal = AbortSignal.any([closing.signal, waking.signal]);
      await delay(KILL_POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  };
  const following = follow();
  return {
    stateOf: (scope) => {
      // Calls of another namespace that the switch met were remembered when it was enforced.
      const killSwitchId = scopes.stopping({ ...scope, namespace: scope.namespace ?? DEFAULT_NAMESPACE });
      if (killSwitchId !== null) return { kind: "killed", killSwitchId };
      const age = ports.monotonicMs() - verifiedMs;
      return age > KILL_LIST_LEASE_MS ? { kind: "unverified" } : { kind: "clear" };
    },
    heardOf: (killSwitchId) => {
      // Once for each: a switch that ended meanwhile never comes into the list.
      if (killSwitchId === lastHeard || active.some(({ id }) => id === killSwitchId)) return;
      lastHeard = killSwitchId;
      waking.abort();
    },
    close: async () => {
      closing.abort();
      await following;
    },
  };
}

function idsOf(switches: readonly ActiveSwitch[]): readonly string[] {
  return switches.map(({ id }) => id);
}

/** The first of a list, up to one that was seen already. */
function unseen(newestFirst: readonly ActiveSwitch[], seen: readonly string[]): readonly ActiveSwitch[] {
  const known = new Set(seen);
  const end = newestFirst.findIndex(({ id }) => known.has(id));
  return end < 0 ? newestFirst : newestFirst.slice(0, end);
}
