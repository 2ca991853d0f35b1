import type { Anomaly } from "@svc/contract/anomaly";
import type { BehaviourSettings } from "@svc/contract/behaviour";
import { isRetryable } from "@svc/contract/retryable";
import { isReasonCode } from "@svc/contract/verdict";
import type { ObservedAnomaly, ObservedCall } from "./observed-call.ts";
import { RepeatedCalls } from "./repeated-calls.ts";
import { SlidingCount } from "./sliding-count.ts";
import { UsualMinute } from "./usual-minute.ts";

const MINUTE_MS = 60_000;

/** Milliseconds in which a denied call that comes again counts as a retry. */
const RETRY_WINDOW_MS = 10 * MINUTE_MS;

/** Tools that one agent is known to call, as count. An agent that calls more has no tool that is new. */
const MAX_TOOLS = 1_000;

/** Share of denied calls from which a minute with many is a storm, as a ratio. */
const STORM_SHARE = 0.5;

/** What an agent had called before the first call that is watched. */
export interface CallHistory {
  readonly calls: number;
  /** At most MAX_TOOLS; null: more. */
  readonly tools: readonly string[] | null;
}

/**
 * What is remembered of one agent: some windows of counts and the names of its tools, at most some 100 KiB.
 * Every threshold is reached once for each run of calls, so that a lasting condition is reported once.
 */
export class AgentBehaviour {
  readonly #repeats = new RepeatedCalls(MINUTE_MS);
  readonly #retries = new RepeatedCalls(RETRY_WINDOW_MS);
  readonly #minute = new UsualMinute();
  readonly #recent = new SlidingCount(MINUTE_MS);
  readonly #denied = new SlidingCount(MINUTE_MS);
  #isStorm = false;
  #calls: number;
  #tools: Set<string> | null;

  constructor(history: CallHistory) {
    this.#calls = history.calls;
    this.#tools = history.tools === null ? null : new Set(history.tools);
  }

  note(call: ObservedCall, settings: BehaviourSettings): readonly ObservedAnomaly[] {
    const found = [
      this.#noteRepeat(call, settings.repeated_calls),
      this.#noteRetry(call, settings.denied_retries),
      this.#noteDeny(call, settings.deny_storm),
      this.#noteMinute(call, settings.burst_factor),
      this.#noteTool(call, settings.new_tool_after_calls),
    ];
    return found.filter((anomaly) => anomaly !== null);
  }

  #noteRepeat(call: ObservedCall, threshold: number | null): ObservedAnomaly | null {
    if (threshold === null) return null;
    const run = this.#repeats.note(call.callDigest, call.atMs, call.decisionId, threshold);
    if (run === null) return null;
    const explanation = `called ${call.tool} with the same arguments ${times(run.times)} within a minute`;
    return anomalyOf(call, "identical_call_repeated", explanation, run.decisionIds);
  }

  #noteRetry(call: ObservedCall, threshold: number | null): ObservedAnomaly | null {
    if (threshold === null || call.decision !== "deny" || mayBeRetried(call)) return null;
    // The first deny is not a retry.
    const key = `${call.callDigest} ${call.ruleId ?? ""}`;
    const run = this.#retries.note(key, call.atMs, call.decisionId, threshold + 1);
    if (run === null) return null;
    const by = call.ruleId === null ? "" : `; the rule ${call.ruleId} denies it`;
    const again = times(run.times - 1);
    const explanation = `repeated a denied call of ${call.tool} ${again} within ten minutes${by}`;
    return anomalyOf(call, "denied_call_retried", explanation, run.decisionIds);
  }

  #noteDeny(call: ObservedCall, threshold: number | null): ObservedAnomaly | null {
    const calls = this.#recent.add(call.atMs);
    const denied = call.decision === "deny" ? this.#denied.add(call.atMs) : this.#denied.at(call.atMs);
    if (threshold === null) return null;
    const isStorm = denied >= threshold && denied >= STORM_SHARE * calls;
    const begins = isStorm && !this.#isStorm;
    this.#isStorm = isStorm;
    if (!begins) return null;
    const explanation = `had ${String(denied)} of ${String(calls)} calls denied within a minute`;
    return anomalyOf(call, "deny_storm", explanation, [call.decisionId]);
  }

  #noteMinute(call: ObservedCall, factor: number | null): ObservedAnomaly | null {
    if (factor === null) return null;
    const burst = this.#minute.note(call.atMs, factor);
    if (burst === null) return null;
    const usual = burst.mean.toFixed(1);
    const explanation = `made ${String(burst.calls)} calls in one minute; its usual minute has ${usual}`;
    return anomalyOf(call, "call_burst", explanation, [call.decisionId]);
  }

  #noteTool(call: ObservedCall, afterCalls: number | null): ObservedAnomaly | null {
    const before = this.#calls;
    this.#calls += 1;
    if (this.#tools === null || this.#tools.has(call.tool)) return null;
    this.#tools.add(call.tool);
    if (this.#tools.size > MAX_TOOLS) this.#tools = null;
    if (afterCalls === null || before < afterCalls) return null;
    const explanation = `called ${call.tool} for the first time, after ${String(before)} other calls`;
    return anomalyOf(call, "tool_never_seen", explanation, [call.decisionId]);
  }
}

function times(count: number): string {
  return count === 1 ? "once" : `${String(count)} times`;
}

/** A code of a later version counts as one that a repeat can change: it raises nothing. */
function mayBeRetried({ reasonCode }: ObservedCall): boolean {
  return reasonCode === null || !isReasonCode(reasonCode) || isRetryable(reasonCode);
}

function anomalyOf(
  { org, namespace, agentId, sessionId, atMs }: ObservedCall,
  kind: Anomaly,
  explanation: string,
  decisionIds: readonly string[],
): ObservedAnomaly {
  return { org, namespace, agentId, sessionId, anomaly: kind, explanation, decisionIds, atMs };
}
