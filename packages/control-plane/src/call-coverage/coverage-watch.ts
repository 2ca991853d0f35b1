import type { CoverageExample, CoveredPart } from "@svc/audit-index/audit-answers";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import type { ObservedAnomaly } from "@svc/audit-index/observed-anomaly";
import type { CoverageSettings } from "@svc/contract/coverage-settings";
import { formatDecisionId } from "@svc/contract/decision-id";
import { faultFields } from "@svc/contract/fault-fields";
import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import type { WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { RepeatedWork } from "@svc/process/repeated-work";
import type { Timers } from "@svc/process/timers";
import type { LiveSettings } from "../rogue/live-settings.ts";
import { isMeasured } from "./agent-coverage.ts";

/** Milliseconds between two looks. It adds to the time after which an anomaly is in the log. */
const LOOK_EVERY_MS = 15_000;

/** Milliseconds of calls that are judged together, and in which a session is reported once. */
const HOUR_MS = 60 * 60 * 1_000;

/** Share of allowed calls from which missing outcomes count, as a ratio: some reports are always lost. */
const MISSING_SHARE = 0.1;

export interface CoverageWatchParts {
  readonly index: Pick<AuditIndex, "coverage" | "activeOrgs">;
  readonly settings: Pick<LiveSettings, "of" | "every">;
  /** Records an anomaly once. Rejects when the store does not answer. */
  readonly record: (observed: ObservedAnomaly) => Promise<unknown>;
  readonly leads: () => boolean;
  readonly clock: WallClock;
  readonly timers: Timers;
  readonly log: Pick<Logger, "warn" | "info">;
}

/**
 * Reports sessions whose calls and reports do not fit together, while its process leads. It keeps nothing.
 * The index knows the calls, and the store knows what was reported, so another process goes on at any moment.
 */
export class CoverageWatch {
  readonly #parts: CoverageWatchParts;
  readonly #looks: RepeatedWork;
  #isFailing = false;

  constructor(parts: CoverageWatchParts) {
    this.#parts = parts;
    this.#looks = new RepeatedWork(parts.timers, async () => {
      await this.look();
      return LOOK_EVERY_MS;
    });
  }

  start(): void {
    this.#looks.start(LOOK_EVERY_MS);
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** Looks once. Never rejects. */
  async look(): Promise<void> {
    const { leads, index, clock, log } = this.#parts;
    if (!leads()) return;
    const nowMs = clock.now().getTime();
    try {
      for (const org of await index.activeOrgs(nowMs - this.#longestOutcomeMs() - HOUR_MS)) {
        await this.#lookAtMissing(org, nowMs);
        await this.#lookAtUnallowed(org, nowMs);
      }
      if (this.#isFailing) log.info({}, "calls are compared with reports again");
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) log.warn(faultFields(error), "calls could not be compared with reports");
      this.#isFailing = true;
    }
  }

  /** Calls are judged after the time that the settings of their namespace give them. */
  async #lookAtMissing(org: string, nowMs: number): Promise<void> {
    const { index, settings } = this.#parts;
    const all = [DEFAULT_ROGUE_DETECTION, ...this.#settingsOf(org)];
    for (const seconds of new Set(all.map(({ coverage }) => coverage.outcome_within_seconds))) {
      const untilMs = nowMs - seconds * 1_000;
      const window = { org, agentId: null, sinceMs: untilMs - HOUR_MS, untilMs };
      for (const part of (await index.coverage(window)).parts) {
        const { missingExample: call } = part;
        if (call === null) continue;
        const { coverage } = settings.of(org, call.namespace);
        if (coverage.outcome_within_seconds !== seconds || !lacksOutcomes(part, coverage)) continue;
        await this.#record({ org, call, atMs: nowMs, ...missing(part, coverage) });
      }
    }
  }

  async #lookAtUnallowed(org: string, nowMs: number): Promise<void> {
    const { index, settings } = this.#parts;
    const window = { org, agentId: null, sinceMs: nowMs - HOUR_MS, untilMs: nowMs };
    for (const { unallowed, unallowedExample: call } of (await index.coverage(window)).parts) {
      if (call === null) continue;
      const { unallowed_runs: threshold } = settings.of(org, call.namespace).coverage;
      if (threshold === null || unallowed < threshold) continue;
      const calls = counted(unallowed, "call");
      const explanation = `reports say that ${calls} ran in the last hour without an allow`;
      const anomaly = "outcome_without_decision" as const;
      await this.#record({ org, call, atMs: nowMs, anomaly, explanation, counts: { ran: unallowed } });
    }
  }

  /** Earlier calls are judged already, so that a quiet server asks the index nothing. */
  #longestOutcomeMs(): number {
    const all = [DEFAULT_ROGUE_DETECTION, ...[...this.#parts.settings.every()].map((own) => own.settings)];
    return Math.max(...all.map(({ coverage }) => coverage.outcome_within_seconds * 1_000));
  }

  #settingsOf(org: string) {
    return [...this.#parts.settings.every()].flatMap((own) => (own.org === org ? [own.settings] : []));
  }

  async #record({ org, call, atMs, anomaly, explanation, counts }: Finding): Promise<void> {
    const { namespace, agentId, sessionId, tool, position } = call;
    // A process that was paused meanwhile may not lead any more.
    if (this.#looks.isStopped || !this.#parts.leads()) return;
    await this.#parts.record({
      org,
      namespace,
      agentId,
      sessionId,
      anomaly,
      explanation,
      atMs,
      subject: sessionId ?? "",
      quietMs: HOUR_MS,
      evidence: { ...counts, decision_ids: [formatDecisionId(position)], tool },
    });
  }
}

interface Finding extends Pick<ObservedAnomaly, "org" | "anomaly" | "explanation" | "atMs"> {
  readonly call: CoverageExample;
  readonly counts: Readonly<Record<string, number>>;
}

function lacksOutcomes(part: CoveredPart, settings: CoverageSettings): boolean {
  const count = part.allows - part.reported;
  const { missing_outcomes: threshold } = settings;
  if (threshold === null || !isMeasured(part, settings)) return false;
  return count >= threshold && count >= part.allows * MISSING_SHARE;
}

function missing({ allows, reported }: CoveredPart, { outcome_within_seconds }: CoverageSettings) {
  const count = allows - reported;
  const explanation =
    `no outcome of ${missingOf(count, allows)} in an hour was reported within ` +
    counted(outcome_within_seconds, "second");
  return { anomaly: "outcome_missing" as const, explanation, counts: { allows, without_outcome: count } };
}

function missingOf(count: number, allows: number): string {
  if (count < allows) return `${String(count)} of ${counted(allows, "allowed call")}`;
  return allows === 1 ? "the one allowed call" : `all ${counted(allows, "allowed call")}`;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${String(count)} ${what}s`;
}
