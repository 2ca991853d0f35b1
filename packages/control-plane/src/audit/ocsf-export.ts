import type { RowFilter } from "@svc/audit-log/row-filter";
import type { AuditStore } from "@svc/store/ports/audit-store";
import { inPieces } from "./in-pieces.ts";

export interface OcsfExportRequest {
  readonly audit: AuditStore;
  /** The organization whose rows are shown. */
  readonly org: string;
  readonly filter: RowFilter;
}

/**
 * The rows of an organization that fit, as events of the Open Cybersecurity Schema Framework, one a line,
 * in pieces of UTF-8. They are for other systems to read. They prove nothing: hashes and signatures are in
 * the other forms.
 */
export function ocsfExport(request: OcsfExportRequest): AsyncGenerator<Uint8Array> {
  return inPieces(eventBytes(request));
}

async function* eventBytes({ audit, org, filter }: OcsfExportRequest): AsyncGenerator<Uint8Array> {
  for (const { logId, size } of await audit.heads()) {
    if (logId !== (filter.logId ?? logId)) continue;
    for (let from: number | null = 0; from !== null && from < size; ) {
      const page = await audit.ocsfRows({ logId, from, end: size, org, filter });
      yield page.lines;
      from = page.next;
    }
  }
}
