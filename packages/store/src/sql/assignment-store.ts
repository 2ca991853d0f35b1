import type { AssignmentStore } from "../ports/assignment-store.ts";
import { changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import { listPage } from "./page-start.ts";
import { assignmentRecord, deleteBinding, findBinding, insertBinding } from "./policy-binding.ts";
import type { StoreContext } from "./store-context.ts";

export function createAssignmentStore(context: StoreContext): AssignmentStore {
  return {
    assignPolicy: async (change) => assign(context, change),
    unassignPolicy: async (change) => unassign(context, change),
    assignment: async (org, id) => {
      const row = await assignmentsOf(context, org).where("id", "=", id).executeTakeFirst();
      return row === undefined ? null : assignmentRecord(row);
    },
    assignments: async (org, { policyId, agentId, namespaceId }, page) => {
      let query = assignmentsOf(context, org);
      if (policyId !== null) query = query.where("policy_id", "=", policyId);
      if (agentId !== null) query = query.where("agent_id", "=", agentId);
      if (namespaceId !== null) query = query.where("namespace_id", "=", namespaceId);
      return listPage(query, page, {
        kind: "assignment",
        column: "id",
        order: "by_id",
        key: ({ id }) => id,
        item: assignmentRecord,
      });
    },
  };
}

type Assigning = Parameters<AssignmentStore["assignPolicy"]>[0];
type Unassigning = Parameters<AssignmentStore["unassignPolicy"]>[0];

function assignmentsOf({ db }: StoreContext, org: string) {
  return db.selectFrom("policy_assignments").selectAll().where("org", "=", org);
}

async function assign(
  context: StoreContext,
  { org, auditRow, record }: Assigning,
): ReturnType<AssignmentStore["assignPolicy"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const policy = await control.trx
      .selectFrom("policies")
      .select("archived")
      .where("org", "=", org)
      .where("id", "=", record.policy_id)
      .executeTakeFirst();
    if (policy === undefined) return { kind: "policy_not_found" };
    if (policy.archived === 1) return { kind: "policy_archived" };
    const existing = await findBinding(control, org, record);
    if (existing?.policy_id === record.policy_id) return { kind: "existing", record: existing };
    if (existing !== null) return { kind: "already_bound", existing };
    const changes = [await insertBinding(control, org, { record, origin: "operator" })];
    return { kind: "assigned", revision: await control.announce({ org, auditRows: [auditRow], changes }) };
  });
}

async function unassign(
  context: StoreContext,
  { org, auditRow, id }: Unassigning,
): ReturnType<AssignmentStore["unassignPolicy"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const row = await control.trx
      .selectFrom("policy_assignments")
      .selectAll()
      .where("org", "=", org)
      .where("id", "=", id)
      .executeTakeFirst();
    if (row === undefined) return { kind: "not_found" };
    const record = assignmentRecord(row);
    const changes = [await deleteBinding(control, org, record)];
    return {
      kind: "unassigned",
      record,
      revision: await control.announce({ org, auditRows: [auditRow], changes }),
    };
  });
}
