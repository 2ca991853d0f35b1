import { rowText } from "@svc/audit-log/row-text";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import type { Removable } from "@svc/store/ports/retention-store";

export interface RetentionRowFacts {
  readonly logId: string;
  readonly removable: Removable;
  readonly time: string;
  readonly days: number;
}

/** The audit row of a removal, as text to store. */
export function retentionRow({ logId, removable, time, days }: RetentionRowFacts): string {
  const { org, ranges, rows, digest } = removable;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "retention",
    time,
    org,
    principal: "retention",
    action: "removed",
    log_id: logId,
    ranges: ranges.map(({ from, to }) => `${String(from)}-${String(to)}`).join(),
    removed_rows: rows,
    digest: `sha256:${Buffer.from(digest).toString("hex")}`,
    older_than_days: days,
  });
}
