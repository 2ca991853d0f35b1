import { rowText } from "@svc/audit-log/row-text";
import type { ApprovalWorkflow, WorkflowCreation, WorkflowSettings } from "@svc/contract/approval-workflow";
import type { ApprovalWorkflowRow } from "@svc/contract/approval-workflow-row";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import { channelKindsOf } from "@svc/contract/channel-kinds";
import type { Principal } from "@svc/contract/principal";
import { maskSecretsInText } from "@svc/engine/mask-secrets";
import { callStore, readRecord } from "../call-store.ts";
import type { ChannelPorts } from "../channels/channel-ports.ts";
import { forgetChannels, keepChannels } from "../channels/keep-channels.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";

export type WorkflowPorts = ChannelPorts;

type Changed = Outcome<ApprovalWorkflow>;

const NOT_CONFIRMED = "The store did not confirm the change. Read the workflow before you try again.";

/** Stores a new workflow. */
export async function createWorkflow(
  ports: WorkflowPorts,
  principal: Principal,
  creation: WorkflowCreation,
): Promise<Changed> {
  const { org, id: by } = principal;
  const kept = await keepChannels(ports, principal, { entries: creation.channels, pointer: "/channels" });
  if (kept.kind === "problem") return kept;
  const at = ports.clock.now().toISOString();
  const workflow = {
    ...creation,
    channels: kept.value,
    version: 1,
    created_at: at,
    created_by: by,
    updated_at: at,
    updated_by: by,
  };
  const change = { org, workflow, auditRow: workflowRow(workflow, { org, action: "created", by, at }) };
  const stored = await callStore(ports, NOT_CONFIRMED, () => ports.approvalWorkflows.createWorkflow(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value) {
    case "created":
      return { kind: "ok", value: workflow };
    case "existing":
      return refuse("conflict", `There is a workflow ${creation.id} already. PUT replaces its settings.`);
    case "too_many":
      return refuse("limit_reached", "This organization has as many workflows as it can have.");
  }
}

/** A workflow, and the version that the caller has seen (If-Match); null: any. */
export interface NamedWorkflow {
  readonly id: string;
  readonly expectedVersion: number | null;
}

/** Replaces the settings of a workflow. Approvals that are open keep those of their opening. */
export async function updateWorkflow(
  ports: WorkflowPorts,
  principal: Principal,
  { settings, ...named }: NamedWorkflow & { readonly settings: WorkflowSettings },
): Promise<Changed> {
  const found = await seenWorkflow(ports, principal, named);
  if (found.kind === "problem") return found;
  const { org, id: by } = principal;
  const channels = await keepChannels(ports, principal, { entries: settings.channels, pointer: "/channels" });
  if (channels.kind === "problem") return channels;
  const at = ports.clock.now().toISOString();
  const { id, version, created_at, created_by } = found.value;
  const kept = { id, version: version + 1, created_at, created_by };
  const workflow = { ...settings, ...kept, channels: channels.value, updated_at: at, updated_by: by };
  const change = { org, workflow, auditRow: workflowRow(workflow, { org, action: "updated", by, at }) };
  const stored = await callStore(ports, NOT_CONFIRMED, () => ports.approvalWorkflows.updateWorkflow(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value) {
    case "updated":
      await forgetChannels(ports, principal, { before: found.value.channels, after: workflow.channels });
      return { kind: "ok", value: workflow };
    case "moved":
      return refuseMoved(id);
    case "not_found":
      return refuseUnknownWorkflow(id);
  }
}

/** Removes a workflow that neither a policy nor an open approval names. */
export async function removeWorkflow(
  ports: WorkflowPorts,
  principal: Principal,
  named: NamedWorkflow,
): Promise<Changed> {
  const found = await seenWorkflow(ports, principal, named);
  if (found.kind === "problem") return found;
  const { value: workflow } = found;
  const { org, id: by } = principal;
  const now = ports.clock.now();
  const auditRow = workflowRow(workflow, { org, action: "removed", by, at: now.toISOString() });
  const change = { org, auditRow, id: workflow.id, version: workflow.version, atMs: now.getTime() };
  const stored = await callStore(ports, NOT_CONFIRMED, () => ports.approvalWorkflows.removeWorkflow(change));
  if (stored.kind === "problem") return stored;
  switch (stored.value.kind) {
    case "removed":
      await forgetChannels(ports, principal, { before: workflow.channels, after: [] });
      return found;
    case "moved":
      return refuseMoved(workflow.id);
    case "not_found":
      return refuseUnknownWorkflow(workflow.id);
    case "in_use": {
      const { policies, approvals } = stored.value.use;
      const uses = [...policies.map((id) => `policy ${id}`), ...approvals.map((id) => `open approval ${id}`)];
      return refuse("conflict", `Workflow ${workflow.id} is in use by ${uses.join(", ")}.`);
    }
  }
}

export async function getWorkflow(
  ports: Pick<WorkflowPorts, "log" | "approvalWorkflows">,
  { org }: Principal,
  id: string,
): Promise<Changed> {
  return readRecord(
    ports,
    () => ports.approvalWorkflows.workflow(org, id),
    () => refuseUnknownWorkflow(id),
  );
}

async function seenWorkflow(
  ports: WorkflowPorts,
  principal: Principal,
  { id, expectedVersion }: NamedWorkflow,
): Promise<Changed> {
  const found = await getWorkflow(ports, principal, id);
  if (found.kind === "problem" || expectedVersion === null) return found;
  return found.value.version === expectedVersion ? found : refuseMoved(id);
}

function refuseMoved(id: string): Refusal {
  return refuse("version_moved", `Workflow ${id} has changed. Read it again, then decide.`);
}

function refuseUnknownWorkflow(id: string): Refusal {
  return refuse("not_found", `There is no workflow ${id}. GET approval-workflows lists them.`);
}

interface RowFacts {
  readonly org: string;
  readonly action: ApprovalWorkflowRow["action"];
  readonly by: string;
  readonly at: string;
}

function workflowRow(workflow: ApprovalWorkflow, { org, action, by, at }: RowFacts): string {
  const { id, version, required, approvers, expires_in_seconds, channels } = workflow;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "approval_workflow",
    time: at,
    org,
    principal: by,
    action,
    workflow_id: id,
    version,
    required,
    roles: approvers.roles,
    keys: approvers.keys,
    groups: approvers.groups?.map(maskSecretsInText) ?? null,
    expires_in_seconds,
    channel_kinds: channelKindsOf(channels),
  });
}
