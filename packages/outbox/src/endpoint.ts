import { WEBHOOK_TYPES, type WebhookEvent, type WebhookType } from "@svc/contract/webhook-event";
import type { Destination } from "./destination.ts";
import { sendDelivery, type WebhookAddress } from "./send-delivery.ts";
import type { SendingParts } from "./send-request.ts";
import { wantedRowsOf } from "./wanted-rows.ts";

/** An endpoint that takes deliveries. */
export interface Endpoint extends WebhookAddress {
  readonly id: string;
  readonly org: string;
  /** Null: every kind, also those that come with a later version. */
  readonly events: ReadonlySet<WebhookType> | null;
  /** An event that names another agent is left out. Null: none is. */
  readonly agents: ReadonlySet<string> | null;
  /** The same by namespace. */
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
  // It stops all agents, also where it names the one that it is about.
  if (data["account_wide"] === true) return true;
  return has(agents, data["agent_id"]) && has(namespaces, data["namespace"]);
}

/** What names nothing is not left out: it may concern everybody, as a kill switch for all does. */
function has(wanted: ReadonlySet<string> | null, value: unknown): boolean {
  return wanted === null || typeof value !== "string" || wanted.has(value);
}

const EVERY_TYPE: ReadonlySet<WebhookType> = new Set(WEBHOOK_TYPES);

/** An endpoint as one of those whom events are brought to. */
export function endpointDestination(parts: SendingParts, endpoint: Endpoint): Destination {
  const { id, org, courseVersion } = endpoint;
  return {
    id,
    org,
    courseVersion,
    wanted: wantedRowsOf({ ...endpoint, events: endpoint.events ?? EVERY_TYPE }),
    takes: (event) => takesEvent(endpoint, event),
    hasConditions: false,
    conditionOf: ({ type }) => ({ about: type, state: null }),
    send: async (delivery, _, signal) =>
      sendDelivery({ ...parts, signal }, { ...endpoint, pool: id }, delivery),
  };
}
