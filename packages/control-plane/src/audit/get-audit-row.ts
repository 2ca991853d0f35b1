import type { RowFound } from "@svc/audit-index/audit-answers";
import type { AuditRowProof } from "@svc/contract/audit-answer";
import { parseDecisionId } from "@svc/contract/decision-id";
import type { Principal } from "@svc/contract/principal";
import { callStore } from "../call-store.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { type AuditQueryPorts, NOT_ANSWERED } from "./audit-query-ports.ts";
import { viewIndexed, viewRow } from "./audit-view.ts";

/** One row with its hashes and the first checkpoint that covers it. */
export async function getAuditRow(
  ports: AuditQueryPorts,
  principal: Principal,
  id: string,
): Promise<Outcome<AuditRowProof>> {
  const found = await findRow(ports, principal, id);
  if (found.kind === "problem") return found;
  const { row, behind } = found;
  const { logId, seq } = row.position;
  const read = await callStore(ports, NOT_ANSWERED, () => ports.audit.checkpoints(logId, seq, 1));
  if (read.kind === "problem") return read;
  const [signed] = read.value;
  const checkpoint = signed === undefined ? null : { log_id: logId, size: signed.size, note: signed.note };
  const prev_hash = Buffer.from(row.prevHash).toString("hex");
  return { kind: "ok", value: { ...viewRow(row), prev_hash, checkpoint, indexed: viewIndexed(behind) } };
}

type Found = {
  readonly kind: "found";
  readonly row: NonNullable<RowFound["row"]>;
  readonly behind: RowFound["behind"];
};

/** The row of an id, if it belongs to the organization that asks. */
export async function findRow(
  ports: Pick<AuditQueryPorts, "log" | "auditIndex">,
  { org }: Principal,
  id: string,
): Promise<Found | Refusal> {
  const position = parseDecisionId(id);
  if (position === null) return refuseUnknownRow(id);
  const found = await callStore(ports, NOT_ANSWERED, () => ports.auditIndex.row({ org, position }));
  if (found.kind === "problem") return found;
  const { row, behind } = found.value;
  return row === null ? refuseUnknownRow(id) : { kind: "found", row, behind };
}

export function refuseUnknownRow(id: string): Refusal {
  const fix = id.startsWith("apr_") ? `GET approvals/${id} reads an approval.` : "GET audit lists the rows.";
  return refuse("not_found", `This organization has no audit row ${id}. ${fix}`);
}
