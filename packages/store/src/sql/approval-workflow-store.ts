import type { ApprovalWorkflow } from "@svc/contract/approval-workflow";
import { storedNotifyChannels } from "@svc/contract/channel-kinds";
import type { JsonValue } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import type { ApprovalWorkflowStore, WorkflowUse } from "../ports/approval-workflow-store.ts";
import { changeControl } from "./change-control.ts";
import { queueKey } from "./control-queue.ts";
import { listPage } from "./page-start.ts";
import type { StoreContext, TransactionContext } from "./store-context.ts";
import { workflowUse } from "./workflow-use.ts";

export function createApprovalWorkflowStore(context: StoreContext): ApprovalWorkflowStore {
  return {
    createWorkflow: async (change) => create(context, change),
    updateWorkflow: async (change) => update(context, change),
    removeWorkflow: async (change) => remove(context, change),
    workflow: async (org, id) => find(context.db, org, id),
    workflows: async (org, page) => {
      const query = context.db.selectFrom("approval_workflows").select(["id", "record"]);
      return listPage(query.where("org", "=", org), page, {
        kind: "approval-workflow",
        column: "id",
        order: "by_id",
        key: ({ id }) => id,
        item: ({ record }) => parseWorkflow(record),
      });
    },
    everyWorkflow: async () => {
      const rows = await context.db.selectFrom("approval_workflows").select(["org", "record"]).execute();
      return rows.map(({ org, record }) => ({ org, workflow: parseWorkflow(record) }));
    },
  };
}

type Creation = Parameters<ApprovalWorkflowStore["createWorkflow"]>[0];
type Update = Parameters<ApprovalWorkflowStore["updateWorkflow"]>[0];
type Removal = Parameters<ApprovalWorkflowStore["removeWorkflow"]>[0];

async function create(
  context: StoreContext,
  { org, auditRow, workflow }: Creation,
): ReturnType<ApprovalWorkflowStore["createWorkflow"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const { trx, limits } = control;
    if ((await find(trx, org, workflow.id)) !== null) return "existing";
    if ((await count(control, org)) >= limits.workflows) return "too_many";
    const { id, version } = workflow;
    await trx
      .insertInto("approval_workflows")
      .values({ org, id, version, record: JSON.stringify(workflow) })
      .execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return "created";
  });
}

async function update(
  context: StoreContext,
  { org, auditRow, workflow }: Update,
): ReturnType<ApprovalWorkflowStore["updateWorkflow"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const { id, version } = workflow;
    const found = await find(control.trx, org, id);
    if (found === null) return "not_found";
    if (found.version !== version - 1) return "moved";
    await control.trx
      .updateTable("approval_workflows")
      .set({ version, record: JSON.stringify(workflow) })
      .where("org", "=", org)
      .where("id", "=", id)
      .execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return "updated";
  });
}

async function remove(
  context: StoreContext,
  { org, auditRow, id, version, atMs }: Removal,
): ReturnType<ApprovalWorkflowStore["removeWorkflow"]> {
  return changeControl(context, queueKey(org, "ordinary"), async (control) => {
    const found = await find(control.trx, org, id);
    if (found === null) return { kind: "not_found" };
    if (found.version !== version) return { kind: "moved" };
    const use: WorkflowUse = await workflowUse(control.trx, { org, id, atMs });
    if (use.policies.length + use.approvals.length > 0) return { kind: "in_use", use };
    await control.trx.deleteFrom("approval_workflows").where("org", "=", org).where("id", "=", id).execute();
    await control.announce({ org, auditRows: [auditRow], changes: [] });
    return { kind: "removed" };
  });
}

async function find(
  db: StoreContext["db"] | TransactionContext["trx"],
  org: string,
  id: string,
): Promise<ApprovalWorkflow | null> {
  const row = await db
    .selectFrom("approval_workflows")
    .select("record")
    .where("org", "=", org)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : parseWorkflow(row.record);
}

/** The store wrote the text from a workflow, in this version or an earlier one. */
function parseWorkflow(text: string): ApprovalWorkflow {
  const workflow = parseJson(text) as ApprovalWorkflow;
  return { ...workflow, channels: storedNotifyChannels(workflow.channels as JsonValue) };
}

async function count({ trx }: TransactionContext, org: string): Promise<number> {
  const { total } = await trx
    .selectFrom("approval_workflows")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("org", "=", org)
    .executeTakeFirstOrThrow();
  return Number(total);
}
