import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { isOpen, type Observation } from "../observation.ts";
import type { Check } from "./check.ts";
import { rounded } from "./rounded.ts";

/** One activation as the drill saw it, in milliseconds of the drill's own monotonic clock. */
export interface Activation {
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  /** What the server reports from `activated_at` to the slowest acknowledgement. */
  readonly propagationMs: number | null;
  readonly enforced: boolean;
  /** By gateway id: whether the answer says that this gateway has acknowledged. */
  readonly acknowledged: ReadonlyMap<string, boolean>;
}

/** The calls to one gateway around an activation. */
export interface KillWindow {
  readonly gateway: string;
  readonly subject: string;
  readonly activation: Activation;
  /** When the request was sent that ended the switch. Calls after it prove nothing. */
  readonly endedAtMs: number;
  readonly observations: readonly Observation[];
}

/**
 * No call goes on that was sent after the answer. A gateway that the answer names as unverified has until the
 * end of its lease. Calls that were sent earlier prove nothing, because they may have been decided before.
 */
export function judgeStop(window: KillWindow): Check {
  const { gateway, activation, endedAtMs, observations, subject } = window;
  const acknowledged = activation.acknowledged.get(gateway) === true;
  // The lease runs from the gateway's last read, which was sent before the answer at the latest.
  const boundMs = activation.answeredAtMs + (acknowledged ? 0 : CONTROL_LEASE_MS);
  const after = observations.filter(({ sentAtMs }) => sentAtMs > boundMs && sentAtMs < endedAtMs);
  const open = after.filter(isOpen);
  const denied = after.filter(({ outcome }) => outcome === "stopped" || outcome === "closed");
  const before = observations.filter((one) => isOpen(one) && one.endedAtMs < activation.sentAtMs);
  const base = { id: "no_call_after_kill", subject, gateway };
  const figures = { calls_after: after.length, open_after: open.length, denied_after: denied.length };
  const since = acknowledged ? "the answer that named it" : "the end of its lease";
  const [first] = open;
  if (first !== undefined) {
    const lateMs = rounded(first.sentAtMs - boundMs);
    const detail = `${gateway} decided a call as ${first.outcome} that was sent ${lateMs} ms after ${since}`;
    return { ...base, verdict: "failed", figures, detail };
  }
  if (before.length === 0)
    return {
      ...base,
      verdict: "not_measured",
      figures,
      detail: `${gateway} let no call go on before the kill`,
    };
  if (denied.length === 0)
    return {
      ...base,
      verdict: "not_measured",
      figures,
      detail: `${gateway} answered no call after ${since}`,
    };
  return { ...base, verdict: "passed", figures, detail: `no call went on after ${since}` };
}

/**
 * How long a gateway let calls go on, as two bounds that are certain whatever the clocks and the network did:
 * at least until the last call was sent that went on, at most until the first denied one was answered.
 */
export function judgePropagation(window: KillWindow, targetMs: number): Check {
  const { gateway, activation, endedAtMs, observations, subject } = window;
  const before = observations.filter(({ sentAtMs }) => sentAtMs < endedAtMs);
  const lastOpen = before.filter((one) => isOpen(one)).at(-1);
  const openUntilMs = lastOpen?.sentAtMs ?? Number.NEGATIVE_INFINITY;
  const firstStopped = before.find(
    ({ outcome, sentAtMs, endedAtMs: atMs }) =>
      outcome === "stopped" && sentAtMs >= openUntilMs && atMs > activation.sentAtMs,
  );
  const base = { id: "propagation", subject, gateway };
  if (lastOpen === undefined || firstStopped === undefined)
    return {
      ...base,
      verdict: "not_measured",
      figures: { at_least_ms: null, at_most_ms: null, target_ms: targetMs },
      detail: `${gateway} was not seen both before and after the kill`,
    };
  // The switch was made after the request was sent, and at the latest when its reported time began.
  const latestStartMs = activation.answeredAtMs - (activation.propagationMs ?? 0);
  const atLeastMs = rounded(Math.max(0, openUntilMs - latestStartMs));
  const atMostMs = rounded(firstStopped.endedAtMs - activation.sentAtMs);
  const figures = { at_least_ms: atLeastMs, at_most_ms: atMostMs, target_ms: targetMs };
  const detail = `${gateway} stopped calls between ${atLeastMs} and ${atMostMs} ms, expected ${targetMs}`;
  if (atMostMs <= targetMs) return { ...base, verdict: "passed", figures, detail };
  if (atLeastMs > targetMs) return { ...base, verdict: "failed", figures, detail };
  return { ...base, verdict: "not_measured", figures, detail: `${detail}; the bounds are too far apart` };
}

/** What the server reports: every expected gateway is listed, all acknowledged, and in time. */
export function judgeReported(
  { activation, subject }: Pick<KillWindow, "activation" | "subject">,
  { gateways, targetMs }: { readonly gateways: readonly string[]; readonly targetMs: number },
): Check {
  const { acknowledged, enforced, propagationMs } = activation;
  const base = {
    id: "reported",
    subject,
    gateway: null,
    figures: { propagation_ms: propagationMs, target_ms: targetMs },
  };
  const missing = gateways.filter((id) => !acknowledged.has(id));
  if (missing.length > 0)
    return { ...base, verdict: "failed", detail: `the answer does not list ${missing.join(", ")}` };
  const silent = [...acknowledged].filter(([, has]) => !has).map(([id]) => id);
  if (enforced && silent.length > 0)
    return { ...base, verdict: "failed", detail: `enforced is true, but ${silent.join(", ")} was silent` };
  if (!enforced)
    return { ...base, verdict: "failed", detail: `not enforced: no acknowledgement of ${silent.join(", ")}` };
  const inTime = propagationMs !== null && propagationMs <= targetMs;
  const detail = `the server reports ${String(propagationMs)} ms for ${acknowledged.size} gateways`;
  return { ...base, verdict: inTime ? "passed" : "failed", detail };
}
