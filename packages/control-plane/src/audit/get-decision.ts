import type { FoundRow } from "@svc/audit-index/audit-answers";
import type { DecisionAnswer } from "@svc/contract/audit-answer";
import { ANY_AUDIT_ROW } from "@svc/contract/audit-query";
import { formatDecisionId } from "@svc/contract/decision-id";
import type { Principal } from "@svc/contract/principal";
import { callStore } from "../call-store.ts";
import { type Outcome, refuse } from "../refusal.ts";
import { type AuditQueryPorts, NOT_ANSWERED } from "./audit-query-ports.ts";
import { viewIndexed, viewOutcome, viewRow } from "./audit-view.ts";
import { findRow } from "./get-audit-row.ts";

/** Most rows of an approval that a decision shows, as count: an approval has a handful. */
const MAX_APPROVAL_ROWS = 50;

type Ports = Pick<AuditQueryPorts, "log" | "auditIndex">;

/** A decision with its outcome and its approval. */
export async function getDecision(
  ports: Ports,
  principal: Principal,
  id: string,
): Promise<Outcome<DecisionAnswer>> {
  const found = await findRow(ports, principal, id);
  if (found.kind === "problem") return found;
  const { row: members, kind, time, hash } = viewRow(found.row);
  if (kind !== "decision")
    return refuse("not_found", `The audit row ${id} is not a decision. GET audit/${id} shows it.`);
  const outcome = await outcomeOf(ports, principal, found.row);
  if (outcome.kind === "problem") return outcome;
  const approval = await approvalOf(ports, principal, members["approval_id"]);
  if (approval.kind === "problem") return approval;
  const decision = {
    decision_id: formatDecisionId(found.row.position),
    time,
    hash,
    withdrawn: found.row.outcome?.withdrawn ?? false,
    outcome: outcome.value,
    approval: approval.value,
    row: members,
    indexed: viewIndexed(found.behind),
  };
  return { kind: "ok", value: decision };
}

async function outcomeOf(
  ports: Ports,
  { org }: Principal,
  { outcome }: FoundRow,
): Promise<Outcome<DecisionAnswer["outcome"]>> {
  if (outcome === null) return { kind: "ok", value: null };
  const { position } = outcome;
  const found = await callStore(ports, NOT_ANSWERED, () => ports.auditIndex.row({ org, position }));
  if (found.kind === "problem") return found;
  const { row } = found.value;
  return { kind: "ok", value: row === null ? null : { ...viewOutcome(outcome), row: viewRow(row).row } };
}

async function approvalOf(
  ports: Ports,
  { org }: Principal,
  id: unknown,
): Promise<Outcome<DecisionAnswer["approval"]>> {
  if (typeof id !== "string") return { kind: "ok", value: null };
  const filter = { ...ANY_AUDIT_ROW, approvals: [id] };
  const search = { org, filter, limit: MAX_APPROVAL_ROWS, before: null };
  const found = await callStore(ports, NOT_ANSWERED, () => ports.auditIndex.search(search));
  if (found.kind === "problem") return found;
  return { kind: "ok", value: { approval_id: id, rows: found.value.rows.map(viewRow) } };
}
