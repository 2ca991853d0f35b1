import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { Observation } from "../observation.ts";
import type { Check } from "./check.ts";
import { rounded } from "./rounded.ts";

/** The calls to one gateway around a fault, in milliseconds of the drill's own monotonic clock. */
export interface FaultWindow {
  readonly gateway: string;
  readonly subject: string;
  readonly brokenAtMs: number;
  readonly mendedAtMs: number;
  readonly observations: readonly Observation[];
}

/** A gateway that reads nothing denies every call that is sent after its lease, until the fault is over. */
export function judgeLease({ gateway, subject, brokenAtMs, mendedAtMs, observations }: FaultWindow): Check {
  const leaseEndMs = brokenAtMs + CONTROL_LEASE_MS;
  const after = observations.filter(({ sentAtMs }) => sentAtMs > leaseEndMs && sentAtMs < mendedAtMs);
  const allowed = after.filter(({ outcome }) => outcome === "allowed");
  const denied = after.filter(({ outcome }) => outcome === "closed" || outcome === "stopped");
  const lastAllowed = observations.findLast((one) => one.outcome === "allowed" && one.sentAtMs < mendedAtMs);
  const base = { id: "denies_after_lease", subject, gateway };
  const figures = {
    calls_after: after.length,
    allowed_after: allowed.length,
    last_allow_sent_ms: lastAllowed === undefined ? null : rounded(lastAllowed.sentAtMs - brokenAtMs),
    lease_ms: CONTROL_LEASE_MS,
  };
  const [first] = allowed;
  if (first !== undefined) {
    const lateMs = rounded(first.sentAtMs - brokenAtMs);
    const detail = `${gateway} allowed a call that was sent ${lateMs} ms after the fault`;
    return { ...base, verdict: "failed", figures, detail };
  }
  if (!observations.some(({ outcome, endedAtMs }) => outcome === "allowed" && endedAtMs < brokenAtMs))
    return {
      ...base,
      verdict: "not_measured",
      figures,
      detail: `${gateway} allowed no call before the fault`,
    };
  if (denied.length === 0)
    return {
      ...base,
      verdict: "not_measured",
      figures,
      detail: `${gateway} answered no call after its lease`,
    };
  return { ...base, verdict: "passed", figures, detail: `${gateway} denied ${denied.length} calls` };
}
