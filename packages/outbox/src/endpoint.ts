import { WEBHOOK_EVENTS, type WebhookEvent, type WebhookType } from "@svc/contract/webhook-event";
import type { EventRow } from "@svc/store/ports/event-rows";
import type { Destination } from "./destination.ts";
import { sendDelivery, type WebhookAddress } from "./send-delivery.ts";
import type { SendingParts } from "./send-request.ts";

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

/** Most rows are decisions. What their columns say of them spares most endpoints the reading. */
function mayTakeRow(
  { events, agents, namespaces, decisions }: Endpoint,
  { kind, agentId, namespace, decision }: Omit<EventRow, "logId" | "seq">,
): boolean {
  if (events !== null && !rowKindsOf(events).has(kind)) return false;
  if (kind !== "decision") return true;
  // The request for an approval is an event of another kind, which no filter of decisions concerns.
  const isDecided = decision === "pause" || has(decisions, decision);
  return isDecided && has(agents, agentId) && has(namespaces, namespace);
}

/** The kinds of rows that events of these kinds are made of. */
const ROW_KINDS = new WeakMap<ReadonlySet<WebhookType>, ReadonlySet<string>>();

function rowKindsOf(types: ReadonlySet<WebhookType>): ReadonlySet<string> {
  const known = ROW_KINDS.get(types);
  if (known !== undefined) return known;
  const names = [...types].flatMap((type) => WEBHOOK_EVENTS[type].rows);
  const kinds = new Set(names.map((name) => name.replace(/\..*/, "")));
  ROW_KINDS.set(types, kinds);
  return kinds;
}

/** What names nothing is not left out: it may concern everybody, as a kill switch for all does. */
function has(wanted: ReadonlySet<string> | null, value: unknown): boolean {
  return wanted === null || typeof value !== "string" || wanted.has(value);
}

/** An endpoint as one of those whom events are brought to. */
export function endpointDestination(parts: SendingParts, endpoint: Endpoint): Destination {
  const { id, org, courseVersion } = endpoint;
  return {
    id,
    org,
    courseVersion,
    takes: (event) => takesEvent(endpoint, event),
    mayTake: (row) => mayTakeRow(endpoint, row),
    hasConditions: false,
    conditionOf: ({ type }) => ({ about: type, state: null }),
    send: async (delivery, _, signal) =>
      sendDelivery({ ...parts, signal }, { ...endpoint, pool: id }, delivery),
  };
}
