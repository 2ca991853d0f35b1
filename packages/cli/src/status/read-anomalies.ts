import { auditQueryRoutes } from "@svc/api/audit-query-routes";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";

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
