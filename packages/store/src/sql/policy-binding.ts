import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import type { Selectable } from "kysely";
import type { ControlChange } from "../ports/control-change.ts";
import type { PolicyAssignmentsTable } from "./policy-tables.ts";
import type { TransactionContext } from "./store-context.ts";

/** Operations on bindings inside a transaction that holds the lock on control state. */

/** The binding that the record's agent or namespace already has; a target is bound once. */
export async function findBinding(
  { trx }: TransactionContext,
  org: string,
  target: Pick<PolicyAssignmentRecord, "agent_id" | "namespace_id">,
): Promise<PolicyAssignmentRecord | null> {
  const bound = trx.selectFrom("policy_assignments").selectAll().where("org", "=", org);
  const row = await (target.agent_id === null
    ? bound.where("namespace_id", "=", target.namespace_id)
    : bound.where("agent_id", "=", target.agent_id)
  ).executeTakeFirst();
  return row === undefined ? null : assignmentRecord(row);
}

export async function insertBinding(
  { trx }: TransactionContext,
  org: string,
  { record, origin }: { record: PolicyAssignmentRecord; origin: PolicyAssignmentsTable["origin"] },
): Promise<ControlChange> {
  const { id, policy_id, agent_id, namespace_id, created_at, created_by } = record;
  await trx
    .insertInto("policy_assignments")
    .values({ org, id, policy_id, agent_id, namespace_id, origin, created_at, created_by })
    .execute();
  return { kind: "assignment", record, removed: false };
}

export async function deleteBinding(
  { trx }: TransactionContext,
  org: string,
  record: PolicyAssignmentRecord,
): Promise<ControlChange> {
  await trx.deleteFrom("policy_assignments").where("org", "=", org).where("id", "=", record.id).execute();
  return { kind: "assignment", record, removed: true };
}

export function assignmentRecord(row: Selectable<PolicyAssignmentsTable>): PolicyAssignmentRecord {
  const { id, policy_id, agent_id, namespace_id, created_at, created_by } = row;
  return { id, policy_id, agent_id, namespace_id, created_at, created_by };
}
