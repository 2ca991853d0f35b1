import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";
import { SEVERITIES, type Severity } from "@svc/contract/severity";

export type HeartbeatSettings = RogueDetectionSettings["heartbeat"];

/**
 * How closely an agent is watched. `raised` halves its thresholds: it has a call to a sensitive tool without
 * an outcome, or it is a potential orphan.
 */
export type RiskFactor = "normal" | "raised";

/** Missed heartbeats at which each severity begins. Each is larger than the one before. */
export type Thresholds = Readonly<Record<Exclude<Severity, "INFO">, number>>;

const SECOND_MS = 1_000;

export function thresholdsOf(settings: HeartbeatSettings, risk: RiskFactor): Thresholds {
  const { warn_after_missed, critical_after_missed, emergency_after_missed } = settings;
  if (risk === "normal") {
    return { WARNING: warn_after_missed, CRITICAL: critical_after_missed, EMERGENCY: emergency_after_missed };
  }
  const half = (missed: number, atLeast: number): number => Math.max(Math.floor(missed / 2), atLeast);
  const warning = half(warn_after_missed, 1);
  const critical = half(critical_after_missed, warning + 1);
  return { WARNING: warning, CRITICAL: critical, EMERGENCY: half(emergency_after_missed, critical + 1) };
}

/** What the silence of an agent alone says. */
export function severityOf(missed: number, settings: HeartbeatSettings, risk: RiskFactor): Severity {
  const { WARNING, CRITICAL, EMERGENCY } = thresholdsOf(settings, risk);
  if (missed >= EMERGENCY) return "EMERGENCY";
  if (missed >= CRITICAL) return "CRITICAL";
  return missed >= WARNING ? "WARNING" : "INFO";
}

export function missedHeartbeats(silenceMs: number, { interval_seconds }: HeartbeatSettings): number {
  return Math.max(Math.floor(silenceMs / (interval_seconds * SECOND_MS)), 0);
}

/** The severity after this one; null after the last. */
export function severityAfter(severity: Severity): Exclude<Severity, "INFO"> | null {
  switch (severity) {
    case "INFO":
      return "WARNING";
    case "WARNING":
      return "CRITICAL";
    case "CRITICAL":
      return "EMERGENCY";
    case "EMERGENCY":
      return null;
  }
}

/** Whether the first severity is worse than the second. */
export function isWorse(one: Severity, other: Severity): boolean {
  return SEVERITIES.indexOf(one) > SEVERITIES.indexOf(other);
}

/** Milliseconds of silence after which the next severity begins; null: there is none. */
export function escalationAfterMs(
  severity: Severity,
  settings: HeartbeatSettings,
  risk: RiskFactor,
): number | null {
  const next = severityAfter(severity);
  if (next === null) return null;
  return thresholdsOf(settings, risk)[next] * settings.interval_seconds * SECOND_MS;
}

/** A session that has been silent for a while, and how it is watched. */
export interface Silence {
  readonly severity: Severity;
  readonly silenceMs: number;
  readonly settings: HeartbeatSettings;
  readonly risk: RiskFactor;
}

/**
 * Whole seconds until the severity rises if the agent stays silent, rounded up; 0 when the step is due. Null:
 * no severity comes after this one.
 */
export function escalationEtaSeconds({ severity, silenceMs, settings, risk }: Silence): number | null {
  const afterMs = escalationAfterMs(severity, settings, risk);
  return afterMs === null ? null : Math.max(Math.ceil((afterMs - silenceMs) / SECOND_MS), 0);
}
