import { linkedNotice, type Message, NOTIFIED_TYPES, noticeOf, testNotice } from "@svc/channels/notice";
import type { ChannelKind } from "@svc/contract/channel-kinds";
import { sampleWebhookEvent, type WebhookEvent } from "@svc/contract/webhook-event";
import type { AttemptOutcome, Delivery, Destination, Sendable } from "../destination.ts";
import { sendDelivery } from "../send-delivery.ts";
import { wantedRowsOf } from "../wanted-rows.ts";
import { type NoticeParts, sendNotice } from "./send-notice.ts";

/** Whom a channel tells, with what is secret. */
export interface ChannelAddress {
  readonly kind: ChannelKind;
  /** An address or a key; null: mail. */
  readonly address: string | null;
  /** What deliveries of a webhook are signed with; null: another kind. */
  readonly signing: string | null;
  readonly email: readonly string[];
}

/** A channel and who names it. */
export interface Channel {
  /** Of its course. */
  readonly id: string;
  readonly org: string;
  readonly courseVersion: number;
  readonly address: ChannelAddress;
  readonly namespaces: ReadonlySet<string>;
  readonly workflows: ReadonlySet<string>;
}

/** What events alone do not say. Each rejects when the store does not answer. */
export interface ChannelFacts {
  /** The workflow of an approval; null: it has none. */
  workflowOf(org: string, approvalId: string): Promise<string | null>;
  /** Namespaces in which an agent or a session is; none: nobody knows it. */
  namespacesOf(
    org: string,
    target: { readonly scope: string; readonly id: string },
  ): Promise<readonly string[]>;
}

export interface ChannelParts extends NoticeParts {
  readonly facts: ChannelFacts;
  /** Where people open the service, without a slash at its end. */
  readonly publicUrl: string;
}

/** A channel as one of those whom events are brought to. A webhook gets each event, as an endpoint does. */
export function channelDestination(parts: ChannelParts, channel: Channel): Destination {
  const { id, org, courseVersion, address, namespaces, workflows } = channel;
  return {
    id,
    org,
    courseVersion,
    wanted: wantedRowsOf({ org, events: NOTIFIED_TYPES, agents: null, namespaces: null, decisions: null }),
    takes: ({ org_id, type, data }) => {
      if (org_id !== org || !NOTIFIED_TYPES.has(type)) return false;
      if (type === "approval.requested" && workflows.size > 0) return true;
      const namespace = namespaceOf(data);
      return namespace === null ? namespaces.size > 0 : namespaces.has(namespace);
    },
    narrow: async (deliveries) => {
      const told: Delivery[] = [];
      for (const delivery of deliveries)
        if (await isTold(parts.facts, channel, delivery.event)) told.push(delivery);
      return told;
    },
    hasConditions: address.kind !== "webhook",
    conditionOf: (event) => {
      const notice = noticeOf(event, parts.publicUrl);
      if (notice === null) return { about: event.type, state: null };
      const { incident, condition, state, isFollowed } = notice;
      if (address.kind === "pagerduty") return { about: incident, state };
      return { about: condition, state: isFollowed ? state : null };
    },
    send: async (delivery, count, signal) => sendEvent({ ...parts, signal }, address, { delivery, count }),
  };
}

/** Sends a message that says that it is a test. */
export async function sendTest(
  parts: NoticeParts & Pick<ChannelParts, "publicUrl">,
  { org, id, address }: { readonly org: string; readonly id: string; readonly address: ChannelAddress },
): Promise<AttemptOutcome> {
  const at = parts.clock.now().toISOString();
  if (address.kind === "webhook") {
    const event = sampleWebhookEvent("agent.anomaly", { id: `evt_${id}`, timestamp: at, org_id: org });
    return sendDelivery(parts, webhookOf(address), { id, event });
  }
  const notice = testNotice(org, { publicUrl: parts.publicUrl, at });
  return sendNotice(parts, { ...address, kind: address.kind }, { message: { notice, count: 1 }, id });
}

async function sendEvent(
  parts: ChannelParts,
  address: ChannelAddress,
  { delivery, count }: { readonly delivery: Sendable; readonly count: number },
): Promise<AttemptOutcome> {
  if (address.kind === "webhook") return sendDelivery(parts, webhookOf(address), delivery);
  const notice = noticeOf(delivery.event, parts.publicUrl);
  if (notice === null) throw new TypeError(`no channel is told about ${delivery.event.type}`);
  const message: Message = { notice: linkedNotice(notice, count, parts.publicUrl), count };
  return sendNotice(parts, { ...address, kind: address.kind }, { message, id: delivery.id });
}

function webhookOf({ address, signing }: ChannelAddress) {
  return { url: address ?? "", secrets: [signing ?? ""] as const };
}

/** The namespace that an event names; null: it names none. */
function namespaceOf(data: WebhookEvent["data"]): string | null {
  const { namespace } = data;
  return typeof namespace === "string" ? namespace : null;
}

async function isTold(facts: ChannelFacts, channel: Channel, { type, data }: WebhookEvent): Promise<boolean> {
  const { org, namespaces, workflows } = channel;
  const { approval_id, agent_id, scope, target_id, account_wide } = data;
  if (type === "approval.requested" && typeof approval_id === "string") {
    const workflow = await facts.workflowOf(org, approval_id);
    // Without a workflow, the namespace says who is told.
    return workflow === null ? namespaces.has(namespaceOf(data) ?? "") : workflows.has(workflow);
  }
  if (account_wide === true || namespaceOf(data) !== null) return true;
  if (typeof agent_id === "string")
    return isIn(channel, await facts.namespacesOf(org, { scope: "agent", id: agent_id }));
  if (scope !== "session" || typeof target_id !== "string") return true;
  return isIn(channel, await facts.namespacesOf(org, { scope, id: target_id }));
}

/** Where nobody knows the namespaces, everybody is told. */
function isIn({ namespaces }: Channel, found: readonly string[]): boolean {
  return found.length === 0 || found.some((namespace) => namespaces.has(namespace));
}
