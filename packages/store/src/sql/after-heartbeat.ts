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
  { version, nowMs }: Write,
): SupervisedSession {
  const beatMs = Math.round(nowMs - heartbeat.ageMs);
  if (known === null) return begun(heartbeat, { version, beatMs, endsAtMs: nowMs });
  const lastHeartbeatMs = known.lastHeartbeatMs > nowMs ? beatMs : Math.max(known.lastHeartbeatMs, beatMs);
  if (known.severity === "EMERGENCY") return { ...known, version, lastHeartbeatMs };
  const heard = {
    ...known,
    version,
    lastHeartbeatMs,
    heard: true,
    namespace: heartbeat.namespace,
    ...parentOf(known, heartbeat),
  };
  if (known.endedAtMs !== null) return begunAgain(known, heartbeat, { version, beatMs, endsAtMs: nowMs });
  const mayEnd = known.severity === "INFO" || known.severity === "WARNING";
  return heartbeat.ended && mayEnd ? { ...heard, endedAtMs: nowMs } : heard;
}

interface Beginning {
  readonly version: number;
  readonly beatMs: number;
  readonly endsAtMs: number;
}

function begun(heartbeat: ReceivedHeartbeat, { version, beatMs, endsAtMs }: Beginning): SupervisedSession {
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
    endedAtMs: ended ? endsAtMs : null,
    contained: "none",
  };
}

/**
 * A severity above INFO is known to gateways, so it stays until the supervisor changes it. A new beginning
 * does not end it.
 */
function begunAgain(
  known: SupervisedSession,
  heartbeat: ReceivedHeartbeat,
  beginning: Beginning,
): SupervisedSession {
  const fresh = { ...begun(heartbeat, beginning), contained: known.contained };
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
  };
}

const UNHEARD = { heard: false, reauthenticated: false } as const;
