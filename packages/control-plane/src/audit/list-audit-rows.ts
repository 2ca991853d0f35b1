import type { AuditPageAnswer } from "@svc/contract/audit-answer";
import type { AuditFilter } from "@svc/contract/audit-query";
import type { Principal } from "@svc/contract/principal";
import type { PageRequest } from "@svc/store/ports/page";
import { callStore } from "../call-store.ts";
import { type Outcome, refuseCursor } from "../refusal.ts";
import { type AuditQueryPorts, NOT_ANSWERED } from "./audit-query-ports.ts";
import { viewIndexed, viewRow } from "./audit-view.ts";
import { entryCursor, parseEntryCursor } from "./entry-cursor.ts";

export interface AuditQuery {
  readonly filter: AuditFilter;
  readonly page: PageRequest;
}

/** Rows of the organization that a filter lets pass, newest first. */
export async function listAuditRows(
  ports: Pick<AuditQueryPorts, "log" | "auditIndex">,
  { org }: Principal,
  { filter, page: { limit, after } }: AuditQuery,
): Promise<Outcome<AuditPageAnswer>> {
  const before = after === null ? null : parseEntryCursor(after);
  if (after !== null && before === null) return refuseCursor(after);
  const search = { org, filter, limit, before };
  const found = await callStore(ports, NOT_ANSWERED, () => ports.auditIndex.search(search));
  if (found.kind === "problem") return found;
  const { rows, next, searchedBackTo, behind } = found.value;
  const page = {
    rows: rows.map(viewRow),
    next_cursor: next === null ? null : entryCursor(next),
    searched_back_to: searchedBackTo === null ? null : new Date(searchedBackTo).toISOString(),
    indexed: viewIndexed(behind),
  };
  return { kind: "ok", value: page };
}
