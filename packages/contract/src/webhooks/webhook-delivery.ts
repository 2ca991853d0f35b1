import type { JsonValue } from "@svc/text/json-value";
import { readTime, TIME_EXPECTATION, timeExpectation } from "@svc/text/time-text";
import { z } from "zod";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { webhookSchema } from "./webhook.ts";
import { WEBHOOK_TYPES } from "./webhook-event.ts";
import { MAX_REPLAY_CURSOR_LENGTH } from "./webhook-limits.ts";

/** What became of a delivery: its last attempt, or that it waits for another one, or that there is none. */
const DELIVERY_STATUSES = ["delivered", "failed", "waiting", "dead"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const deliveryStatusSchema = z
  .enum(DELIVERY_STATUSES, { error: `expected one of ${DELIVERY_STATUSES.join(", ")}` })
  .meta({
    id: "DeliveryStatus",
    description: "Of an attempt: delivered or failed. Of a delivery without success: waiting or dead.",
  });

const kind = z.string().describe("The kind of the event.");

/** What a receiver answered. */
const ANSWER = {
  latency_ms: z.int().nullable(),
  response_status: z.int().nullable().describe("Null: no answer came."),
  response: z.string().nullable().describe("How the answer began, as text: 1 KiB of it."),
  fault: z.string().nullable().describe("Why it failed. Null: it did not."),
};

/** One line of the list of deliveries. */
export const webhookDeliverySchema = z
  .strictObject({
    id: z.string().describe("The delivery, as `X-Svc-Delivery` has it. Each attempt has the same."),
    event_id: z.string(),
    event: kind,
    status: deliveryStatusSchema,
    attempted_at: timestampSchema.nullable().describe("Null for a delivery that waits or is dead."),
    ...ANSWER,
    attempts: z.int().nullable().describe("Attempts so far. Null in the list of attempts."),
    next_attempt_at: timestampSchema.nullable(),
  })
  .meta({ id: "WebhookDelivery", description: "An attempt to deliver an event, or what waits for one." });
export type WebhookDelivery = Readonly<z.infer<typeof webhookDeliverySchema>>;

export const webhookDeliveryPageSchema = pageSchema("deliveries", webhookDeliverySchema).meta({
  id: "WebhookDeliveryPage",
  description: "A page of attempts, newest first, or of deliveries that wait or are dead.",
});

/** How an endpoint fares. */
export const webhookHealthSchema = z
  .strictObject({
    state: z
      .enum(["healthy", "failing", "suspended", "disabled"])
      .describe("Suspended: after 20 failures in a row, one delivery a minute is tried."),
    failures: z.int().describe("Attempts in a row that failed."),
    last_success_at: timestampSchema.nullable(),
    last_failure_at: timestampSchema.nullable(),
    next_probe_at: timestampSchema.nullable().describe("When a suspended endpoint is tried again."),
    pending: z.int().describe("Events that are not delivered yet, and not dead."),
    pending_is_complete: z.boolean().describe("False: there are more, which were not counted."),
    oldest_undelivered_at: timestampSchema.nullable().describe("When the oldest of them happened."),
    dead: z.int().describe("Deliveries that failed for good. A replay sends them again."),
    rows_lost: z.int().describe("Rows of the log that were gone before their events were sent."),
  })
  .meta({ id: "WebhookHealth", description: "How far an endpoint is, and how it fares." });
export type WebhookHealth = Readonly<z.infer<typeof webhookHealthSchema>>;

export const webhookWithHealthSchema = webhookSchema
  .extend({ health: webhookHealthSchema })
  .meta({ id: "WebhookWithHealth", description: "An endpoint, and how it fares." });
export type WebhookWithHealth = Readonly<z.infer<typeof webhookWithHealthSchema>>;

const EVENT_EXPECTATION = `expected one of ${WEBHOOK_TYPES.join(", ")}`;

/** Body of `POST webhooks/{id}/test`. */
export const webhookTestSchema = z
  .strictObject({
    event: z
      .enum(WEBHOOK_TYPES, { error: EVENT_EXPECTATION })
      .default("policy.decision")
      .meta({ jsonSchema: { type: "string", "x-known-values": WEBHOOK_TYPES } })
      .describe("The kind of the sample."),
  })
  .meta({ id: "WebhookTestRequest" });

export const webhookTestAnswerSchema = z
  .strictObject({
    delivered: z.boolean().describe("Whether the receiver confirmed it."),
    id: z.string(),
    event_id: z.string(),
    event: kind,
    ...ANSWER,
  })
  .meta({ id: "WebhookTest", description: "What the receiver answered to a sample." });
export type WebhookTest = Readonly<z.infer<typeof webhookTestAnswerSchema>>;

const time = (what: string) =>
  z
    .string({ error: `expected ${TIME_EXPECTATION}` })
    .refine((text) => readTime(text) !== null, { error: timeExpectation })
    .transform((text) => readTime(text) ?? 0)
    .meta({ jsonSchema: { type: "string", examples: ["2026-11-22T09:41:07.123Z"] }, description: what });

const STATUS_EXPECTATION = "expected all or dead";
const CURSOR_EXPECTATION = "expected the next_cursor of a replay of the same webhook";

/** Body of `POST webhooks/{id}/replay`. */
export const webhookReplaySchema = z
  .strictObject({
    since: time("Events of this time or later."),
    until: time("Events before this time. Absent: up to now.").optional(),
    status: z
      .enum(["all", "dead"], { error: STATUS_EXPECTATION })
      .default("all")
      .describe("`dead`: only deliveries that failed for good."),
    cursor: z
      .string({ error: CURSOR_EXPECTATION })
      .max(MAX_REPLAY_CURSOR_LENGTH, { error: CURSOR_EXPECTATION })
      .optional()
      .describe("Where the replay before ended. Absent: at its beginning."),
  })
  .refine(({ since, until }) => until === undefined || until > since, {
    path: ["until"],
    error: "expected a time after since",
  })
  .meta({ id: "WebhookReplayRequest", description: "Which events are delivered again." });
export type WebhookReplay = Readonly<z.output<typeof webhookReplaySchema>>;

export const webhookReplayAnswerSchema = z
  .strictObject({
    queued: z.int().describe("Deliveries that are sent again, under the ids that they had."),
    next_cursor: z
      .string()
      .nullable()
      .describe("Repeat the request with it as `cursor` for the rest. Null: everything was looked at."),
  })
  .meta({ id: "WebhookReplay", description: "What is delivered again." });
export type WebhookReplayAnswer = Readonly<z.infer<typeof webhookReplayAnswerSchema>>;

export const webhookReplayDryRunSchema = webhookReplayAnswerSchema
  .extend({
    dry_run: z.literal(true),
    queued: z.int().describe("Deliveries that would be sent again."),
  })
  .meta({ id: "WebhookReplayDryRun", description: "What would be delivered again. Nothing is." });
export type WebhookReplayDryRun = Readonly<z.infer<typeof webhookReplayDryRunSchema>>;

export function parseWebhookTest(value: JsonValue): Parsed<z.output<typeof webhookTestSchema>> {
  return parseWith(webhookTestSchema, value, nearestField(Object.keys(webhookTestSchema.shape)));
}

export function parseWebhookReplay(value: JsonValue): Parsed<WebhookReplay> {
  return parseWith(webhookReplaySchema, value, nearestField(Object.keys(webhookReplaySchema.shape)));
}
