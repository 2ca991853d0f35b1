import type { Anomaly } from "@svc/contract/anomaly";
import type { BehaviourSettings } from "@svc/contract/behaviour";
import { isRetryable } from "@svc/contract/retryable";
import { isReasonCode, type ReasonCode } from "@svc/contract/verdict";
import { nameDigest } from "../database/name-digest.ts";
import type { ObservedAnomaly } from "./observed-anomaly.ts";
import type { ObservedCall } from "./observed-call.ts";
import { RepeatedCalls } from "./repeated-calls.ts";
import { SlidingCount } from "./sliding-count.ts";
import { UsualMinute } from "./usual-minute.ts";

const MINUTE_MS = 60_000;

/** Milliseconds in which a denied call that comes again counts as a retry. The longest window of all. */
export const RETRY_WINDOW_MS = 10 * MINUTE_MS;

/** Milliseconds in which a tool is new once: a day, which is longer than anything that is read again. */
const NEW_TOOL_QUIET_MS = 24 * 60 * MINUTE_MS;

/** Tools that one agent is known to call, as count. An agent that calls more has no tool that is new. */
export const MAX_KNOWN_TOOLS = 256;

/** Share of denied calls from which a minute with many is a storm, as a ratio. */
const STORM_SHARE = 0.5;

/** A storm ends at this share of the threshold, as a ratio, so that a rate around it is one storm. */
const STORM_END_SHARE = 0.5;

/**
 * Anomalies of one agent that are reported in ten minutes, as count. An agent that misbehaves must not fill
 * the log with them.
 */
const MAX_REPORTS = 10;

/** Milliseconds after which a burst of denies that goes on is reported again. */
const BURST_QUIET_MS = 5 * MINUTE_MS;

/** Rules whose denies of one agent are counted at once, as count. The one that denied longest ago goes. */
const MAX_RULES = 32;

/** What an agent costs beside the calls and tools that are remembered, in the same unit. */
const OWN_SIZE = 4;

/** What an agent had called before the first call that is watched. */
export interface CallHistory {
  readonly calls: number;
  /** Digests of their names, at most `MAX_KNOWN_TOOLS`; null: more, or not known. */
  readonly tools: readonly number[] | null;
}

type Finding = Pick<ObservedAnomaly, "anomaly" | "subject" | "quietMs" | "explanation" | "evidence">;

/**
 * What is remembered of one agent: some windows of counts and the digests of its tools, at most some 100 KiB.
 * Every threshold is reached once for each run of calls, so that a lasting condition is reported once.
 */
export class AgentBehaviour {
  readonly #repeats = new RepeatedCalls(MINUTE_MS);
  readonly #retries = new RepeatedCalls(RETRY_WINDOW_MS);
  readonly #minute = new UsualMinute();
  readonly #recent = new SlidingCount(MINUTE_MS);
  readonly #denied = new SlidingCount(MINUTE_MS);
  readonly #reports = new SlidingCount(RETRY_WINDOW_MS);
  /** Denies by rule, the one that denied last at the end. */
  readonly #rules = new Map<string, RuleDenies>();
  #isStorm = false;
  /** From when on the last minute is known as a whole; null: an agent with a history has not called yet. */
  #isWholeFromMs: number | null;
  #calls: number;
  #tools: Set<number> | null;

  constructor(history: CallHistory) {
    this.#calls = history.calls;
    this.#tools = history.tools === null ? null : new Set(history.tools);
    const isNew = history.tools?.length === 0;
    this.#isWholeFromMs = isNew ? Number.NEGATIVE_INFINITY : null;
  }

  /** Calls and tools that are remembered, as count: each takes less than 1 KiB. */
  get size(): number {
    return OWN_SIZE + this.#rules.size + this.#repeats.size + this.#retries.size + (this.#tools?.size ?? 0);
  }

