import { ocsfEvent } from "@svc/audit-log/ocsf-event";
import { parseRowText } from "@svc/audit-log/parse-row-text";
import { fitsFilter } from "@svc/audit-log/row-filter";
import type { AuditStore, OcsfPage, OcsfRange } from "../ports/audit-store.ts";
import { BYTES_PER_READ, ROWS_PER_READ } from "./export-rows.ts";

/** Renders rows where they are read, so that the serving thread only passes bytes on. */
export async function ocsfRows(read: AuditStore["rows"], range: OcsfRange): Promise<OcsfPage> {
  const { logId, from, end, org, filter } = range;
  const found = await read(logId, from, Math.min(ROWS_PER_READ, end - from), BYTES_PER_READ);
  const lines = found.flatMap(({ seq, bytes }) => {
    const reading = parseRowText(Buffer.from(bytes).toString("utf8"));
    if (seq >= end || reading.kind !== "row" || reading.row.org !== org) return [];
    const event = fitsFilter(filter, reading.row) ? ocsfEvent({ logId, seq, row: reading.row }) : null;
    return event === null ? [] : [`${JSON.stringify(event)}\n`];
  });
  const last = found.at(-1)?.seq;
  const next = last === undefined || last + 1 >= end ? null : last + 1;
  return { lines: Buffer.from(lines.join(""), "utf8"), next };
}
