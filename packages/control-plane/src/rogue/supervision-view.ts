import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { SEVERITIES, type Severity } from "@svc/contract/severity";
import type { ControlSubscriber } from "@svc/control-feed/control-subscriber";
import type { ControlChange, ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import type { SessionName } from "@svc/store/ports/supervision-store";

export interface ContainedSession {
  readonly sessionId: string;
  readonly severity: "CRITICAL" | "EMERGENCY";
}

/** An agent with sessions at CRITICAL or above, the worst first. */
export interface ContainedAgent {
  readonly org: string;
  readonly agentId: string;
  readonly sessions: readonly ContainedSession[];
}

/** What one organization has of it. Sets and maps are by name; switches are by their ids. */
interface OrgView {
  readonly namespaces: Map<string, string>;
  readonly severities: Map<string, Exclude<Severity, "INFO">>;
  readonly switches: Map<string, KillSwitchRecord>;
  /** Active switches on `<scope> <target>`, as count. */
  readonly killed: Map<string, number>;
}

/**
 * What supervision has to know of control state: the namespaces of registered agents, the severities of
 * sessions, and which sessions a kill switch stops. It follows the control feed, so a question costs no read.
 */
export class SupervisionView implements ControlSubscriber {
  #revision = 0;
  #orgs = new Map<string, OrgView>();

  get revision(): number {
    return this.#revision;
  }

  *load({ revision, changes }: ControlSnapshot): Generator<undefined, void> {
    const orgs = new Map<string, OrgView>();
    for (const { org, change } of changes) {
      applyChange(orgs, org, change);
      yield;
    }
    this.#orgs = orgs;
    this.#revision = revision;
  }

  apply({ revision, org, change }: ControlEvent): void {
    applyChange(this.#orgs, org, change);
    this.#revision = revision;
  }

  /** The namespace with which the agent is registered; null: nobody registered it. */
  namespaceOf(org: string, agentId: string): string | null {
    return this.#orgs.get(org)?.namespaces.get(agentId) ?? null;
  }

  severityOf({ org, agentId, sessionId }: SessionName): Severity {
    return this.#orgs.get(org)?.severities.get(`${agentId}\n${sessionId}`) ?? "INFO";
  }

  /** The sessions of an agent at CRITICAL or above, the worst first. */
  containedSessions(org: string, agentId: string): readonly ContainedSession[] {
    return worstFirst(containedIn(this.#orgs.get(org)).filter((session) => session.agentId === agentId));
  }

  /** The agents of all organizations that have a session at CRITICAL or above. */
  containedAgents(): readonly ContainedAgent[] {
    return [...this.#orgs].flatMap(([org, view]) =>
      [...Map.groupBy(containedIn(view), ({ agentId }) => agentId)].map(([agentId, sessions]) => ({
        org,
        agentId,
        sessions: worstFirst(sessions),
      })),
    );
  }

  /** Whether a switch on the session, on its agent or on the whole organization is active. */
  isKilled({ org, agentId, sessionId }: SessionName): boolean {
    const killed = this.#orgs.get(org)?.killed;
    if (killed === undefined || killed.size === 0) return false;
    return [ACCOUNT_WIDE, `session ${sessionId}`, `agent ${agentId}`].some((key) => killed.has(key));
  }

  /** Sessions by severity, all organizations together. INFO is not counted. */
  countBySeverity(): Readonly<Record<Exclude<Severity, "INFO">, number>> {
    const counts = { WARNING: 0, CRITICAL: 0, EMERGENCY: 0 };
    for (const { severities } of this.#orgs.values())
      for (const severity of severities.values()) counts[severity] += 1;
    return counts;
  }
}

function containedIn(
  view: OrgView | undefined,
): readonly (ContainedSession & { readonly agentId: string })[] {
  return [...(view?.severities ?? [])].flatMap(([key, severity]) => {
    // No name holds a line break.
    const [agentId, sessionId] = key.split("\n");
    if (agentId === undefined || sessionId === undefined || severity === "WARNING") return [];
    return [{ agentId, sessionId, severity }];
  });
}

function worstFirst(sessions: readonly ContainedSession[]): readonly ContainedSession[] {
  return sessions
    .map(({ sessionId, severity }) => ({ sessionId, severity }))
    .toSorted((one, other) => rankOf(other) - rankOf(one));
}

function rankOf({ severity }: ContainedSession): number {
  return SEVERITIES.indexOf(severity);
}

const ACCOUNT_WIDE = "account";

function applyChange(orgs: Map<string, OrgView>, org: string, change: ControlChange): void {
  switch (change.kind) {
    case "agent":
      if (change.removed) viewOf(orgs, org).namespaces.delete(change.record.id);
      else viewOf(orgs, org).namespaces.set(change.record.id, change.record.namespace);
      return;
    case "severity": {
      const { agentId, sessionId, severity } = change.record;
      const { severities } = viewOf(orgs, org);
      if (severity === "INFO") severities.delete(`${agentId}\n${sessionId}`);
      else severities.set(`${agentId}\n${sessionId}`, severity);
      return;
    }
    case "kill_switch":
      applySwitch(viewOf(orgs, org), change.record);
      return;
    case "policy":
    case "assignment":
    case "key":
      return;
  }
}

function applySwitch({ switches, killed }: OrgView, record: KillSwitchRecord): void {
  const { kill_switch_id: id, status } = record;
  const before = switches.get(id);
  if (before !== undefined) {
    const key = targetOf(before);
    const left = (killed.get(key) ?? 1) - 1;
    if (left === 0) killed.delete(key);
    else killed.set(key, left);
    switches.delete(id);
  }
  if (status !== "active") return;
  switches.set(id, record);
  killed.set(targetOf(record), (killed.get(targetOf(record)) ?? 0) + 1);
}

function targetOf({ account_wide, scope, target_id }: KillSwitchRecord): string {
  return account_wide ? ACCOUNT_WIDE : `${scope} ${target_id ?? ""}`;
}

function viewOf(orgs: Map<string, OrgView>, org: string): OrgView {
  const known = orgs.get(org);
  if (known !== undefined) return known;
  const view = { namespaces: new Map(), severities: new Map(), switches: new Map(), killed: new Map() };
  orgs.set(org, view);
  return view;
}
