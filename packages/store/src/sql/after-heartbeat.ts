import type { Severity } from "@svc/contract/severity";
import type { ReceivedHeartbeat, SeverityChange, SupervisedSession } from "../ports/supervision-store.ts";

/** A write, by the number that it got and the clock of the store. */
export interface Write {
  readonly version: number;
  readonly nowMs: number;
}

const BEGUN = "supervision began with a heartbeat";

/** The session after a heartbeat. Null: it was not known. */
export function afterHeartbeat(
  known: SupervisedSession | null,
  heartbeat: ReceivedHeartbeat,
  write: Write,
): SupervisedSession {
  const { version, nowMs } = write;
  const beatMs = receivedMs(heartbeat, nowMs);
  if (known === null) return begun(heartbeat, version, beatMs);
  const lastHeartbeatMs = known.lastHeartbeatMs > nowMs ? beatMs : Math.max(known.lastHeartbeatMs, beatMs);
  const { severity, endedAtMs } = known;
  if (severity === "EMERGENCY") return { ...known, version, lastHeartbeatMs };
  if (endedAtMs !== null) return afterEnd({ ...known, endedAtMs }, heartbeat, write);
  const heard = {
    ...known,
    version,
    lastHeartbeatMs,
    heard: true,
    namespace: heartbeat.namespace,
    ...parentOf(known, heartbeat),
  };
  const mayEnd = severity === "INFO" || severity === "WARNING";
  return heartbeat.ended && mayEnd ? { ...heard, endedAtMs: lastHeartbeatMs } : heard;
}

/** Rounded up: a heartbeat that came after an end must not be taken for an earlier one. */
function receivedMs({ ageMs }: ReceivedHeartbeat, nowMs: number): number {
  return Math.ceil(nowMs - ageMs);
}

function begun(heartbeat: ReceivedHeartbeat, version: number, beatMs: number): SupervisedSession {
  const { org, agentId, sessionId, namespace, parentSessionId, parentAgentId, ended } = heartbeat;
  return {
    org,
    agentId,
    sessionId,
    namespace,
    parentSessionId,
    parentAgentId: parentSessionId === null ? null : parentAgentId,
    version,
    startedAtMs: beatMs,
    lastHeartbeatMs: beatMs,
    severity: "INFO",
    severitySinceMs: beatMs,
    reason: BEGUN,
    missedHeartbeats: 0,
    heard: true,
    reauthenticated: false,
    orphanedAtMs: null,
    endedAtMs: ended ? beatMs : null,
    contained: "none",
  };
}

/**
 * The session begins again, unless the heartbeat is older than the end: another process may have written the
 * end while this heartbeat waited. After the clock was set back, which came first cannot be told.
 *
 * A severity above INFO is known to gateways, so it stays until the supervisor changes it. A new beginning
 * does not end it.
 */
function afterEnd(
  known: SupervisedSession & { readonly endedAtMs: number },
  heartbeat: ReceivedHeartbeat,
  { version, nowMs }: Write,
): SupervisedSession {
  const beatMs = receivedMs(heartbeat, nowMs);
  if (beatMs < known.endedAtMs && known.endedAtMs <= nowMs) return known;
  const fresh = { ...begun(heartbeat, version, beatMs), contained: known.contained };
  if (known.severity === "INFO") return fresh;
  const { severity, severitySinceMs, reason, missedHeartbeats, reauthenticated } = known;
  const kept = { severity, severitySinceMs, reason, missedHeartbeats, reauthenticated };
  const mayEnd = severity === "WARNING";
  return { ...fresh, ...kept, endedAtMs: mayEnd ? fresh.endedAtMs : null };
}

/** What the heartbeat says about the parent, or else what an earlier one said. */
function parentOf(
  { parentSessionId, parentAgentId }: SupervisedSession,
  heartbeat: ReceivedHeartbeat,
): Pick<SupervisedSession, "parentSessionId" | "parentAgentId"> {
  if (heartbeat.parentSessionId === null) return { parentSessionId, parentAgentId };
  return { parentSessionId: heartbeat.parentSessionId, parentAgentId: heartbeat.parentAgentId };
}

/** The session after its agent authenticated again. */
export function afterReauthentication(
  known: SupervisedSession,
  { version, nowMs }: Write,
): SupervisedSession {
  if (known.severity === "EMERGENCY") return { ...known, version, lastHeartbeatMs: nowMs };
  const reauthenticated = known.reauthenticated || known.severity === "CRITICAL";
  return { ...known, version, lastHeartbeatMs: nowMs, heard: true, reauthenticated };
}

/** The session after a change of the supervisor. */
export function afterChange(
  known: SupervisedSession,
  { severity, reason, missedHeartbeats, orphaned, clears, ends }: SeverityChange,
  { version, nowMs }: Write,
): SupervisedSession {
  const isStep = severity !== known.severity;
  return {
    ...known,
    ...(isStep ? { severity, severitySinceMs: nowMs, reason } : {}),
    ...(isStep || clears ? UNHEARD : {}),
    missedHeartbeats,
    version,
    orphanedAtMs: { keep: known.orphanedAtMs, now: nowMs, clear: null }[orphaned],
    endedAtMs: ends ? (known.endedAtMs ?? nowMs) : known.endedAtMs,
    contained: isLeft(known.severity, severity) && known.contained === "none" ? "suspended" : known.contained,
  };
}

/**
 * Whether a session leaves a severity at which its approvals are suspended. Then they are to be resumed, also
 * when nobody noted that they were suspended: some may be.
 */
function isLeft(before: Severity, after: Severity): boolean {
  const suspends = (severity: Severity): boolean => severity === "CRITICAL" || severity === "EMERGENCY";
  return suspends(before) && !suspends(after);
}

const UNHEARD = { heard: false, reauthenticated: false } as const;
