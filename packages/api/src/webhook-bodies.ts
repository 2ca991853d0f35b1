import { timestampSchema } from "@svc/contract/timestamp";
import {
  sampleWebhookEvent,
  WEBHOOK_EVENTS,
  WEBHOOK_SCHEMA_VERSION,
  WEBHOOK_TYPES,
  type WebhookEvent,
  type WebhookType,
} from "@svc/contract/webhook-event";
import { z } from "zod";

/** What every body has around its `data`. */
const envelope = (type: WebhookType) => ({
  id: z.string().describe("The same over retries and replays. Handle each id once."),
  type: z.literal(type).describe("The kind of the event."),
  timestamp: timestampSchema.describe("When it happened. Informational: clocks differ."),
  org_id: z.string().describe("The organization."),
  schema_version: z
    .literal(WEBHOOK_SCHEMA_VERSION)
    .describe("Grows when a member changes its meaning or goes away. New members may come at any time."),
  log_id: z.string().describe("The audit log that the event is made of."),
  sequence: z
    .int()
    .min(0)
    .describe("Its place in this log. Of two events of a log, the later one has the greater number."),
});

/** The form of the body of each kind. Their names are those of types in generated clients. */
export const WEBHOOK_BODIES = Object.fromEntries(
  WEBHOOK_TYPES.map((type): [WebhookType, z.ZodObject] => {
    const { data, when } = WEBHOOK_EVENTS[type];
    const id = `${inPascalCase(type)}Event`;
    const about = { ...envelope(type), data: data.meta({ id: `${id}Data` }) };
    return [type, z.strictObject(about).meta({ id, description: `Sent when ${when}.` })];
  }),
) as Readonly<Record<WebhookType, z.ZodObject>>;

/** `killswitch.activated` is `KillswitchActivated`. */
export function inPascalCase(type: WebhookType): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** An event of this kind, for people. */
export function shownWebhookEvent(type: WebhookType): WebhookEvent {
  const id = "evt_gw_1f0c-42";
  const placed = { log_id: "gw_1f0c", sequence: 42 };
  const sample = sampleWebhookEvent(type, { id, timestamp: "2026-11-22T09:41:07.123Z", org_id: "acme" });
  return { ...sample, ...placed };
}
