import type { AuditRow } from "@svc/contract/audit-row";
import type { WebhookEvent } from "@svc/contract/webhook-event";
import { webhookEventsOfRow } from "@svc/contract/webhook-events-of-row";
import type { EventRow } from "@svc/store/ports/event-rows";
import type { RowPosition } from "@svc/store/ports/row-position";
import { parseJson } from "@svc/text/parse-json";
import { type Endpoint, takesEvent } from "./endpoint.ts";

/** An event on its way to an endpoint. */
export interface Delivery {
  /** The same for every attempt, and known without asking the store. */
  readonly id: string;
  readonly event: WebhookEvent;
  readonly row: RowPosition;
  /** Attempts so far, as count. */
  readonly attempts: number;
}

/** Hexadecimal digits of a delivery's id: 128 bits. */
const ID_LENGTH = 32;

/** @param digest keyed, so that nobody who knows an event knows whom it is sent to */
export function deliveryId(digest: (text: string) => string, endpointId: string, eventId: string): string {
  return `dlv_${digest(`webhook delivery\n${endpointId}\n${eventId}`).slice(-ID_LENGTH)}`;
}

/** The events of a row that an endpoint takes. A row that is none makes null. */
export function eventsFor(
  endpoint: Endpoint,
  { org, data }: Pick<EventRow, "org" | "data">,
): readonly WebhookEvent[] | null {
  if (org !== endpoint.org) return [];
  try {
    const placed = parseJson(data) as { readonly id: string; readonly row: AuditRow };
    return webhookEventsOfRow(placed).filter((event) => takesEvent(endpoint, event));
  } catch {
    // Somebody has changed the row. The verifier of the log says so; no endpoint gets it.
    return null;
  }
}
