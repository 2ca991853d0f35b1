import { type NotifyChannel, storedNotifyChannels } from "@svc/contract/channel-kinds";
import type { ApprovalWorkflowStore } from "@svc/store/ports/approval-workflow-store";
import type { NamespaceStore } from "@svc/store/ports/namespace-store";
import type { JsonValue } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";

export interface ChannelUsers {
  readonly namespaces: Pick<NamespaceStore, "everyRogueDetection">;
  readonly approvalWorkflows: Pick<ApprovalWorkflowStore, "everyWorkflow">;
}

/** A namespace or a workflow, and whom it tells. */
export interface ChannelUser {
  readonly org: string;
  readonly kind: "namespace" | "approval workflow";
  readonly id: string;
  readonly channels: readonly NotifyChannel[];
}

/** Everybody who names a channel, of every organization. */
export async function channelUsers({
  namespaces,
  approvalWorkflows,
}: ChannelUsers): Promise<readonly ChannelUser[]> {
  const settings = await namespaces.everyRogueDetection();
  const workflows = await approvalWorkflows.everyWorkflow();
  const users: readonly ChannelUser[] = [
    ...settings.map(({ org, namespace: id, settings: text }) => {
      // Only this is read, because the sender asks every second.
      const stored = parseJson(text) as { readonly escalation?: { readonly notify_channels?: JsonValue } };
      const channels = storedNotifyChannels(stored.escalation?.notify_channels);
      return { org, kind: "namespace", id, channels } as const;
    }),
    ...workflows.map(({ org, workflow: { id, channels } }) => {
      return { org, kind: "approval workflow", id, channels } as const;
    }),
  ];
  return users.filter(({ channels }) => channels.length > 0);
}

/** Who names the channel, for people. */
export async function channelUses(
  stores: ChannelUsers,
  org: string,
  channel: string,
): Promise<readonly string[]> {
  const users = await channelUsers(stores);
  return users
    .filter((user) => user.org === org && user.channels.some((each) => each.channel === channel))
    .map(({ kind, id }) => `${kind} ${id}`);
}
