import type { AuditRow } from "../audit/audit-row.ts";
import { parseDecisionId } from "../execute/decision-id.ts";
import { type RowName, rowName } from "./row-name.ts";
import {
  WEBHOOK_EVENTS,
  WEBHOOK_SCHEMA_VERSION,
  WEBHOOK_TYPES,
  type WebhookEvent,
  type WebhookType,
} from "./webhook-event.ts";

/** A row of the audit log with its place, `<log id>.<sequence number>`. */
export interface PlacedRow {
  readonly id: string;
  readonly row: AuditRow;
}

/** Longest body in bytes. */
const MAX_BODY_BYTES = 20_000;

/** Members that an event leaves out when its body would be too long, the first one first. */
const OMITTED_MEMBERS = ["args", "registration"];

const TYPES_OF_ROWS: ReadonlyMap<RowName, readonly WebhookType[]> = typesOfRows();

function typesOfRows(): ReadonlyMap<RowName, readonly WebhookType[]> {
  const pairs = WEBHOOK_TYPES.flatMap((type) => WEBHOOK_EVENTS[type].rows.map((name) => ({ name, type })));
  const groups = Map.groupBy(pairs, ({ name }) => name);
  return new Map([...groups].map(([name, group]) => [name, group.map(({ type }) => type)]));
}

/**
 * The events that a row makes, which may be none. Their ids come from the place of the row, so that the same
 * row makes the same events everywhere. @throws Error when the row, or its place, is not one
 */
export function webhookEventsOfRow({ id, row }: PlacedRow): readonly WebhookEvent[] {
  const types = TYPES_OF_ROWS.get(rowName(row)) ?? [];
  if (types.length === 0) return [];
  const place = parseDecisionId(id);
  if (place === null) throw new TypeError("id: expected <log id>.<sequence number>");
  return types.flatMap((type) => {
    const { suffix, dataOf } = WEBHOOK_EVENTS[type];
    const data = dataOf(row, id);
    if (data === null) return [];
    return {
      id: `evt_${place.logId.replaceAll(".", "~")}-${String(place.seq)}${suffix}`,
      type,
      timestamp: row.time,
      org_id: row.org,
      schema_version: WEBHOOK_SCHEMA_VERSION,
      log_id: place.logId,
      sequence: place.seq,
      data,
    };
  });
}

/** The body of a delivery. What would make it too long is left out, and the event says so. */
export function renderWebhookBody(event: WebhookEvent): string {
  let { data } = event;
  let body = JSON.stringify(event);
  for (const name of OMITTED_MEMBERS) {
    if (new TextEncoder().encode(body).length <= MAX_BODY_BYTES) break;
    if (name in data) data = { ...data, [name]: null, [`${name}_omitted`]: true };
    body = JSON.stringify({ ...event, data });
  }
  return body;
}
