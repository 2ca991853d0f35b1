import type { AuditRow } from "@svc/contract/audit-row";
import type { WebhookEvent } from "@svc/contract/webhook-event";
import { webhookEventsOfRow } from "@svc/contract/webhook-events-of-row";
import type { WaitingDelivery } from "@svc/store/ports/delivery-store";
import type { EventRow } from "@svc/store/ports/event-rows";
import { parseJson } from "@svc/text/parse-json";
import type { Delivery, Destination, Pending } from "./destination.ts";

/** Hexadecimal digits of a delivery's id: 128 bits. */
const ID_LENGTH = 32;

/** The first of them say of which condition it is, where there is one. */
const GROUP_LENGTH = 12;

const PREFIX = "dlv_";

/** @param digest keyed, so that nobody who knows an event knows whom it is sent to */
export function deliveryId(digest: (text: string) => string, endpointId: string, eventId: string): string {
  return `${PREFIX}${digest(`webhook delivery\n${endpointId}\n${eventId}`).slice(-ID_LENGTH)}`;
}

/** A new delivery of an event. */
export function deliveryOf(
  digest: (text: string) => string,
  destination: Destination,
  { event, row }: { readonly event: WebhookEvent; readonly row: WaitingDelivery["row"] },
): Delivery {
  const alone = deliveryId(digest, destination.id, event.id);
  const condition = destination.conditionOf(event);
  const group = destination.hasConditions ? groupOf(digest, destination.id, condition.about) : null;
  const id = group === null ? alone : `${PREFIX}${group}${alone.slice(PREFIX.length + GROUP_LENGTH)}`;
  const { logId, seq } = row;
  const about = { eventId: event.id, type: event.type, eventAtMs: Date.parse(event.timestamp) };
  return {
    id,
    event,
    ...about,
    row: { logId, seq },
    attempts: 0,
    isStored: false,
    group,
    state: condition.state,
  };
}

function groupOf(digest: (text: string) => string, endpointId: string, condition: string): string {
  return digest(`condition\n${endpointId}\n${condition}`).slice(-GROUP_LENGTH).padStart(GROUP_LENGTH, "0");
}

/** A delivery that waited. @param hasConditions whether its id says of which condition it is */
export function pendingOf(waiting: WaitingDelivery, hasConditions: boolean): Pending {
  const { nextAtMs: _, ...rest } = waiting;
  const group = waiting.id.slice(PREFIX.length, PREFIX.length + GROUP_LENGTH);
  return { ...rest, isStored: true, group: hasConditions ? group : null };
}

/** The events of rows that were read: several destinations look at the same ones. */
const READ = new WeakMap<object, readonly WebhookEvent[] | null>();

/** The events of a row that a destination takes. Null: somebody has changed the row, so nobody gets it. */
export function eventsFor(
  destination: Destination,
  row: Omit<EventRow, "logId" | "seq">,
): readonly WebhookEvent[] | null {
  if (row.org !== destination.org || destination.wanted.kinds?.includes(row.kind) === false) return [];
  const known = READ.get(row);
  const made = known === undefined ? readEvents(row) : known;
  if (known === undefined) READ.set(row, made);
  return made?.filter((event) => destination.takes(event)) ?? null;
}

function readEvents({ data }: Pick<EventRow, "data">): readonly WebhookEvent[] | null {
  try {
    return webhookEventsOfRow(parseJson(data) as { readonly id: string; readonly row: AuditRow });
  } catch {
    // The verifier of the log says that the row was changed.
    return null;
  }
}
