import type { Severity } from "@svc/contract/severity";
import type { Logger } from "@svc/process/logger";
import type { SupervisedSession } from "@svc/store/ports/supervision-store";

/** A session before and after a change of its severity. */
export interface ChangedSession {
  readonly before: SupervisedSession;
  readonly after: SupervisedSession;
}

/** Counts and logs a change of a severity. Call it only after the change is stored. */
export type NoteTransition = (change: ChangedSession) => void;

interface NoteParts {
  readonly log: Pick<Logger, "info">;
  readonly count: (from: Severity, to: Severity) => void;
}

/** Writes each change into the log. Channels and readers of the event stream get it from its audit row. */
export function noteTransitions({ log, count }: NoteParts): NoteTransition {
  return ({ before, after }) => {
    const { org, namespace, agentId, sessionId, severity, reason, missedHeartbeats } = after;
    count(before.severity, severity);
    const session = { org, namespace, agent_id: agentId, session_id: sessionId };
    const change = { previous_severity: before.severity, severity, reason };
    log.info(
      { ...session, ...change, missed_heartbeats: missedHeartbeats },
      "the severity of a session changed",
    );
  };
}
