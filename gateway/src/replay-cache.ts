import type { Verdict } from "@svc/contract/verdict";
import type { OutcomeResult } from "./outcome.ts";
import type { MonotonicClock } from "./ports.ts";

/**
 * Milliseconds for which a repeated call with the same key gets the same verdict: a proxy's retry, not a
 * replay.
 */
const REMEMBERED_FOR_MS = 60_000;

/** Verdicts remembered at once, as count. With small verdicts the count is reached before the bytes are. */
const MAX_REMEMBERED = 20_000;

/**
 * Bytes of all remembered verdicts together: 64 MiB. A verdict with rewritten arguments can be as large as a
 * body, so a count alone would not bound memory.
 */
const MAX_REMEMBERED_BYTES = 64 * 1024 * 1024;

/** Bytes counted for each verdict beside its own: the keys, the digest and the entry that hold it. */
const ENTRY_OVERHEAD_BYTES = 1_024;

/** One call that its caller named. */
export interface NamedCall {
  readonly org: string;
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
  /** The verdict while it is being decided, then its JSON: objects would take many times the memory. */
  answer: Promise<Verdict> | Buffer;
  /** Names the decision once it allowed the call; null before and otherwise. */
  decision: string | null;
  /** Reports of the decision's outcome on their way: what the verdict is worth is unknown until they end. */
  readonly reports: Set<Promise<unknown>>;
  /** True once the decision's charge no longer covers a run: the verdict must not be given again. */
  spent: boolean;
}

/**
 * Remembers verdicts by the key that the caller gave the call, so that a repeat is counted once. Kept in this
 * process only, and bounded in time, count and bytes; beyond a bound the oldest verdict is forgotten, and a
 * repeat of its call is decided and charged anew.
 */
export class ReplayCache {
  readonly #clock: MonotonicClock;
  readonly #maxBytes: number;
  /** Oldest first. */
  readonly #byKey = new Map<string, Remembered>();
  readonly #byDecision = new Map<string, Remembered>();
  #bytes = 0;

  constructor(clock: MonotonicClock, maxBytes: number = MAX_REMEMBERED_BYTES) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** What is remembered under the call's key, which may be of another body; null when nothing is. */
  find({ key }: NamedCall): Remembered | null {
    this.#forgetOld();
    return this.#byKey.get(key) ?? null;
  }

  /** Remembers the call, whose verdict is on its way, in place of anything that was remembered before. */
  remember(call: NamedCall, verdict: Promise<Verdict>): Promise<Verdict> {
    const before = this.#byKey.get(call.key);
    if (before !== undefined) this.#forget(before);
    const atMs = this.#clock.nowMs();
    const answer = verdict.then((decided) => this.#keep(remembered, decided));
    const remembered: Remembered = { call, atMs, answer, decision: null, reports: new Set(), spent: false };
    this.#byKey.set(call.key, remembered);
    return answer;
  }

  /**
   * Runs the report of an outcome after which the charge no longer covers a run. Repeats that come meanwhile
   * wait for it. Once the outcome is recorded the verdict is forgotten; a refused report changes nothing.
   */
  async spend(decision: NamedDecision, report: () => Promise<OutcomeResult>): Promise<OutcomeResult> {
    const name = nameOf(decision);
    const reported = report();
    const waited = reported.then(doNothing, doNothing);
    const held = this.#byDecision.get(name);
    held?.reports.add(waited);
    try {
      const result = await reported;
      if (result.kind === "recorded" || result.kind === "repeated") this.#spend(name);
      return result;
    } catch (error) {
      // Whether the charge was given back is unknown: a repeat is charged anew, which errs to the safe side.
      this.#spend(name);
      throw error;
    } finally {
      held?.reports.delete(waited);
    }
  }

  /** A verdict that a fault caused is forgotten: the repeat may then be decided. */
  #keep(remembered: Remembered, verdict: Verdict): Verdict {
    const { call } = remembered;
    if (this.#byKey.get(call.key) !== remembered) return verdict;
    if (verdict.decision === "deny" && verdict.fail_closed) {
      this.#forget(remembered);
      return verdict;
    }
    const bytes = Buffer.from(JSON.stringify(verdict));
    remembered.answer = bytes;
    this.#bytes += sizeOf(remembered);
    if (verdict.decision === "allow") {
      remembered.decision = nameOf({ org: call.org, decisionId: verdict.decision_id });
      this.#byDecision.set(remembered.decision, remembered);
    }
    this.#forgetOld();
    return verdict;
  }

  #spend(name: string): void {
    const remembered = this.#byDecision.get(name);
    if (remembered === undefined) return;
    remembered.spent = true;
    this.#forget(remembered);
  }

  #forget(remembered: Remembered): void {
    const { call, decision } = remembered;
    if (this.#byKey.get(call.key) !== remembered) return;
    this.#byKey.delete(call.key);
    if (decision !== null) this.#byDecision.delete(decision);
    this.#bytes -= sizeOf(remembered);
  }

  #forgetOld(): void {
    const sinceMs = this.#clock.nowMs() - REMEMBERED_FOR_MS;
    for (const remembered of this.#byKey.values()) {
      const fits = this.#byKey.size <= MAX_REMEMBERED && this.#bytes <= this.#maxBytes;
      if (fits && remembered.atMs > sinceMs) return;
      this.#forget(remembered);
    }
  }
}

/** What a verdict that is still being decided takes is bounded by the calls in flight. */
function sizeOf({ answer }: Remembered): number {
  return Buffer.isBuffer(answer) ? answer.byteLength + ENTRY_OVERHEAD_BYTES : 0;
}

function nameOf({ org, decisionId }: NamedDecision): string {
  return JSON.stringify([org, decisionId]);
}

function doNothing(): void {}
