import type { AlertCondition, AlertRecord } from "@svc/contract/alert";
import { DEFAULT_ORG } from "@svc/contract/execute-request";
import { maskSecretsInText } from "@svc/engine/mask-secrets";
import type { ContainedAgent } from "../rogue/supervision-view.ts";
import type { AlertFacts, KnownAnomaly, ObservedProcess } from "./alert-facts.ts";
import { type Finding, LATE_MS } from "./finding.ts";
import { webhookFindings } from "./webhook-findings.ts";

/** When an alert is opened, and when it is resolved. */
export interface WatchedCondition {
  readonly severity: AlertRecord["severity"];
  /** Milliseconds for which it has to last before an alert is opened. */
  readonly opensAfterMs: number;
  /** Milliseconds without it after which the alert is resolved, so that it does not flap. */
  readonly clearsAfterMs: number;
  /** Everything that it is true of; null: that is not known now, so nothing is opened or resolved. */
  readonly find: (facts: AlertFacts) => readonly Finding[] | null;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Milliseconds for which an anomaly counts. It is an event, which has no end of its own. */
const ANOMALY_LASTS_MS = 15 * MINUTE_MS;

/** The same of a burst of denies. One that goes on is recorded again every five minutes. */
const BURST_LASTS_MS = 10 * MINUTE_MS;

/** Milliseconds after a failed checkpoint. While it fails, it is tried again every second. */
const CHECKPOINT_LASTS_MS = 30 * SECOND_MS;

/** Free share of a disk below which an alert is opened, and from which on it is resolved, as ratios. */
const DISK_FREE = { opens: 0.1, ends: 0.12 };

/** Ids that the details of an alert list, as count. */
const MAX_LISTED = 10;

/** Every condition that is watched. */
export const WATCHED_CONDITIONS: Readonly<Record<AlertCondition, WatchedCondition>> = {
  agent_severity: {
    severity: "critical",
    opensAfterMs: 0,
    // Only an operator or a new authentication lowers such a severity.
    clearsAfterMs: 5 * SECOND_MS,
    find: ({ contained }) => contained.map(severityOf),
  },
  agent_anomaly: {
    severity: "warning",
    opensAfterMs: 0,
    clearsAfterMs: 0,
    find: ({ anomalies }) => anomaliesOf(anomalies),
  },
  policy_violations: {
    severity: "warning",
    opensAfterMs: 0,
    clearsAfterMs: 0,
    find: ({ anomalies }) => burstsOf(anomalies),
  },
  policy_unloadable: {
    severity: "critical",
    opensAfterMs: 10 * SECOND_MS,
    clearsAfterMs: 15 * SECOND_MS,
    find: ({ processes }) => unloadable(processes),
  },
  deliveries_late: {
    severity: "warning",
    // A clock that jumps makes an endpoint look late for the moment of one delivery.
    opensAfterMs: 10 * SECOND_MS,
    clearsAfterMs: MINUTE_MS,
    find: ({ endpoints }) => ofEach(endpoints, webhookFindings.lateDeliveries),
  },
  dead_letters: {
    severity: "warning",
    opensAfterMs: 0,
    clearsAfterMs: 5 * SECOND_MS,
    find: ({ endpoints }) => ofEach(endpoints, webhookFindings.deadLetters),
  },
  webhook_disabled: {
    severity: "warning",
    opensAfterMs: 0,
    clearsAfterMs: 0,
    find: ({ endpoints }) => ofEach(endpoints, webhookFindings.disabledEndpoint),
  },
  fail_closed: {
    severity: "critical",
    // The process itself measures the minute, so that no outage of the store hides it.
    opensAfterMs: 0,
    clearsAfterMs: MINUTE_MS,
    find: ({ processes }) => failingClosed(processes),
  },
  checkpoint_failing: {
    severity: "critical",
    opensAfterMs: 0,
    clearsAfterMs: 5 * MINUTE_MS,
    find: ({ processes }) => ofEach(processes, failingCheckpoints),
  },
  gateway_silent: {
    severity: "critical",
    opensAfterMs: 0,
    clearsAfterMs: 30 * SECOND_MS,
    find: ({ processes }) => ofEach(processes, silent),
  },
  index_late: {
    severity: "warning",
    // A process that was paused catches up at once.
    opensAfterMs: 10 * SECOND_MS,
    clearsAfterMs: 15 * SECOND_MS,
    find: ({ processes }) => lateIndex(processes),
  },
  disk_low: {
    severity: "critical",
    opensAfterMs: 30 * SECOND_MS,
    clearsAfterMs: MINUTE_MS,
    find: ({ processes }) => ofEach(processes, lowDisk),
  },
};

function severityOf({ org, agentId, sessions }: ContainedAgent): Finding {
  const [worst] = sessions;
  const severity = worst?.severity ?? "CRITICAL";
  const consequence = severity === "EMERGENCY" ? "its calls are denied" : "its calls are held";
  return {
    org,
    subject: agentId,
    agent_id: agentId,
    summary: `A session of the agent ${agentId} is at ${severity}: ${consequence}.`,
    details: {
      severity,
      sessions: sessions.length,
      session_ids: sessions.slice(0, MAX_LISTED).map(({ sessionId }) => sessionId),
    },
  };
}

function anomaliesOf(anomalies: AlertFacts["anomalies"]): readonly Finding[] | null {
  if (anomalies === null) return null;
  const counting = anomalies.filter(
    ({ anomaly, ageMs }) => anomaly !== "policy_violations" && ageMs < ANOMALY_LASTS_MS,
  );
  const byAgent = Map.groupBy(counting, ({ org, agentId }) => `${org} ${agentId}`);
  return [...byAgent.values()].flatMap((found) => {
    const newest = found.toSorted((one, other) => one.ageMs - other.ageMs)[0];
    if (newest === undefined) return [];
    const { org, agentId, explanation } = newest;
    const summary = `The agent ${agentId} behaves in an unusual way: it ${explanation}.`;
    return [{ org, subject: agentId, agent_id: agentId, summary, details: detailsOf(newest) }];
  });
}

function burstsOf(anomalies: AlertFacts["anomalies"]): readonly Finding[] | null {
  if (anomalies === null) return null;
  return anomalies
    .filter(({ anomaly, ageMs }) => anomaly === "policy_violations" && ageMs < BURST_LASTS_MS)
    .map((burst) => ({
      org: burst.org,
      subject: `${burst.agentId}: ${burst.subject}`,
      agent_id: burst.agentId,
      summary: `The agent ${burst.agentId} ${burst.explanation}.`,
      details: { rule: burst.subject, ...detailsOf(burst) },
    }));
}

function detailsOf({ anomaly, namespace, sessionId, position }: KnownAnomaly) {
  const row = `${position.logId}.${String(position.seq)}`;
  return { anomaly, namespace, session_id: sessionId, audit_row: row };
}

function unloadable(processes: AlertFacts["processes"]): readonly Finding[] | null {
  if (processes === null) return null;
  const found = processes.flatMap(({ id, isLiving, signs }) =>
    isLiving ? (signs?.unloadable ?? []).map((policy) => ({ id, ...policy })) : [],
  );
  const byPolicy = Map.groupBy(found, ({ org, policy_id }) => `${org} ${policy_id}`);
  return [...byPolicy.values()].flatMap((at) => {
    const [first] = at;
    if (first === undefined) return [];
    const { org, policy_id, detail } = first;
    const summary = `The policy ${policy_id} cannot be loaded, so the calls of its agents are denied.`;
    const details = { policy_id, detail: maskSecretsInText(detail), gateways: listed(at) };
    return [{ org, subject: policy_id, agent_id: null, summary, details }];
  });
}

function failingClosed(processes: AlertFacts["processes"]): readonly Finding[] | null {
  if (processes === null) return null;
  const failing = processes.flatMap(({ id, isLiving, signs }) =>
    Object.entries((isLiving ? signs?.fail_closed : null) ?? {}).flatMap(([cause, episode]) =>
      episode.idle_ms < MINUTE_MS ? [{ id, cause, ...episode }] : [],
    ),
  );
  return [...Map.groupBy(failing, ({ cause }) => cause)].map(([cause, at]) => ({
    org: DEFAULT_ORG,
    subject: cause,
    agent_id: null,
    summary: `Calls have been denied for a minute or longer because of a fault: ${cause}.`,
    details: { reason_code: cause, gateways: listed(at) },
    ...(at.some(({ lasted_ms }) => lasted_ms >= MINUTE_MS) ? {} : { onlyHolds: true }),
  }));
}

function failingCheckpoints({ id, isLiving, signs }: ObservedProcess): Finding | null {
  const episode = signs?.checkpoints ?? null;
  if (!isLiving || episode === null || episode.idle_ms >= CHECKPOINT_LASTS_MS) return null;
  return {
    org: DEFAULT_ORG,
    subject: id,
    agent_id: null,
    summary: `The process ${id} cannot sign checkpoints of its log.`,
    details: { process: id },
  };
}

function silent({ id, host, isGateway, isLiving }: ObservedProcess): Finding | null {
  if (!isGateway || isLiving) return null;
  return {
    org: DEFAULT_ORG,
    subject: id,
    agent_id: null,
    summary: `The gateway ${id} on ${host} gives no sign of life.`,
    details: { gateway: id, host },
  };
}

function lateIndex(processes: AlertFacts["processes"]): readonly Finding[] | null {
  if (processes === null) return null;
  const lags = processes.flatMap(({ isLiving, signs }) => (isLiving ? (signs?.index_lag_ms ?? []) : []));
  // While no process fills the index, nobody knows.
  if (lags.length === 0) return null;
  const lagMs = Math.max(...lags);
  if (lagMs < LATE_MS.ends) return [];
  const seconds = Math.round(lagMs / SECOND_MS);
  return [
    {
      org: DEFAULT_ORG,
      subject: "audit index",
      agent_id: null,
      summary: `The audit index is ${String(seconds)} seconds behind the log, so lists of rows are late.`,
      details: { lag_seconds: seconds },
      ...(lagMs < LATE_MS.opens ? { onlyHolds: true } : {}),
    },
  ];
}

function lowDisk({ id, host, isLiving, signs }: ObservedProcess): Finding | null {
  const free = signs?.disk_free ?? null;
  if (!isLiving || free === null || free >= DISK_FREE.ends) return null;
  const percent = Math.round(free * 1_000) / 10;
  return {
    org: DEFAULT_ORG,
    subject: id,
    agent_id: null,
    summary: `The disk of the data directory of ${id} on ${host} has ${String(percent)} % left.`,
    details: { process: id, host, free_percent: percent },
    ...(free < DISK_FREE.opens ? {} : { onlyHolds: true }),
  };
}

function ofEach<Observed>(
  all: readonly Observed[] | null,
  find: (one: Observed) => Finding | null,
): readonly Finding[] | null {
  return all === null ? null : all.map(find).filter((found) => found !== null);
}

function listed(at: readonly { readonly id: string }[]): string[] {
  return [...new Set(at.map(({ id }) => id))].slice(0, MAX_LISTED);
}
