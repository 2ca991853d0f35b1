import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { ReadableRow } from "../parse-row-text.ts";

/** Version of the Open Cybersecurity Schema Framework that the events have. */
const OCSF_VERSION = "1.5.0";

const PRODUCT = { name: "Svc", vendor_name: "Svc" } as const;

const API_ACTIVITY = { category_uid: 6, class_uid: 6003 } as const;
const DETECTION_FINDING = { category_uid: 2, class_uid: 2004 } as const;

const ACTIVITY = { create: 1, update: 3, delete: 4, other: 99 } as const;
const FINDING = { create: 1, update: 2, close: 3 } as const;
const SEVERITY = { informational: 1, low: 2, medium: 3, high: 4, critical: 5 } as const;
const STATUS = { success: 1, failure: 2, other: 99 } as const;

/** A row with its place, which is its public id. */
export interface PlacedRow {
  readonly logId: string;
  readonly seq: number;
  readonly row: ReadableRow;
}

/**
 * The row as an event of the Open Cybersecurity Schema Framework: a Detection Finding (2004) for a kill
 * switch, a quarantine, a severity and an anomaly, else an API Activity (6003). Members of the row that OCSF
 * has no place for are in `unmapped`. Null when the row has no readable time, which every event needs.
 */
export function ocsfEvent({ logId, seq, row }: PlacedRow): JsonObject | null {
  const time = Date.parse(row.time);
  if (!Number.isSafeInteger(time)) return null;
  const { class_uid, category_uid, activity_id, ...details } = detailsOf(row);
  const metadata = {
    version: OCSF_VERSION,
    product: PRODUCT,
    uid: `${logId}.${String(seq)}`,
    log_name: logId,
    sequence: seq,
    original_time: row.time,
    tenant_uid: row.org,
    event_code: codeOf(row),
  };
  const ids = { class_uid, category_uid, activity_id, type_uid: class_uid * 100 + activity_id };
  return { metadata, ...ids, time, ...details, unmapped: unmappedOf(row) };
}

interface Details {
  readonly class_uid: number;
  readonly category_uid: number;
  readonly activity_id: number;
  readonly severity_id: number;
  readonly [member: string]: JsonValue;
}

function detailsOf(row: ReadableRow): Details {
  switch (row.kind) {
    case "decision":
      return decision(row);
    case "outcome":
      return outcome(row);
    case "kill_switch":
      return row["action"] === "dry_run" ? change(row) : finding(row);
    case "severity":
      return severityFinding(row);
    case "anomaly":
      return anomalyFinding(row);
    case "agent":
      return QUARANTINES.has(row["action"]) ? quarantineFinding(row) : change(row);
    default:
      return change(row);
  }
}

const QUARANTINES: ReadonlySet<JsonValue | undefined> = new Set([
  "quarantined",
  "quarantine_extended",
  "quarantine_lifted",
  "quarantine_expired",
]);

/** One finding for each supervised session: it closes when the session is at INFO again. */
function severityFinding(row: ReadableRow): Details {
  const { previous_severity: before, severity: now, agent_id, session_id } = row;
  const activity = before === "INFO" ? FINDING.create : FINDING.update;
  return {
    ...DETECTION_FINDING,
    activity_id: now === "INFO" ? FINDING.close : activity,
    severity_id: SEVERITY_IDS.get(now) ?? SEVERITY.medium,
    finding_info: {
      uid: `${text(agent_id)} ${text(session_id)}`,
      title: `Severity ${text(now)}: session ${text(session_id)} of agent ${text(agent_id)}`,
      ...optional("desc", row["reason"]),
    },
  };
}

const SEVERITY_IDS: ReadonlyMap<JsonValue | undefined, number> = new Map([
  ["INFO", SEVERITY.informational],
  ["WARNING", SEVERITY.medium],
  ["CRITICAL", SEVERITY.high],
  ["EMERGENCY", SEVERITY.critical],
]);

function anomalyFinding(row: ReadableRow): Details {
  return {
    ...DETECTION_FINDING,
    activity_id: FINDING.create,
    severity_id: SEVERITY.medium,
    finding_info: {
      uid: `${text(row["agent_id"])} ${text(row["anomaly"])} ${row.time}`,
      title: `Anomaly ${text(row["anomaly"])}: agent ${text(row["agent_id"])}`,
      ...optional("desc", row["explanation"]),
    },
  };
}

