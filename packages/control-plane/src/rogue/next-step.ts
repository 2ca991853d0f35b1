import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";
import type { Severity } from "@svc/contract/severity";
import type { SeverityChange, SupervisedSession } from "@svc/store/ports/supervision-store";
import {
  escalationAfterMs,
  isWorse,
  missedHeartbeats,
  type RiskFactor,
  severityAfter,
  severityOf,
} from "./severity-of.ts";

/** Why a session has no valid parent. */
export type ParentLoss = "absent" | "killed" | "suspended" | "circular";

/** One session as a supervisor sees it at one moment. Durations are milliseconds of watched time. */
export interface Standing {
  readonly session: SupervisedSession;
  readonly settings: RogueDetectionSettings;
  /** A sensitive tool of which the agent has an allowed call without an outcome; null: it has none. */
  readonly sensitiveTool: string | null;
  /** Since its last heartbeat. */
  readonly silenceMs: number;
  /** Since it became a potential orphan; 0 while it is none. */
  readonly orphanMs: number;
  /** What the last look at its parent found; null: the parent is valid, or it never named one. */
  readonly parentLoss: ParentLoss | null;
  /** Since watching began, or went on after a pause, a jump of the clock or a gap that is not tolerated. */
  readonly watchedMs: number;
  /** For which no severity rises, because the agent may not know yet that its interval is shorter. */
  readonly graceMs: number;
}

/** A change of one session that is due. */
export type Step = Pick<
  SeverityChange,
  "severity" | "reason" | "missedHeartbeats" | "orphaned" | "clears" | "ends"
>;

/**
 * Milliseconds for which a silence must go on past a threshold. A heartbeat waits up to 500 ms in the process
 * that received it, so a leader that acted sooner would act on a heartbeat that is under way.
 */
export const SETTLE_MS = 600;

const SECOND_MS = 1_000;

/**
 * The one step that the rules demand next; null: none. A severity rises one step at a time, and falls only by
 * what the agent or an operator did. Call it again with the session as it is after the step.
 */
export function nextStep(standing: Standing): Step | null {
  return ended(standing) ?? orphaned(standing) ?? raised(standing) ?? lowered(standing) ?? missed(standing);
}

export function riskOf({ session, sensitiveTool }: Pick<Standing, "session" | "sensitiveTool">): RiskFactor {
  return sensitiveTool !== null || session.orphanedAtMs !== null ? "raised" : "normal";
}

/** Longest tolerated gap in milliseconds for the shortest intervals: no look is later than that by itself. */
const LEAST_GAP_MS = 1_000;

/**
 * Milliseconds for which the store may be away and yet be watched: half an interval, in which no heartbeat of
 * a live agent is overdue for long.
 */
export function toleratedGapMs({ heartbeat }: RogueDetectionSettings): number {
  return Math.max((heartbeat.interval_seconds * SECOND_MS) / 2, LEAST_GAP_MS);
}

/** Whether the time is over in which no severity rises: one interval, in which a live agent is heard. */
export function mayRise({ watchedMs, graceMs, settings }: Standing): boolean {
  return graceMs === 0 && watchedMs >= settings.heartbeat.interval_seconds * SECOND_MS;
}

/**
 * Milliseconds of watched time until a step may be due if nothing is heard; infinity: never. The parent is
 * looked at on times of its own.
 */
export function untilNextStepMs(standing: Standing): number {
  const { session, settings, silenceMs, orphanMs, watchedMs, graceMs, parentLoss } = standing;
  const { severity, orphanedAtMs } = session;
  const intervalMs = settings.heartbeat.interval_seconds * SECOND_MS;
  const risesAfterMs = escalationAfterMs(severity, settings.heartbeat, riskOf(standing));
  const noticesAfterMs = severity === "INFO" && session.heard ? intervalMs : null;
  const waits = [risesAfterMs, noticesAfterMs].flatMap((afterMs) =>
    afterMs === null ? [] : [afterMs + SETTLE_MS - silenceMs],
  );
  const { enabled, grace_period_seconds } = settings.orphan_detection;
  // A parent that was lost while no severity may rise is acted on as soon as one may.
  if (orphanedAtMs === null && parentLoss !== null && enabled) waits.push(0);
  if (orphanedAtMs !== null && isWorse("CRITICAL", severity))
    waits.push(grace_period_seconds * SECOND_MS + SETTLE_MS - orphanMs);
  return Math.max(Math.min(...waits, Number.POSITIVE_INFINITY), intervalMs - watchedMs, graceMs, 0);
}

function missedBy({ silenceMs, settings }: Standing): number {
  return missedHeartbeats(silenceMs - SETTLE_MS, settings.heartbeat);
}

