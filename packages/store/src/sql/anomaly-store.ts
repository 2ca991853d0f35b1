import type { Selectable } from "kysely";
import {
  type AgentAnomaly,
  ANOMALIES_KEPT_MS,
  type AnomalyStore,
  type NewAnomaly,
  type RecordedAnomaly,
  type StoredAnomaly,
} from "../ports/anomaly-store.ts";
import type { SupervisedSession } from "../ports/supervision-store.ts";
import { afterChange } from "./after-heartbeat.ts";
import { type ControlTransaction, changeControl } from "./change-control.ts";
import type { StoreContext } from "./store-context.ts";
import { nameKey, rowOf, severityChange } from "./supervised-session.ts";
import { SEVERITY_LANE } from "./supervision-store.ts";
import type { Tables } from "./tables.ts";
import { readSessions, takeNumbers, writeSessions } from "./write-sessions.ts";

export function createAnomalyStore(context: StoreContext): AnomalyStore {
  return {
    // The lock on control state decides between two processes that record the same occurrence.
    recordAnomaly: async (anomaly) =>
      changeControl(context, SEVERITY_LANE, async (control) => record(control, anomaly)),
    recentAnomalies: async (org, agentId, { sinceMs, limit }) => {
      const rows = await context.db
        .selectFrom("anomalies")
        .selectAll()
        .where("org", "=", org)
        .where("agent_id", "=", agentId)
        .where("at_ms", ">=", sinceMs)
        .orderBy("at_ms", "desc")
        .limit(limit)
        .execute();
      return rows.map(storedAnomaly);
    },
    latestAnomalies: async (limit) => {
      const latest = context.db.selectFrom("anomalies").selectAll().orderBy("at_ms", "desc").limit(limit);
      return (await latest.execute()).map(
        (row): AgentAnomaly => ({
          org: row.org,
          agentId: row.agent_id,
          subject: row.subject,
          ...storedAnomaly(row),
        }),
      );
    },
  };
}

function storedAnomaly(row: Selectable<Tables["anomalies"]>): StoredAnomaly {
  return {
    position: { logId: row.log_id, seq: row.seq },
    atMs: row.at_ms,
    namespace: row.namespace,
    sessionId: row.session_id,
    anomaly: row.anomaly,
    explanation: row.explanation,
  };
}

async function record(control: ControlTransaction, anomaly: NewAnomaly): Promise<RecordedAnomaly> {
  if (await isKnown(control, anomaly)) return { kind: "known" };
  const raising = await raise(control, anomaly);
  if (raising === "moved") return { kind: "moved" };
  const { rows, session, changes } = raising;
  const { org, auditRow } = anomaly;
  const { seq } = await control.announceRow({ org, auditRows: [auditRow, ...rows], changes });
  const position = { logId: control.logId, seq };
  await write(control, anomaly, position);
  return { kind: "recorded", position, raised: session };
}

async function isKnown({ trx }: ControlTransaction, anomaly: NewAnomaly): Promise<boolean> {
  const last = await trx
    .selectFrom("anomalies")
    .select("at_ms")
    .where("org", "=", anomaly.org)
    .where("agent_id", "=", anomaly.agentId)
    .where("anomaly", "=", anomaly.anomaly)
    .where("subject", "=", anomaly.subject)
    .executeTakeFirst();
  return last !== undefined && anomaly.atMs < last.at_ms + anomaly.quietMs;
}

interface Raising {
  readonly rows: readonly string[];
  readonly session: SupervisedSession | null;
  readonly changes: readonly ReturnType<typeof severityChange>[];
}

async function raise(control: ControlTransaction, { raise: change }: NewAnomaly): Promise<Raising | "moved"> {
  if (change === null) return { rows: [], session: null, changes: [] };
  const { first: version, nowMs } = await takeNumbers(control, 1);
  const before = (await readSessions(control, [change])).get(nameKey(change));
  if (before?.version !== change.version) return "moved";
  const session = afterChange(before, change, { version, nowMs });
  await writeSessions(control.trx, control.dialect, [session]);
  const changes = before.severity === session.severity ? [] : [severityChange(rowOf(session))];
  return { rows: [change.auditRow, ...(change.furtherRows ?? [])], session, changes };
}

async function write(
  { trx }: ControlTransaction,
  { org, agentId, namespace, sessionId, anomaly, subject, atMs, explanation }: NewAnomaly,
  { logId, seq }: { readonly logId: string; readonly seq: number },
): Promise<void> {
  const rest = { namespace, session_id: sessionId, at_ms: atMs, explanation, log_id: logId, seq };
  await trx
    .insertInto("anomalies")
    .values({ org, agent_id: agentId, anomaly, subject, ...rest })
    .onConflict((conflict) => conflict.columns(["org", "agent_id", "anomaly", "subject"]).doUpdateSet(rest))
    .execute();
  await trx
    .deleteFrom("anomalies")
    .where("at_ms", "<", atMs - ANOMALIES_KEPT_MS)
    .execute();
}
