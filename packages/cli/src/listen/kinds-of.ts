import { WEBHOOK_EVENTS, type WebhookType } from "@svc/contract/webhook-event";

/** The kinds of rows that these events are made of, for the query of the event stream. */
export function kindsOf(types: readonly WebhookType[]): string {
  const names = types.flatMap((type) => WEBHOOK_EVENTS[type].rows);
  return [...new Set(names.map((name) => name.replace(/\..*/, "")))].join(",");
}
