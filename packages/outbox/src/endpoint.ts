import type { WebhookEvent, WebhookType } from "@svc/contract/webhook-event";
import type { Destination } from "./destination.ts";
import { sendDelivery, type WebhookAddress } from "./send-delivery.ts";
import type { SendingParts } from "./send-request.ts";

/** An endpoint that takes deliveries. */
export interface Endpoint extends WebhookAddress {
  readonly id: string;
  readonly org: string;
  /** Null: every kind, also those that come with a later version. */
  readonly events: ReadonlySet<WebhookType> | null;
  /** Null: those of every agent, and those that name none. */
  readonly agents: ReadonlySet<string> | null;
  readonly namespaces: ReadonlySet<string> | null;
  /** Decisions that it takes; null: every one. Other events are not filtered by it. */
  readonly decisions: ReadonlySet<string> | null;
  /** Of its course, as it was a moment ago: a sender that knows an earlier one reads the course again. */
  readonly courseVersion: number;
}

/** Whether an event is to be sent to an endpoint. */
export function takesEvent(endpoint: Endpoint, { org_id, type, data }: WebhookEvent): boolean {
  const { org, events, agents, namespaces, decisions } = endpoint;
  if (org_id !== org || (events !== null && !events.has(type))) return false;
  if (type === "policy.decision" && !has(decisions, data["decision"])) return false;
  return has(agents, data["agent_id"]) && has(namespaces, data["namespace"]);
}

function has(wanted: ReadonlySet<string> | null, value: unknown): boolean {
  return wanted === null || (typeof value === "string" && wanted.has(value));
}

/** An endpoint as one of those whom events are brought to. */
export function endpointDestination(parts: SendingParts, endpoint: Endpoint): Destination {
  const { id, org, courseVersion } = endpoint;
  return {
    id,
    org,
    courseVersion,
    takes: (event) => takesEvent(endpoint, event),
    hasConditions: false,
    conditionOf: ({ type }) => ({ about: type, state: null }),
    send: async (delivery) => sendDelivery(parts, endpoint, delivery),
  };
}