  note(call: ObservedCall, settings: BehaviourSettings): readonly ObservedAnomaly[] {
    const findings = [
      this.#noteRepeat(call, settings.repeated_calls),
      this.#noteRetry(call, settings.denied_retries),
      this.#noteDecision(call, settings.deny_storm),
      this.#noteMinute(call, settings.burst_factor),
      this.#noteTool(call, settings.new_tool_after_calls),
    ];
    const reported = findings.flatMap((finding) => (finding === null ? [] : this.#report(call, finding)));
    // It has a limit of its own, so that other anomalies cannot hide what a policy keeps denying.
    const burst = this.#noteRule(call, settings.rule_denies);
    return burst === null ? reported : [...reported, observed(call, burst)];
  }

  #report(call: ObservedCall, finding: Finding): readonly ObservedAnomaly[] {
    if (this.#reports.at(call.atMs) >= MAX_REPORTS) return [];
    const isLast = this.#reports.add(call.atMs) === MAX_REPORTS;
    const explanation = isLast ? `${finding.explanation}; ${NO_MORE}` : finding.explanation;
    return [observed(call, { ...finding, explanation })];
  }

  #noteRepeat(call: ObservedCall, threshold: number | null): Finding | null {
    if (threshold === null) return null;
    const run = this.#repeats.note(call.callDigest, call.atMs, call.decisionId, threshold);
    if (run === null) return null;
    const { tool, callDigest } = call;
    return {
      ...found("identical_call_repeated", callDigest, MINUTE_MS),
      explanation: `called ${tool} with the same arguments ${times(run.times)} within a minute`,
      evidence: { tool, calls: run.times, decision_ids: run.decisionIds },
    };
  }

  #noteRetry(call: ObservedCall, threshold: number | null): Finding | null {
    if (threshold === null || call.decision !== "deny" || mayBeRetried(call)) return null;
    const { tool, callDigest, ruleId } = call;
    const subject = `${callDigest} ${ruleId ?? ""}`;
    // The first deny is not a retry.
    const run = this.#retries.note(subject, call.atMs, call.decisionId, threshold + 1);
    if (run === null) return null;
    const by = ruleId === null ? "" : `; the rule ${ruleId} denies it`;
    const repeats = run.times - 1;
    return {
      ...found("denied_call_retried", subject, RETRY_WINDOW_MS),
      explanation: `repeated a denied call of ${tool} ${times(repeats)} within ten minutes${by}`,
      evidence: { tool, rule_id: ruleId, repeats, decision_ids: run.decisionIds },
    };
  }

  #noteDecision(call: ObservedCall, threshold: number | null): Finding | null {
    const calls = this.#recent.add(call.atMs);
    this.#isWholeFromMs ??= call.atMs + MINUTE_MS;
    const denied = call.decision === "deny" ? this.#denied.add(call.atMs) : this.#denied.at(call.atMs);
    if (threshold === null) return null;
    if (this.#isStorm) {
      this.#isStorm = denied > STORM_END_SHARE * threshold;
      return null;
    }
    // Allowed calls that nobody counted must not make the denied ones look like most of them.
    if (call.atMs < this.#isWholeFromMs) return null;
    if (denied < threshold || denied < STORM_SHARE * calls) return null;
    this.#isStorm = true;
    return {
      ...found("deny_storm", "", MINUTE_MS),
      explanation: `had ${String(denied)} of ${String(calls)} calls denied within a minute`,
      evidence: { calls, denied, decision_ids: [call.decisionId] },
    };
  }

