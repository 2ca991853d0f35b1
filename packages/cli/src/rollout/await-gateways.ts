import { setTimeout as delay } from "node:timers/promises";
import { policyRoutes } from "@svc/api/policy-routes";
import type { GatewayAcknowledgement } from "@svc/contract/acknowledgement";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";
import type { Output } from "../frame/output.ts";

/** What is known of one gateway. */
export interface GatewayState {
  readonly id: string;
  /** Milliseconds from the change until it was known to decide by the version. Null: not confirmed. */
  readonly confirmed_ms: number | null;
  /** Whether the server listed it when it was asked last. */
  readonly listed: boolean;
}

/** Which gateways decide by a version. */
export interface Confirmation {
  /** True only when at least one gateway is known and each that was ever listed has confirmed. */
  readonly confirmed: boolean;
  readonly gateways: readonly GatewayState[];
  /** Why the wait ended before that. */
  readonly unconfirmed_because: string | null;
}

interface GatewayWait {
  readonly id: string;
  readonly version: number;
  /** What the answer to the change said. */
  readonly known: readonly GatewayAcknowledgement[];
  /** When the change was sent, by the monotonic clock. */
  readonly sentMs: number;
  readonly waitMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** Milliseconds between two questions, each of which the server holds while gateways are silent. */
const PAUSE_MS = 200;

/**
 * Waits until every gateway decides by the version or a later one. A gateway that is not listed any more and
 * has not confirmed still counts: nobody knows what it decides by.
 */
export async function awaitGateways(
  client: Pick<ControlClient, "ask">,
  wait: GatewayWait,
  output: Pick<Output, "progress">,
): Promise<Confirmation> {
  const { id, version, sentMs, waitMs, signal } = wait;
  const states = new Map<string, GatewayState>();
  note(states, wait.known, null);
  const endMs = performance.now() + waitMs;
  let fault: string | null = null;
  while (!isConfirmed(states)) {
    if (signal.aborted) return ended(states, "the wait was interrupted");
    if (performance.now() >= endMs)
      return ended(states, fault ?? `the wait of ${String(Math.round(waitMs / 1_000))} s is over`);
    output.progress(progressText(states, id, version));
    try {
      const { body } = await client.ask(policyRoutes.getPolicyGateways, {
        params: { policy_id: id },
        signal,
      });
      fault = null;
      if (body.version >= version) note(states, body.gateways, performance.now() - sentMs);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      fault = error.message;
      if (error.outcome !== "unreachable") return ended(states, fault);
    }
    if (!isConfirmed(states)) await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  return ended(states, null);
}

/** @param sinceMs the time that an acknowledgement counts as; null: its own */
function note(
  states: Map<string, GatewayState>,
  gateways: readonly GatewayAcknowledgement[],
  sinceMs: number | null,
): void {
  const listed = new Set(gateways.map(({ id }) => id));
  for (const [id, state] of states) states.set(id, { ...state, listed: listed.has(id) });
  for (const { id, acknowledged_ms: ms } of gateways) {
    const before = states.get(id)?.confirmed_ms ?? null;
    const now = ms === null ? null : Math.ceil(sinceMs ?? ms);
    states.set(id, { id, confirmed_ms: before ?? now, listed: true });
  }
}

function isConfirmed(states: ReadonlyMap<string, GatewayState>): boolean {
  return states.size > 0 && [...states.values()].every(({ confirmed_ms: ms }) => ms !== null);
}

function ended(states: ReadonlyMap<string, GatewayState>, because: string | null): Confirmation {
  const gateways = [...states.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return { confirmed: isConfirmed(states), gateways, unconfirmed_because: because };
}

function progressText(states: ReadonlyMap<string, GatewayState>, id: string, version: number): string {
  const done = [...states.values()].filter(({ confirmed_ms: ms }) => ms !== null).length;
  return `${id} version ${String(version)}: gateways ${String(done)}/${String(states.size)}`;
}