/** What the silence alone says. */
function naturalSeverity(standing: Standing): Severity {
  return severityOf(missedBy(standing), standing.settings.heartbeat, riskOf(standing));
}

function step(standing: Standing, severity: Severity, reason: string): Step {
  const clears = severity !== standing.session.severity;
  return {
    severity,
    reason,
    missedHeartbeats: missedBy(standing),
    orphaned: "keep",
    clears,
    ends: false,
  };
}

/** A session that its agent ended in good order. The store ends none at CRITICAL or above. */
function ended(standing: Standing): Step | null {
  const { severity, endedAtMs } = standing.session;
  if (endedAtMs === null || severity !== "WARNING") return null;
  return { ...step(standing, "INFO", "the session ended in good order"), orphaned: "clear" };
}

function orphaned(standing: Standing): Step | null {
  const { session, settings, parentLoss } = standing;
  const isOrphan = settings.orphan_detection.enabled && parentLoss !== null;
  if (session.endedAtMs !== null || session.severity === "EMERGENCY") return null;
  if (session.orphanedAtMs === null) {
    if (!isOrphan || !mayRise(standing)) return null;
    const severity = session.severity === "INFO" ? "WARNING" : session.severity;
    return { ...step(standing, severity, `potential orphan: ${LOSSES[parentLoss]}`), orphaned: "now" };
  }
  if (isOrphan) return null;
  const reason = settings.orphan_detection.enabled
    ? "the session has a valid parent again"
    : "orphan detection is switched off";
  const isWell = session.severity === "WARNING" && session.heard && naturalSeverity(standing) === "INFO";
  return { ...step(standing, isWell ? "INFO" : session.severity, reason), orphaned: "clear" };
}

const LOSSES: Readonly<Record<ParentLoss, string>> = {
  absent: "its parent session ended, or never sent a heartbeat",
  killed: "a kill switch stops its parent session",
  suspended: "its parent session is at CRITICAL or EMERGENCY",
  circular: "its parent session descends from it, or the line of parents is too long",
};

function raised(standing: Standing): Step | null {
  const { session, settings, orphanMs } = standing;
  const next = severityAfter(session.severity);
  if (next === null || session.endedAtMs !== null || !mayRise(standing)) return null;
  const natural = naturalSeverity(standing);
  if (isWorse(natural, session.severity)) {
    const count = missedBy(standing);
    const heartbeats = count === 1 ? "1 heartbeat was missed" : `${String(count)} heartbeats were missed`;
    return step(standing, next, `${heartbeats}${halvedBecause(standing)}`);
  }
  const graceSeconds = settings.orphan_detection.grace_period_seconds;
  const isOverdue = session.orphanedAtMs !== null && orphanMs - SETTLE_MS >= graceSeconds * SECOND_MS;
  if (!isOverdue || !isWorse("CRITICAL", session.severity)) return null;
  const grace = graceSeconds === 1 ? "1 second" : `${String(graceSeconds)} seconds`;
  return step(standing, next, `orphan without a valid parent for ${grace}`);
}

/** Why the thresholds are halved, as the end of a reason; empty when they are not. */
function halvedBecause(standing: Standing): string {
  if (riskOf(standing) === "normal") return "";
  const { session, sensitiveTool } = standing;
  const causes = [
    ...(sensitiveTool === null ? [] : [`a call of the sensitive tool ${sensitiveTool} has no outcome`]),
    ...(session.orphanedAtMs === null ? [] : ["it is a potential orphan"]),
  ];
  return ` under halved thresholds: ${causes.join(", and ")}`;
}

function lowered(standing: Standing): Step | null {
  const { severity, heard, reauthenticated, orphanedAtMs, endedAtMs } = standing.session;
  if (endedAtMs !== null || !heard || orphanedAtMs !== null) return null;
  if (naturalSeverity(standing) !== "INFO") return null;
  if (severity === "WARNING") return step(standing, "INFO", "a heartbeat arrived");
  if (severity !== "CRITICAL" || !reauthenticated) return null;
  return step(standing, "INFO", "heartbeats resumed and the agent authenticated again");
}

/** The first miss of a silence that is within tolerance. It is recorded, and nothing else happens. */
function missed(standing: Standing): Step | null {
  const { severity, heard, endedAtMs } = standing.session;
  if (severity !== "INFO" || !heard || endedAtMs !== null) return null;
  if (!mayRise(standing) || missedBy(standing) === 0) return null;
  return { ...step(standing, "INFO", "a heartbeat was missed, within tolerance"), clears: true };
}
