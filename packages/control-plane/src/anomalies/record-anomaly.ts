import type { ObservedAnomaly } from "@svc/audit-index/observed-anomaly";
import type { AnomalyStore, RecordedAnomaly } from "@svc/store/ports/anomaly-store";
import type { SupervisionStore } from "@svc/store/ports/supervision-store";
import type { ControlPlanePorts } from "../ports.ts";
import type { Step } from "../rogue/next-step.ts";
import type { ChangedSession } from "../rogue/note-transition.ts";
import { missedHeartbeats } from "../rogue/severity-of.ts";
import { noteStep, severityChangeOf } from "../rogue/severity-operations.ts";
import type { Transition } from "../rogue/step-writer.ts";
import { anomalyRow } from "./anomaly-row.ts";

export type AnomalyPorts = Pick<ControlPlanePorts, "clock" | "log" | "rogueSettings"> & {
  readonly supervision: Pick<SupervisionStore, "session" | "news">;
  readonly anomalies: Pick<AnomalyStore, "recordAnomaly">;
};

/**
 * Attempts for one anomaly, as count. Each heartbeat of its session, and each step of it, can make one fail;
 * heartbeats are written twice a second.
 */
const ATTEMPTS = 10;

export type AnomalyOutcome =
  | { readonly kind: "recorded"; readonly raised: ChangedSession | null }
  /** It is in the log already. */
  | { readonly kind: "known" };

/**
 * Records an anomaly, once. Its session goes from INFO to WARNING if it is supervised, as by a step of the
 * ladder and together with the row of the anomaly. @throws when the store does not answer.
 */
export async function recordAnomaly(ports: AnomalyPorts, observed: ObservedAnomaly): Promise<AnomalyOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const transition = await warningFor(ports, observed);
    const recorded = await write(ports, observed, transition);
    if (recorded.kind === "known") return recorded;
    if (recorded.kind === "recorded") return noteRecorded(ports, observed, { recorded, transition });
    if (attempt === ATTEMPTS)
      throw new Error(`the session of an anomaly changed during each of ${String(ATTEMPTS)} attempts`);
  }
}

async function write(
  { anomalies, clock }: AnomalyPorts,
  observed: ObservedAnomaly,
  transition: Transition | null,
): Promise<RecordedAnomaly> {
  const time = clock.now().toISOString();
  const { evidence: _, ...named } = observed;
  return anomalies.recordAnomaly({
    ...named,
    auditRow: anomalyRow(observed, time),
    raise: transition === null ? null : severityChangeOf(transition, time),
  });
}

/**
 * The step to WARNING, of which gateways learn when they read control state next: it stops no call.
 * Null: the session is not supervised, or is not at INFO.
 */
async function warningFor(
  { supervision, rogueSettings }: AnomalyPorts,
  { org, agentId, sessionId, anomaly, explanation }: ObservedAnomaly,
): Promise<Transition | null> {
  if (sessionId === null) return null;
  const session = await supervision.session({ org, agentId, sessionId });
  if (session === null || session.endedAtMs !== null || session.severity !== "INFO") return null;
  const { nowMs } = await supervision.news(null, 1);
  const { heartbeat } = rogueSettings.of(org, session.namespace);
  const step: Step = {
    severity: "WARNING",
    reason: `${anomaly}: the agent ${explanation}`,
    missedHeartbeats: missedHeartbeats(nowMs - session.lastHeartbeatMs, heartbeat),
    orphaned: "keep",
    clears: true,
    ends: false,
  };
  return { session, step };
}

interface Written {
  readonly recorded: Extract<RecordedAnomaly, { readonly kind: "recorded" }>;
  readonly transition: Transition | null;
}

function noteRecorded(
  ports: AnomalyPorts,
  { org, agentId, sessionId, anomaly, explanation }: ObservedAnomaly,
  { recorded: { raised }, transition }: Written,
): AnomalyOutcome {
  const names = { org, agent_id: agentId, session_id: sessionId };
  ports.log.warn({ ...names, anomaly, explanation }, "anomaly of an agent");
  if (transition === null || raised === null) return { kind: "recorded", raised: null };
  noteStep(ports.log, transition);
  return { kind: "recorded", raised: { before: transition.session, after: raised } };
}
