import type { Verdict } from "@svc/contract/verdict";

/**
 * Milliseconds for which a repeated call with the same key gets the same verdict. It is meant for a proxy's
 * retry, not for a later replay.
 */
export const REMEMBERED_FOR_MS = 60_000;

/** Bytes counted for each verdict in addition to its own: the keys, the digest and the map entry. */
const ENTRY_OVERHEAD_BYTES = 1_024;

/** A call to which its caller gave an idempotency key. */
export interface NamedCall {
  readonly org: string;
  /** The agent of the call. When room is short, this agent's own verdicts are forgotten first. */
  readonly agentId: string;
  /** Where the call was decided. */
  readonly namespace: string;
  /** Organization, principal and the key that the caller chose, joined without ambiguity. */
  readonly key: string;
  readonly bodyDigest: string;
}

/** A decision, and the organization that it belongs to. */
export interface NamedDecision {
  readonly org: string;
  readonly decisionId: string;
}

/** One remembered call. */
export interface Remembered {
  readonly call: NamedCall;
  readonly atMs: number;
  /**
   * The verdict while it is being decided, null when another request has the key. Then the verdict's JSON:
   * objects would take many times the memory.
   */
  answer: Promise<Verdict | null> | Buffer;
  /** Names the decision when it allowed the call; null before the decision and for any other one. */
  decision: string | null;
  /**
   * Outcome reports that are being recorded. Until they end it is unknown whether the verdict still holds.
   */
  readonly reports: Set<Promise<unknown>>;
  /** True when the decision's charge no longer covers a run. The verdict must then not be given again. */
  spent: boolean;
}

/** Names the agent of a call among those of all organizations. */
export function agentOf({ org, agentId }: NamedCall): string {
  return JSON.stringify([org, agentId]);
}

/** Bytes that this call counts for. A verdict that is not decided yet counts for none. */
export function sizeOf({ answer }: Remembered): number {
  return Buffer.isBuffer(answer) ? answer.byteLength + ENTRY_OVERHEAD_BYTES : 0;
}

/** Names a decision among those of all organizations. */
export function nameOf({ org, decisionId }: NamedDecision): string {
  return JSON.stringify([org, decisionId]);
}
