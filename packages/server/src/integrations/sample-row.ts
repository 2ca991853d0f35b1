import { ocsfEvent } from "@svc/audit-log/ocsf-event";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import { formatDecisionId } from "@svc/contract/decision-id";
import type { RowFormat } from "@svc/contract/integration-kinds";
import type { ForwardedRow } from "@svc/store/ports/forwarded-rows";

/** Stands for the log of a row that is in none. */
const LOG_ID = "test";

/** A row that says that it is a test. No log has it. */
export function sampleRow(
  format: RowFormat,
  { org, id, atMs }: { readonly org: string; readonly id: string; readonly atMs: number },
): ForwardedRow {
  const time = new Date(atMs).toISOString();
  const kind = "integration";
  const about = { kind, time, org, principal: "integrations", action: "tested", integration_id: id };
  const row = { v: AUDIT_ROW_VERSION, ...about } as const;
  const place = { logId: LOG_ID, seq: 0 };
  const stored = { id: formatDecisionId(place), log_id: LOG_ID, seq: 0, time, kind, hash: "", row };
  const line = JSON.stringify(format === "ocsf" ? ocsfEvent({ ...place, row }) : stored);
  return { ...place, kind, timeMs: atMs, severity: 1, line };
}
