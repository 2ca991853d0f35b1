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
  close(): Promise<void>;
}

export interface KillWatchPorts {
  readonly api: Pick<GatewayApi, "activeSwitches">;
  readonly running: RunningCalls;
  readonly monotonicMs: () => number;
  /** Told when the list cannot be read, once per outage, and with null when it can be again. */
  readonly onOutage: (error: unknown) => void;
}

/**
 * Follows the gateway's kill switches by asking for the list every second, and stops what runs in their
 * scopes. New calls do not depend on it: the gateway judges each. Without a list running calls go on.
 */
export function startKillWatch(ports: KillWatchPorts): KillWatch {
  const closing = new AbortController();
  let active: readonly ActiveSwitch[] = [];
  let scopes = new KillScopes(active);
  let verifiedMs = Number.NEGATIVE_INFINITY;
  let isOut = false;
  const look = async (): Promise<void> => {
    const askedMs = ports.monotonicMs();
    try {
      const before = new Set(active.map(({ id }) => id));
      active = await ports.api.activeSwitches();
      scopes = new KillScopes(active);
      verifiedMs = askedMs;
      // What a switch did not stop when the gateway judged it, the same switch does not stop later.
      ports.running.enforce(new KillScopes(active.filter(({ id }) => !before.has(id))));
      if (isOut) ports.onOutage(null);
      isOut = false;
    } catch (error) {
      if (!isOut && !closing.signal.aborted) ports.onOutage(error);
      isOut = true;
    }
  };
  const follow = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await look();
      await delay(KILL_POLL_INTERVAL_MS, undefined, { signal: closing.signal }).catch(() => undefined);
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
    close: async () => {
      closing.abort();
      await following;
    },
  };
}
