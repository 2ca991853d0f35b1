import type { GatewayAcknowledgement } from "@svc/contract/acknowledgement";
import { POLICY_PROPAGATION_WAIT_MS, PROPAGATION_WAIT_MS } from "@svc/contract/limits";
import type { FollowedState } from "@svc/control-feed/control-follower";
import type { ProbeResult, ProbeTarget, Propagation } from "@svc/control-plane/propagation";
import type { Gateway } from "@svc/gateway/gateway";
import type { MonotonicClock } from "@svc/process/clock";
import { within } from "@svc/process/within";
import { roundedMs } from "./gather-acknowledgements.ts";

export interface LocalPropagationOptions {
  /** Id under which the gateway acknowledges. */
  readonly gatewayId: string;
  readonly gateway: Pick<Gateway, "catchUp" | "catchUpPolicies" | "catchUpPolicy" | "affected" | "sighting">;
  /** The keys of this process; null while authentication is off. */
  readonly followedKeys: Pick<FollowedState, "catchUp"> | null;
  readonly clock: MonotonicClock;
}

/**
 * Propagation to the one gateway in this process: it reads the feed at once, on the same path as any other
 * gateway, and acknowledges the revision that it then enforces.
 */
export function localPropagation({
  gatewayId,
  gateway,
  followedKeys,
  clock,
}: LocalPropagationOptions): Propagation {
  const acknowledge = async (
    revision: number,
    { waitMs, catchUp }: { readonly waitMs: number; readonly catchUp: () => Promise<number> },
  ): Promise<readonly GatewayAcknowledgement[]> => {
    const startedMs = clock.nowMs();
    const caughtUp = await within(
      waitMs,
      catchUp().catch(() => null),
    );
    const enforced = caughtUp.kind === "late" ? null : caughtUp.value;
    const acknowledged = enforced !== null && enforced >= revision;
    return [{ id: gatewayId, acknowledged_ms: acknowledged ? roundedMs(clock.nowMs() - startedMs) : null }];
  };
  const announce = (revision: number): Promise<readonly GatewayAcknowledgement[]> =>
    acknowledge(revision, { waitMs: PROPAGATION_WAIT_MS, catchUp: () => gateway.catchUp() });
  const probe = async (target: ProbeTarget): Promise<ProbeResult> => ({
    gateways: await announce(0),
    affected: gateway.affected(target),
    sighting: gateway.sighting(target),
  });
  return {
    announce,
    announceSwitch: ({ revision, target }) => ({
      acknowledged: announce(revision),
      probed: probe(target),
    }),
    announcePolicyChange: (revision) =>
      acknowledge(revision, {
        waitMs: POLICY_PROPAGATION_WAIT_MS,
        catchUp: () => gateway.catchUpPolicies(revision),
      }),
    probePolicy: (org, id) =>
      acknowledge(0, {
        waitMs: POLICY_PROPAGATION_WAIT_MS,
        catchUp: () => gateway.catchUpPolicy(org, id),
      }),
    announceKeyChange: (revision, waitMs) =>
      acknowledge(revision, {
        waitMs,
        // A call passes both: the check of its key, and the gateway that decides it.
        catchUp: async () =>
          Math.min(await gateway.catchUp(), (await followedKeys?.catchUp()) ?? Number.POSITIVE_INFINITY),
      }),
    probe,
  };
}
