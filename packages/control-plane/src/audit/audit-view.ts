import type { Behind, FoundOutcome, FoundRow } from "@svc/audit-index/audit-answers";
import type { AuditIndexedAnswer, AuditRowAnswer, RowMembers } from "@svc/contract/audit-answer";
import { formatDecisionId } from "@svc/contract/decision-id";
import { parseJson } from "@svc/text/parse-json";

/** A row as an answer shows it. */
export function viewRow({ position, hash, text, outcome }: FoundRow): AuditRowAnswer {
  const row = parseJson(text) as RowMembers;
  return {
    id: formatDecisionId(position),
    log_id: position.logId,
    seq: position.seq,
    time: textIn(row, "time"),
    kind: textIn(row, "kind"),
    hash: Buffer.from(hash).toString("hex"),
    outcome: outcome === null ? null : viewOutcome(outcome),
    row,
  };
}

export function viewOutcome({
  position,
  status,
  withdrawn,
}: FoundOutcome): NonNullable<AuditRowAnswer["outcome"]> {
  return { id: formatDecisionId(position), status, withdrawn };
}

export function viewIndexed(behind: Behind): AuditIndexedAnswer {
  return {
    complete: behind.length === 0,
    behind: behind.map(({ logId, indexed, size }) => ({
      log_id: logId,
      from_seq: indexed,
      rows: size - indexed,
    })),
  };
}

/** The index shows rows of a known version alone, and these have a text there. */
function textIn(row: RowMembers, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new Error(`expected a text in ${name} of an audit row`);
  return value;
}
