import { hostname } from "node:os";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { FollowedState } from "@svc/control-feed/control-follower";
import type { AcknowledgementReader } from "@svc/control-plane/containment";
import type { WallClock } from "@svc/process/clock";
import { VERSION } from "@svc/process/version";
import type { StoredActivation } from "@svc/store/ports/kill-switch-store";

export interface LocalAcknowledgementParts {
  readonly id: string;
  readonly followed: Pick<FollowedState, "ageMs" | "appliedRevision">;
  readonly clock: WallClock;
}

/** Numbers of the process that activated a switch and of this one, where it was started later. */
const [EARLIER, PRESENT] = [0, 1];

/** The reach of switches in the one process that owns its store. Its times are those of its own clock. */
export function localAcknowledgements({
  id,
  followed,
  clock,
}: LocalAcknowledgementParts): AcknowledgementReader {
  const startedAt = clock.now();
  // Every process of the store loads what was committed before it decides its first call.
  const joinedRevision = followed.appliedRevision ?? 0;
  const facts = { id, host: hostname(), version: VERSION, role: "all" as const };
  const member = () => ({
    ...facts,
    epoch: PRESENT,
    startedAt: startedAt.toISOString(),
    applied: followed.appliedRevision ?? 0,
    controlAgeMs: followed.ageMs,
    decisionsPerSecond: 0,
    beat: 0,
    lastSeenMs: clock.now().getTime(),
    joinedRevision,
    joinedMs: startedAt.getTime(),
  });
  const reach = ({ record, revision }: StoredActivation) => ({
    nowMs: clock.now().getTime(),
    members: [member()],
    reached: [
      {
        ...facts,
        epoch: joinedRevision >= revision ? EARLIER : PRESENT,
        acknowledgedMs:
          record.propagation_ms === null ? null : Date.parse(record.activated_at) + record.propagation_ms,
      },
    ],
    clock: "process" as const,
    issuer: id,
    leaseLeftMs: (wanted: number) =>
      Math.max(followed.appliedRevision ?? 0, joinedRevision) >= wanted
        ? 0
        : CONTROL_LEASE_MS - followed.ageMs,
  });
  return { reach: (_org, activation) => Promise.resolve(reach(activation)) };
}