  #noteRule(call: ObservedCall, threshold: number | null): Finding | null {
    const rule = deniedBy(call);
    if (threshold === null || rule === null) return null;
    const denies = this.#deniesOf(rule, call.atMs);
    const count = denies.recent.add(call.atMs);
    const isQuiet = denies.reportedAtMs !== null && call.atMs < denies.reportedAtMs + BURST_QUIET_MS;
    if (count < threshold || isQuiet) return null;
    denies.reportedAtMs = call.atMs;
    const since = new Date(denies.sinceMs).toISOString();
    return {
      ...found("policy_violations", rule, BURST_QUIET_MS),
      explanation: `had ${String(count)} calls denied by ${rule} within a minute`,
      evidence: { rule_id: call.ruleId, count, since, decision_ids: [call.decisionId] },
    };
  }

  #deniesOf(rule: string, atMs: number): RuleDenies {
    let denies = this.#rules.get(rule);
    // A clock that was set back begins anew: what was counted before lies ahead of it.
    if (denies === undefined || atMs < denies.lastAtMs - MINUTE_MS)
      denies = { recent: new SlidingCount(MINUTE_MS), sinceMs: atMs, lastAtMs: atMs, reportedAtMs: null };
    if (denies.recent.at(atMs) === 0) denies.sinceMs = atMs;
    denies.lastAtMs = Math.max(atMs, denies.lastAtMs);
    this.#rules.delete(rule);
    this.#rules.set(rule, denies);
    const [oldest] = this.#rules.keys();
    if (this.#rules.size > MAX_RULES && oldest !== undefined) this.#rules.delete(oldest);
    return denies;
  }

  #noteMinute(call: ObservedCall, factor: number | null): Finding | null {
    if (factor === null) return null;
    const burst = this.#minute.note(call.atMs, factor);
    if (burst === null) return null;
    const { calls } = burst;
    const usual = Math.round(burst.mean * 10) / 10;
    return {
      ...found("call_burst", "", MINUTE_MS),
      explanation: `made ${String(calls)} calls in one minute; its usual minute has ${usual.toFixed(1)}`,
      evidence: { calls, usual_calls: usual, decision_ids: [call.decisionId] },
    };
  }

  #noteTool(call: ObservedCall, afterCalls: number | null): Finding | null {
    const before = this.#calls;
    this.#calls += 1;
    const digest = nameDigest("tool", call.org, call.tool);
    if (this.#tools === null || this.#tools.has(digest)) return null;
    this.#tools.add(digest);
    if (this.#tools.size > MAX_KNOWN_TOOLS) this.#tools = null;
    if (afterCalls === null || before < afterCalls) return null;
    return {
      ...found("tool_never_seen", call.tool, NEW_TOOL_QUIET_MS),
      explanation: `called ${call.tool}, which none of its ${String(before)} known earlier calls used`,
      evidence: { tool: call.tool, calls_before: before, decision_ids: [call.decisionId] },
    };
  }
}

interface RuleDenies {
  readonly recent: SlidingCount;
  /** Since when no whole minute passed without one. Unix milliseconds, as the others. */
  sinceMs: number;
  lastAtMs: number;
  /** Of the row that completed the last burst that was reported; null: none was. */
  reportedAtMs: number | null;
}

/** The rule, or the part of a policy without an id, that denied a call; null: no policy denied it. */
function deniedBy({ decision, ruleId, reasonCode }: ObservedCall): string | null {
  if (decision !== "deny") return null;
  return ruleId ?? (reasonCode !== null && POLICY_CODES.includes(reasonCode) ? reasonCode : null);
}

/** Codes of denies by a policy, some of which have no rule. */
const POLICY_CODES: readonly string[] = [
  "tool_denied",
  "not_allowed",
  "max_steps",
  "max_cost",
  "constraint_unsatisfiable",
  "rego",
] satisfies readonly ReasonCode[];

function observed(call: ObservedCall, finding: Finding): ObservedAnomaly {
  const { org, namespace, agentId, sessionId, atMs } = call;
  return { org, namespace, agentId, sessionId, atMs, ...finding };
}

const NO_MORE = "further anomalies of this agent are not reported for up to ten minutes";

function found(anomaly: Anomaly, subject: string, quietMs: number) {
  return { anomaly, subject, quietMs };
}

function times(count: number): string {
  return count === 1 ? "once" : `${String(count)} times`;
}

/** A code of a later version counts as one that a repeat can change: it raises nothing. */
function mayBeRetried({ reasonCode }: ObservedCall): boolean {
  return reasonCode === null || !isReasonCode(reasonCode) || isRetryable(reasonCode);
}
