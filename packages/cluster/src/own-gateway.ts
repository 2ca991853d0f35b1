import { hostname } from "node:os";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { FollowedState } from "@svc/control-feed/control-follower";
import type { GatewayDirectory } from "@svc/control-plane/ports";
import type { WallClock } from "@svc/process/clock";
import { VERSION } from "@svc/process/version";
import type { DecisionRate } from "./decision-rate.ts";

export interface OwnGatewayParts {
  readonly id: string;
  readonly followed: Pick<FollowedState, "ageMs" | "appliedRevision">;
  readonly decisions: Pick<DecisionRate, "perSecond">;
  readonly clock: WallClock;
}

/** The list of the one process that owns its store. It applies each change before it answers. */
export function ownGateway({ id, followed, decisions, clock }: OwnGatewayParts): GatewayDirectory {
  const startedAt = clock.now().toISOString();
  const list = () => {
    const now = clock.now();
    const leaseMs = CONTROL_LEASE_MS - followed.ageMs;
    return [
      {
        id,
        host: hostname(),
        version: VERSION,
        role: "all" as const,
        started_at: startedAt,
        applied_revision: followed.appliedRevision ?? 0,
        lag: 0,
        lease_ends_at: leaseMs < 0 ? null : new Date(now.getTime() + leaseMs).toISOString(),
        last_seen_at: now.toISOString(),
        decisions_per_second: decisions.perSecond,
      },
    ];
  };
  return { list: () => Promise.resolve(list()) };
}
