import type { Reregistered, Reregistration } from "@svc/contract/heartbeat";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { SeverityChange, SupervisedSession } from "@svc/store/ports/supervision-store";
import { callStore, NOT_READ } from "../call-store.ts";
import { deactivateKillSwitch } from "../kill-switches/deactivate-kill-switch.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { agentStepRow } from "./agent-step-row.ts";
import { refuseUnsupervised } from "./reauthenticate-session.ts";
import { reregistrationRow } from "./reregistration-row.ts";

export type ReregistrationPorts = Pick<
  ControlPlanePorts,
  "clock" | "timers" | "log" | "supervision" | "killSwitches" | "propagation" | "noteTransition"
>;

/** Terminated sessions that one request re-registers, as count. The answer says whether more remain. */
const AT_ONCE = 200;

/** How often sessions are read again that something else wrote meanwhile, such as the note of a switch. */
const MOST_READS = 3;

const NOT_CONFIRMED = "The store did not confirm the re-registration. Repeat it; repeating is safe.";

interface Request extends Reregistration {
  readonly agent_id: string;
}

/**
 * Ends EMERGENCY by the decision of a person. Supervision of the sessions ends with it, and begins again with
 * the next heartbeat. Their kill switches stay unless the request ends them, too.
 */
export async function reregisterAgent(
  ports: ReregistrationPorts,
  principal: Principal,
  request: Request,
): Promise<Outcome<Reregistered>> {
  const ended = await endEmergencies(ports, principal, request);
  if (ended.kind === "problem") return ended;
  const { done, remaining } = ended;
  const { org, id } = principal;
  for (const { agentId: agent_id, sessionId: session_id } of done)
    ports.log.info({ org, principal: id, agent_id, session_id }, "agent re-registered");
  const switches = await switchesOf(ports, principal, { sessions: done, request });
  if (switches.kind === "problem") return switches;
  const session_ids = done.map(({ sessionId }) => sessionId);
  const answer = {
    agent_id: request.agent_id,
    session_ids,
    ...switches.answer,
    remaining,
  };
  return { kind: "ok", value: answer };
}

async function endEmergencies(
  ports: ReregistrationPorts,
  principal: Principal,
  request: Request,
): Promise<{ kind: "ended"; done: readonly SupervisedSession[]; remaining: boolean } | Refusal> {
  const done: SupervisedSession[] = [];
  for (let read = 1; ; read += 1) {
    const found = await terminatedSessions(ports, principal, request);
    // What was left after the first read has ended in another way.
    if (found.kind === "problem" && done.length > 0)
      return { kind: "ended", done, remaining: found.problem.code !== "conflict" };
    if (found.kind === "problem") return found;
    const { sessions, remaining } = found;
    const changes = sessions.map((session) => changeOf(ports, principal, { session, request }));
    const changed = await callStore(ports, NOT_CONFIRMED, () => ports.supervision.changeSeverities(changes));
    if (changed.kind === "problem") return changed;
    const now = changed.value.flatMap((each, index) => {
      const before = sessions[index];
      return each.kind === "changed" && before !== undefined ? [{ before, after: each.session }] : [];
    });
    for (const change of now) ports.noteTransition(change);
    done.push(...now.map(({ after }) => after));
    const moved = now.length < sessions.length;
    if (!moved || read === MOST_READS) return { kind: "ended", done, remaining: remaining || moved };
  }
}

async function terminatedSessions(
  ports: ReregistrationPorts,
  principal: Principal,
  { agent_id: agentId, session_id: sessionId }: Request,
): Promise<{ kind: "found"; sessions: readonly SupervisedSession[]; remaining: boolean } | Refusal> {
  const { org } = principal;
  const page = { limit: AT_ONCE, after: null };
  const read = await callStore(ports, NOT_READ, async () => {
    if (sessionId === null) return ports.supervision.sessionsOf(org, agentId, page);
    const session = await ports.supervision.session({ org, agentId, sessionId });
    return { items: session === null ? [] : [session], next: null };
  });
  if (read.kind === "problem") return read;
  if (read.value === "bad_cursor") throw new Error("a first page has no cursor");
  const { items, next } = read.value;
  for (const namespace of new Set(items.map((each) => each.namespace))) {
    const problem = refuseBinding(principal, { agent_id: agentId, namespace });
    if (problem !== null) return { kind: "problem", problem };
  }
  const sessions = items.filter(({ severity }) => severity === "EMERGENCY");
  if (sessions.length > 0)
    return { kind: "found", sessions, remaining: next !== null && sessions.length === AT_ONCE };
  if (sessionId !== null && items.length === 0) return refuseUnsupervised(agentId, sessionId);
  const problem = refuseBinding(principal, { agent_id: agentId, namespace: items[0]?.namespace ?? null });
  if (problem !== null) return { kind: "problem", problem };
  const which = sessionId === null ? `No session of agent ${agentId}` : `Session ${sessionId} is not`;
  const detail = sessionId === null ? `${which} was terminated.` : `${which} terminated.`;
  return refuse(items.length === 0 ? "not_found" : "conflict", `${detail} Nothing has to be re-registered.`);
}

interface Reregistering {
  readonly session: SupervisedSession;
  readonly request: Request;
}

function changeOf(
  { clock }: Pick<ReregistrationPorts, "clock">,
  principal: Principal,
  { session, request }: Reregistering,
): SeverityChange {
  const { org, agentId, sessionId, version, namespace, severity: previous_severity } = session;
  const reason = `re-registered by ${request.reregistered_by}: ${request.reason}`;
  const names = { agent_id: agentId, session_id: sessionId, namespace };
  const common = { org, principal: principal.id, time: clock.now().toISOString(), ...names };
  const actor = request.reregistered_by;
  return {
    org,
    agentId,
    sessionId,
    version,
    severity: "INFO",
    reason,
    missedHeartbeats: 0,
    orphaned: "clear",
    clears: true,
    ends: true,
    auditRow: reregistrationRow({ ...common, previous_severity, reason }),
    furtherRows: [agentStepRow({ ...common, action: "reregistered", reason: request.reason, actor })],
  };
}

interface SwitchQuestion {
  readonly sessions: readonly SupervisedSession[];
  readonly request: Request;
}

/** The kill switches on the sessions: those that were ended, and those that still stop their calls. */
async function switchesOf(
  ports: ReregistrationPorts,
  principal: Principal,
  { sessions, request }: SwitchQuestion,
): Promise<
  { kind: "answer"; answer: Pick<Reregistered, "ended_kill_switches" | "active_kill_switches"> } | Refusal
> {
  const targets = sessions.map(({ sessionId }) => ({ scope: "session", id: sessionId }) as const);
  const read = await callStore(ports, NOT_CONFIRMED, () =>
    ports.killSwitches.activeKillSwitches(principal.org, targets),
  );
  if (read.kind === "problem") return read;
  const ended: string[] = [];
  const active: string[] = [];
  for (const { kill_switch_id, trigger_source } of read.value) {
    if (!request.end_kill_switch || trigger_source !== "rogue_detection") {
      active.push(kill_switch_id);
      continue;
    }
    const { reason, reregistered_by: deactivated_by } = request;
    const end = { kill_switch_id, reason, deactivated_by, trigger_source: "api" } as const;
    const outcome = await deactivateKillSwitch(ports, principal, end);
    if (outcome.kind === "problem") return outcome;
    ended.push(kill_switch_id);
  }
  return { kind: "answer", answer: { ended_kill_switches: ended, active_kill_switches: active } };
}
