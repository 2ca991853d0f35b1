import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import type { RowMembers } from "@svc/contract/audit-answer";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { PROBE_TOOLS } from "../doctor/probe-seams.ts";
import { CommandFailure } from "../frame/exit-code.ts";

/** The last decisions of all gateways, counted. */
interface LastDecisions {
  readonly count: number;
  /** Denied probes of svc-cli doctor among the rows that were read. They are counted nowhere else. */
  readonly probes: number;
  readonly allow: number;
  readonly deny: number;
  readonly pause: number;
  /** Decisions that are rows, and whose callers were denied afterwards. They are counted above, too. */
  readonly withdrawn: number;
  /** Denies that stand for a fault, by their reason codes. */
  readonly fail_closed: Readonly<Record<string, number>>;
  /** The time of the oldest one. Null: there is none. */
  readonly since: string | null;
  readonly until: string | null;
  /** False: newer ones are not indexed yet. */
  readonly is_complete: boolean;
}

export async function readDecisions(client: ControlClient): Promise<LastDecisions> {
  const query = { kind: "decision", limit: String(MAX_PAGE_SIZE) };
  const { body } = await client.ask(auditQueryRoutes.listAuditRows, { query });
  const counts = { allow: 0, deny: 0, pause: 0 };
  const causes = new Map<string, number>();
  const rows = body.rows.filter(({ row }) => !isDeniedProbe(row));
  for (const { row } of rows) {
    const decision = row["decision"];
    if (decision === "allow" || decision === "deny" || decision === "pause") counts[decision] += 1;
    const cause = row["reason_code"];
    if (row["fail_closed"] === true && typeof cause === "string")
      causes.set(cause, (causes.get(cause) ?? 0) + 1);
  }
  return {
    count: rows.length,
    probes: body.rows.length - rows.length,
    ...counts,
    withdrawn: rows.filter(({ outcome }) => outcome?.withdrawn === true).length,
    fail_closed: Object.fromEntries(causes),
    since: rows.at(-1)?.time ?? null,
    until: rows[0]?.time ?? null,
    is_complete: body.indexed.complete,
  };
}

/** A probe is denied by the kill switch that was made for it, and says nothing about agents. */
function isDeniedProbe({ tool, reason_code: code }: RowMembers): boolean {
  return typeof tool === "string" && tool.startsWith(PROBE_TOOLS) && code === "kill_switch";
}

/** Milliseconds of anomalies that the status shows. */
const LOOK_BACK_MS = 3_600_000;

/** Anomalies of the last hour, one for each agent and kind, the latest first. */
export interface RecentAnomalies {
  readonly since: string;
  readonly anomalies: readonly {
    readonly agent_id: string;
    readonly anomaly: string;
    readonly times: number;
    readonly last_at: string;
    /** Of the latest. */
    readonly explanation: string;
  }[];
  /** False: there are more, or newer ones are not indexed yet. */
  readonly is_all: boolean;
}

export async function readAnomalies(client: ControlClient, nowMs: number): Promise<RecentAnomalies> {
  const since = new Date(nowMs - LOOK_BACK_MS).toISOString();
  const query = { kind: "anomaly", since, limit: String(MAX_PAGE_SIZE) };
  const { body } = await client.ask(auditQueryRoutes.listAuditRows, { query });
  const groups = Map.groupBy(body.rows, ({ row }) => `${text(row["agent_id"])}\0${text(row["anomaly"])}`);
  const anomalies = [...groups.values()].flatMap((rows) =>
    rows.slice(0, 1).map(({ time, row }) => ({
      agent_id: text(row["agent_id"]),
      anomaly: text(row["anomaly"]),
      times: rows.length,
      last_at: time,
      explanation: text(row["explanation"]),
    })),
  );
  return { since, anomalies, is_all: body.next_cursor === null && body.indexed.complete };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Milliseconds after which a row should be signed: a checkpoint comes about every second. */
const DUE_AFTER_MS = 5_000;

/** Logs that are looked at, as count: each takes a question, and a watch asks every two seconds. */
const MAX_LOGS = 10;

/** How far each log is signed that has one of the last rows that should be. */
export interface SignedRows {
  readonly due_after_ms: number;
  /** The newest row that should be signed, of each log. Empty: every row is newer. */
  readonly logs: readonly {
    readonly log_id: string;
    readonly row: { readonly id: string; readonly time: string };
    readonly is_signed: boolean;
  }[];
  /** Logs of these rows that were not looked at, as count. */
  readonly logs_left_out: number;
  /** False: a log may have rows that are older than these. */
  readonly is_all: boolean;
}

/** @throws CommandFailure `unreachable` when nothing can be said yet */
export async function readSignedRows(client: ControlClient, nowMs: number): Promise<SignedRows> {
  const query = { until: new Date(nowMs - DUE_AFTER_MS).toISOString(), limit: String(MAX_PAGE_SIZE) };
  const { body } = await client.ask(auditQueryRoutes.listAuditRows, { query });
  const newest = [...Map.groupBy(body.rows, ({ log_id }) => log_id).values()].flatMap(
    ([first]) => first ?? [],
  );
  if (newest.length === 0 && !body.indexed.complete)
    throw new CommandFailure("unreachable", "no older row is indexed yet");
  const logs = newest.slice(0, MAX_LOGS).map(async ({ id, log_id, time }) => {
    const { body: proof } = await client.ask(auditQueryRoutes.getAuditRow, { params: { row_id: id } });
    return { log_id, row: { id, time }, is_signed: proof.checkpoint !== null };
  });
  return {
    due_after_ms: DUE_AFTER_MS,
    logs: await Promise.all(logs),
    is_all: body.next_cursor === null,
    logs_left_out: Math.max(newest.length - MAX_LOGS, 0),
  };
}
