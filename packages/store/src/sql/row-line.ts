import type { ReadableRow } from "@svc/audit-log/parse-row-text";
import { formatDecisionId } from "@svc/contract/decision-id";
import type { StoredRow } from "../ports/audit-store.ts";

/** One line of JSON: the members that a list of rows has. The row stands in it as it was hashed. */
export function rowLine({ logId, seq, hash }: StoredRow, { time, kind }: ReadableRow, text: string): string {
  const id = formatDecisionId({ logId, seq });
  const members = { id, log_id: logId, seq, time, kind, hash: Buffer.from(hash).toString("hex") };
  return `${JSON.stringify(members).slice(0, -1)},"row":${text}}`;
}
