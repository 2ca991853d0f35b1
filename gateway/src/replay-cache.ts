import type { Verdict } from "@svc/contract/verdict";
import type { MonotonicClock } from "@svc/process/clock";
import type { OutcomeResult } from "./outcome.ts";
import {
  agentOf,
  type NamedCall,
  type NamedDecision,
  nameOf,
  REMEMBERED_FOR_MS,
  type Remembered,
  sizeOf,
} from "./remembered-call.ts";

/** Verdicts remembered at once, as count. With small verdicts the count is reached before the bytes are. */
const MAX_REMEMBERED = 20_000;

/**
 * Bytes of all remembered verdicts together: 64 MiB. A verdict with rewritten arguments can be as large as a
 * body, so a count alone would not bound memory.
 */
const MAX_REMEMBERED_BYTES = 64 * 1024 * 1024;

/**
 * Remembers verdicts by the key that the caller gave the call, so that a repeat is counted once. Kept
 * in this process only, and bounded in time, count and bytes; beyond a bound an old verdict is
 * forgotten, and a repeat of its call is decided and charged anew. An agent that uses more than its
 * share loses its own verdicts.
 */
export class ReplayCache {
  readonly #clock: MonotonicClock;
  readonly #maxBytes: number;
  /** Oldest first. */
  readonly #byKey = new Map<string, Remembered>();
  readonly #byDecision = new Map<string, Remembered>();
  readonly #byAgent = new Map<string, AgentShare>();
  #bytes = 0;

  constructor(clock: MonotonicClock, maxBytes: number = MAX_REMEMBERED_BYTES) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** The call that is remembered under this key, possibly with another body; null when there is none. */
  find({ key }: NamedCall): Remembered | null {
    this.#forgetOld();
    return this.#byKey.get(key) ?? null;
  }

  /**
   * Remembers a call whose verdict is not decided yet. It replaces the call that was remembered under this
   * key. A call that gets no verdict, because another request holds its key, is forgotten.
   */
  remember(call: NamedCall, verdict: Promise<Verdict | null>): Promise<Verdict | null> {
    const before = this.#byKey.get(call.key);
    if (before !== undefined) this.#forget(before);
    const atMs = this.#clock.nowMs();
    const answer = verdict.then((decided) => this.#keep(remembered, decided));
    const remembered: Remembered = { call, atMs, answer, decision: null, reports: new Set(), spent: false };
    this.#byKey.set(call.key, remembered);
    this.#shareOf(call).entries.add(remembered);
    return answer;
  }

  /**
   * Runs the report of an outcome after which the charge no longer covers a run. Repeats that
   * arrive meanwhile wait for it. When the outcome is recorded, the verdict is forgotten; a refused
   * report changes nothing.
   */
  async spend(decision: NamedDecision, report: () => Promise<OutcomeResult>): Promise<OutcomeResult> {
    const name = nameOf(decision);
    const reported = report();
    const waited = reported.then(doNothing, doNothing);
    const held = this.#byDecision.get(name);
    held?.reports.add(waited);
    try {
      const result = await reported;
      if (result.kind === "recorded" || result.kind === "repeated") {
        for (const spent of this.#spend(name, held)) this.#forget(spent);
      }
      return result;
    } catch (error) {
      // It is unknown whether the charge was given back. The decision stays marked as spent, so a repeat
      // takes the key from it and is charged anew, which is the safe side.
      this.#spend(name, held);
      throw error;
    } finally {
      held?.reports.delete(waited);
    }
  }

  /** A verdict that a fault caused is forgotten, so a repeat of the call can be decided. */
  #keep(remembered: Remembered, verdict: Verdict | null): Verdict | null {
    const { call } = remembered;
    if (this.#byKey.get(call.key) !== remembered) return verdict;
    if (verdict === null || (verdict.decision === "deny" && verdict.fail_closed)) {
      this.#forget(remembered);
      return verdict;
    }
    const bytes = Buffer.from(JSON.stringify(verdict));
    remembered.answer = bytes;
    this.#bytes += sizeOf(remembered);
    this.#shareOf(call).bytes += sizeOf(remembered);
    if (verdict.decision === "allow") {
      remembered.decision = nameOf({ org: call.org, decisionId: verdict.decision_id });
      this.#byDecision.set(remembered.decision, remembered);
    }
    this.#makeRoom(call);
    return verdict;
  }

  /** `held` may have been forgotten meanwhile because room was short, while repeats still wait for it. */
  #spend(name: string, held: Remembered | undefined): readonly Remembered[] {
    const spent = [held, this.#byDecision.get(name)].filter((remembered) => remembered !== undefined);
    for (const remembered of spent) remembered.spent = true;
    return spent;
  }

  #forget(remembered: Remembered): void {
    const { call, decision } = remembered;
    if (this.#byKey.get(call.key) !== remembered) return;
    this.#byKey.delete(call.key);
    if (decision !== null) this.#byDecision.delete(decision);
    this.#bytes -= sizeOf(remembered);
    const share = this.#shareOf(call);
    share.bytes -= sizeOf(remembered);
    share.entries.delete(remembered);
    if (share.entries.size === 0) this.#byAgent.delete(agentOf(call));
  }

  #forgetOld(): void {
    const sinceMs = this.#clock.nowMs() - REMEMBERED_FOR_MS;
    for (const remembered of this.#byKey.values()) {
      if (remembered.atMs > sinceMs) return;
      this.#forget(remembered);
    }
  }

  /** Forgets verdicts of the agent that just took room while that agent has more than its share. */
  #makeRoom(call: NamedCall): void {
    this.#forgetOld();
    while (this.#byKey.size > MAX_REMEMBERED || this.#bytes > this.#maxBytes) {
      const share = this.#byAgent.get(agentOf(call));
      const [oldest] = share !== undefined && this.#hasMore(share) ? share.entries : this.#byKey.values();
      if (oldest === undefined) return;
      this.#forget(oldest);
    }
  }

  #hasMore({ entries, bytes }: AgentShare): boolean {
    const agents = this.#byAgent.size;
    return bytes > this.#maxBytes / agents || entries.size > MAX_REMEMBERED / agents;
  }

  #shareOf(call: NamedCall): AgentShare {
    const agent = agentOf(call);
    const known = this.#byAgent.get(agent);
    if (known !== undefined) return known;
    const share: AgentShare = { entries: new Set(), bytes: 0 };
    this.#byAgent.set(agent, share);
    return share;
  }
}

/** The remembered calls of one agent. */
interface AgentShare {
  /** Oldest first. */
  readonly entries: Set<Remembered>;
  bytes: number;
}

function doNothing(): void {}
