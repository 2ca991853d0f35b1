import type { Verdict } from "@svc/contract/verdict";

/**
 * Milliseconds for which a repeated call with the same key gets the same verdict: a proxy's retry, not a
 * replay.
 */
export const REMEMBERED_FOR_MS = 60_000;

/** Bytes counted for each verdict beside its own: the keys, the digest and the entry that hold it. */
const ENTRY_OVERHEAD_BYTES = 1_024;

/** One call that its caller named. */
export interface NamedCall {
  readonly org: string;
  /** Who pays for a lack of room first: the agent of the call. */
  readonly agentId: string;
  /** Organization, principal and the key that the caller chose, joined without ambiguity. */
  readonly key: string;
  readonly bodyDigest: string;
}

/** A decision by the organization that it belongs to. */
export interface NamedDecision {
  readonly org: string;
  readonly decisionId: string;
}

/** What is remembered of one call. */
export interface Remembered {
  readonly call: NamedCall;
  readonly atMs: number;
  /**
   * The verdict while it is being decided, null when another request has the key. Then the verdict's JSON:
   * objects would take many times the memory.
   */
  answer: Promise<Verdict | null> | Buffer;
  /** Names the decision once it allowed the call; null before and otherwise. */
  decision: string | null;
  /** Reports of the decision's outcome on their way: what the verdict is worth is unknown until they end. */
  readonly reports: Set<Promise<unknown>>;
  /** True once the decision's charge no longer covers a run: the verdict must not be given again. */
  spent: boolean;
}

/** Names the agent of a call among those of all organizations. */
export function agentOf({ org, agentId }: NamedCall): string {
  return JSON.stringify([org, agentId]);
}

/** Bytes that the call is counted with. A verdict that is still being decided counts as one in flight. */
export function sizeOf({ answer }: Remembered): number {
  return Buffer.isBuffer(answer) ? answer.byteLength + ENTRY_OVERHEAD_BYTES : 0;
}

/** Names a decision among those of all organizations. */
export function nameOf({ org, decisionId }: NamedDecision): string {
  return JSON.stringify([org, decisionId]);
}