function quarantineFinding(row: ReadableRow): Details {
  const { action, agent_id } = row;
  const isOpen = action === "quarantined" || action === "quarantine_extended";
  return {
    ...DETECTION_FINDING,
    activity_id: isOpen ? openActivity(action) : FINDING.close,
    severity_id: isOpen ? SEVERITY.high : SEVERITY.informational,
    finding_info: {
      uid: `quarantine ${text(agent_id)}`,
      title: `Quarantine of agent ${text(agent_id)}: ${text(action)}`,
      ...optional("desc", row["reason"]),
    },
  };
}

function openActivity(action: JsonValue | undefined): number {
  return action === "quarantined" ? FINDING.create : FINDING.update;
}

function decision(row: ReadableRow): Details {
  const { decision: decided, fail_closed: isFault, agent_id, session_id, namespace } = row;
  const refused = isFault === true ? SEVERITY.medium : SEVERITY.low;
  const session = typeof session_id === "string" ? { session: { uid: session_id } } : {};
  return {
    ...API_ACTIVITY,
    activity_id: ACTIVITY.other,
    activity_name: "Decide",
    severity_id: decided === "allow" ? SEVERITY.informational : refused,
    status_id: statusOf(decided, { success: "allow", failure: "deny" }),
    status: text(decided),
    ...optional("status_code", row["reason_code"]),
    ...optional("status_detail", row["reason"]),
    api: { operation: text(row["tool"]) },
    actor: { app_uid: text(agent_id), user: { uid: text(row["principal"]) }, ...session },
    src_endpoint: { uid: text(agent_id), svc_name: text(namespace) },
  };
}

function outcome(row: ReadableRow): Details {
  return {
    ...API_ACTIVITY,
    activity_id: ACTIVITY.other,
    activity_name: "Report outcome",
    severity_id: SEVERITY.informational,
    status_id: statusOf(row["status"], { success: "succeeded", failure: "failed" }),
    status: text(row["status"]),
    api: { operation: "outcome", request: { uid: text(row["decision_id"]) } },
    ...caller(row),
  };
}

function finding(row: ReadableRow): Details {
  const { action, scope, target_id: target, kill_switch_id: id } = row;
  const isOpen = action === "activated" || action === "extended";
  const alarm = row["account_wide"] === true ? SEVERITY.critical : SEVERITY.high;
  const stopped = typeof target === "string" ? `${text(scope)} ${target}` : "the whole account";
  const activity = action === "extended" ? FINDING.update : FINDING.create;
  return {
    ...DETECTION_FINDING,
    activity_id: isOpen ? activity : FINDING.close,
    severity_id: isOpen ? alarm : SEVERITY.informational,
    finding_info: {
      uid: text(id),
      title: `Kill switch ${text(action)}: ${stopped}`,
      ...optional("desc", row["reason"]),
    },
  };
}

const CREATIONS: ReadonlySet<JsonValue | undefined> = new Set([
  "created",
  "placed",
  "assigned",
  "requested",
  "registered",
  "adopted",
]);
const DELETIONS: ReadonlySet<JsonValue | undefined> = new Set(["removed", "revoked", "unassigned", "lifted"]);

/** A change of control state, and every kind of row that this version does not know better. */
function change(row: ReadableRow): Details {
  const { action } = row;
  const changed = DELETIONS.has(action) ? ACTIVITY.delete : ACTIVITY.update;
  return {
    ...API_ACTIVITY,
    activity_id: CREATIONS.has(action) ? ACTIVITY.create : changed,
    severity_id: SEVERITY.informational,
    status_id: STATUS.success,
    api: { operation: codeOf(row) },
    ...caller(row),
  };
}

function caller(row: ReadableRow) {
  const uid = text(row["principal"]);
  return { actor: { user: { uid } }, src_endpoint: { uid } };
}

function codeOf({ kind, action }: ReadableRow): string {
  return typeof action === "string" ? `${kind}.${action}` : kind;
}

/** These are in the event already, or say how the row is stored. */
const MAPPED: ReadonlySet<string> = new Set([
  "v",
  "time",
  "org",
  "kind",
  "principal",
  "tool",
  "agent_id",
  "session_id",
  "decision_id",
]);

function unmappedOf(row: ReadableRow): JsonObject {
  return Object.fromEntries(
    Object.entries(row).filter(([name, value]) => !MAPPED.has(name) && value !== null),
  );
}

function statusOf(
  value: JsonValue | undefined,
  { success, failure }: { readonly success: string; readonly failure: string },
): number {
  if (value === success) return STATUS.success;
  return value === failure ? STATUS.failure : STATUS.other;
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "unknown";
}

function optional(name: string, value: JsonValue | undefined): JsonObject {
  return typeof value === "string" ? { [name]: value } : {};
}
