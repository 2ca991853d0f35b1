/**
 * What a gateway made of one call.
 * `allowed`: it may run. `ruled`: denied or paused by a policy, or because there is none. `stopped`: denied
 * by a kill switch. `closed`: denied because the gateway could not decide. `unanswered`: no readable verdict.
 */
export const OUTCOMES = ["allowed", "ruled", "stopped", "closed", "unanswered"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One call of the drill, in milliseconds of the drill's own monotonic clock. */
export interface Observation {
  /** The gateway's id. */
  readonly gateway: string;
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: Outcome;
  /** Names the row of the answer; null where it named none. */
  readonly decisionId: string | null;
}

/** A call that no kill switch stopped: the gateway allowed it, or decided it by its policy. */
export function isOpen({ outcome }: Pick<Observation, "outcome">): boolean {
  return outcome === "allowed" || outcome === "ruled";
}
