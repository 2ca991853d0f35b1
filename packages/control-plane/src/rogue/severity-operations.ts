import { faultFields } from "@svc/contract/fault-fields";
import { unboundAdmin } from "@svc/contract/principal";
import type { Logger } from "@svc/process/logger";
import type {
  ChangedSeverity,
  SeverityChange,
  SupervisedSession,
  SupervisionStore,
} from "@svc/store/ports/supervision-store";
import { cancelApprovals } from "../approvals/cancel-approvals.ts";
import type { ApprovalPorts } from "../approvals/change-approval.ts";
import { resumeApprovals, suspendApprovals } from "../approvals/suspend-approvals.ts";
import { announceRevision } from "../await-acknowledgements.ts";
import { activateKillSwitch } from "../kill-switches/activate-kill-switch.ts";
import type { CallCounter, ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import type { Containments } from "./containment-work.ts";
import { isWorse } from "./severity-of.ts";
import { ROGUE_DETECTION, severityRow } from "./severity-row.ts";
import type { Transition, WriteTransitions } from "./step-writer.ts";

export type SeverityPorts = ApprovalPorts &
  Pick<ControlPlanePorts, "timers" | "newId" | "killSwitches" | "propagation"> & {
    readonly supervision: Pick<SupervisionStore, "changeSeverities" | "sessionsNamed">;
    /** Who called with a session id, by the audit log. */
    readonly sessionCallers: Pick<CallCounter, "callers">;
  };

/** Sessions of one id that are read, as count. So many agents that share an id are taken for a shared one. */
const MAX_NAMESAKES = 200;

/**
 * Milliseconds in which a call of another agent with the same session id counts: a day, which is longer than
 * sessions of agents usually last.
 */
const SHARED_CALLS_MS = 24 * 60 * 60 * 1_000;

/** What a supervisor does to the world, by the operations that people use. */
export interface SeverityOperations extends Containments {
  readonly write: WriteTransitions;
}

export function createSeverityOperations(ports: SeverityPorts): SeverityOperations {
  // Resolves when gateways have heard of the severities that were written last, or could have.
  let announced: Promise<unknown> = Promise.resolve();
  return {
    write: async (transitions) => {
      const changed = await writeTransitions(ports, transitions);
      const revisions = changed.flatMap((change) =>
        change.kind === "changed" ? (change.revision ?? []) : [],
      );
      if (revisions.length > 0) announced = announceRevision(ports, Math.max(...revisions));
      return changed;
    },
    // Calls are held before approvals are suspended: no call may open one afterwards.
    suspend: async (session) => {
      await announced;
      return outcomeOf(await suspendApprovals(ports, orderOf(session)));
    },
    resume: async (session) => {
      await announced;
      return outcomeOf(await resumeApprovals(ports, orderOf(session)));
    },
    terminate: (session, kills) => terminate(ports, session, kills),
  };
}

async function writeTransitions(
  { supervision, clock, log }: SeverityPorts,
  transitions: readonly Transition[],
): Promise<readonly ChangedSeverity[]> {
  const time = clock.now().toISOString();
  const changes = transitions.map((transition) => severityChangeOf(transition, time));
  const changed = await supervision.changeSeverities(changes);
  for (const [index, transition] of transitions.entries())
    if (changed[index]?.kind === "changed") noteStep(log, transition);
  return changed;
}

/** The step as the store takes it, with its audit row. */
export function severityChangeOf(transition: Transition, time: string): SeverityChange {
  const { session, step } = transition;
  const { org, agentId, sessionId, version } = session;
  return { org, agentId, sessionId, version, ...step, auditRow: severityRow(transition, time) };
}

/** Logs a step that is stored, unless the severity is as before. */
export function noteStep(log: Pick<Logger, "info" | "warn">, { session, step }: Transition): void {
  const { org, agentId, sessionId, severity } = session;
  if (step.severity === severity) return;
  const names = { org, agent_id: agentId, session_id: sessionId };
  const fields = { ...names, previous_severity: severity, severity: step.severity, reason: step.reason };
  log[isWorse(step.severity, severity) ? "warn" : "info"](fields, "severity of a session changed");
}

async function terminate(
  ports: SeverityPorts,
  session: SupervisedSession,
  kills: boolean,
): Promise<"done" | "again"> {
  const order = orderOf(session);
  const stops = kills && !(await isShared(ports, session));
  if (stops && (await kill(ports, session)) === "again") return "again";
  // Approvals of the agent that name no session stay suspended until somebody registers it again.
  if (outcomeOf(await suspendApprovals(ports, order)) === "again") return "again";
  return outcomeOf(await cancelApprovals(ports, { ...order, sessionId: session.sessionId }));
}

/**
 * Whether a switch on the session id would also stop another agent, which is supervised and not terminated,
 * or which called with this id. Else an agent could stop any session whose id it knows, by heartbeats with
 * that id and then silence.
 */
async function isShared(ports: SeverityPorts, session: SupervisedSession): Promise<boolean> {
  const { org, agentId, sessionId } = session;
  const other = (await otherSupervised(ports, session)) ?? (await otherCaller(ports, session));
  if (other === null) return false;
  const fields = { org, agent_id: agentId, session_id: sessionId, other_agent_id: other };
  ports.log.warn(fields, "no kill switch is activated: other agents use the same session id");
  return true;
}

/** Another agent that is supervised with the session id. */
async function otherSupervised(
  { supervision }: SeverityPorts,
  { org, agentId, sessionId }: SupervisedSession,
): Promise<string | null> {
  const named = await supervision.sessionsNamed(org, sessionId, MAX_NAMESAKES);
  const others = named.filter((other) => other.agentId !== agentId);
  const alive = others.find(({ endedAtMs, severity }) => endedAtMs === null && severity !== "EMERGENCY");
  if (alive !== undefined) return alive.agentId;
  return named.length < MAX_NAMESAKES ? null : (others[0]?.agentId ?? null);
}

/** Another agent that called with the session id. While the audit index does not answer, nobody did. */
async function otherCaller(
  { sessionCallers, clock, log }: SeverityPorts,
  { org, agentId, sessionId }: SupervisedSession,
): Promise<string | null> {
  try {
    const sinceMs = clock.now().getTime() - SHARED_CALLS_MS;
    const target = { org, scope: "session", targetId: sessionId } as const;
    const { agents } = await sessionCallers.callers({ ...target, sinceMs, exceptAgent: agentId });
    return agents.find((id) => id !== agentId) ?? null;
  } catch (error) {
    log.warn(faultFields(error), "it is not known whether other agents use the session id");
    return null;
  }
}

async function kill(ports: SeverityPorts, { org, agentId, sessionId, reason }: SupervisedSession) {
  const path = `agents/${encodeURIComponent(agentId)}/reregister`;
  const principal = unboundAdmin({ id: ROGUE_DETECTION, org });
  const outcome = await activateKillSwitch(ports, principal, {
    scope: "session",
    target_id: sessionId,
    reason: `rogue detection: ${reason}. An operator lifts this with POST ${path} and end_kill_switch: true`,
    activated_by: ROGUE_DETECTION,
    trigger_source: ROGUE_DETECTION,
    ttl_seconds: null,
    account_wide: false,
    auto_recovery: false,
    dry_run: false,
    demanded_by: { org, agentId, sessionId },
  });
  if (outcome.kind !== "problem") return "done" as const;
  ports.log.error({ session_id: sessionId, detail: outcome.problem.detail }, "kill switch is not in force");
  return "again" as const;
}

function orderOf({ org, agentId, sessionId, severity, reason }: SupervisedSession) {
  const why = `session ${sessionId} is at ${severity}: ${reason}`;
  return { org, agentId, principal: ROGUE_DETECTION, reason: why };
}

function outcomeOf(outcome: Outcome<number>): "done" | "again" {
  return outcome.kind === "ok" ? "done" : "again";
}
