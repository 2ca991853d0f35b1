import type { JsonValue } from "@svc/text/json-value";
import { didYouMean } from "@svc/text/nearest-name";
import { z } from "zod";
import { decisionSchema } from "../execute/decision-schema.ts";
import { DECISIONS, type Decision } from "../execute/verdict.ts";
import { answerForms } from "../fields/answer-forms.ts";
import { NAME_EXPECTATION } from "../fields/name.ts";
import { nameSchemaFor } from "../fields/name-schema.ts";
import { openList } from "../fields/open-list.ts";
import { pageSchema } from "../fields/page.ts";
import { type FixFor, nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { MAX_REASON_LENGTH, MAX_ROTATION_OVERLAP_SECONDS } from "../limits.ts";
import { WEBHOOK_DISABLED_REASONS } from "./webhook-disabled-reason.ts";
import { WEBHOOK_TYPES, type WebhookType } from "./webhook-event.ts";
import {
  DEFAULT_WEBHOOK_OVERLAP_SECONDS,
  MAX_WEBHOOK_NAMES,
  MAX_WEBHOOK_URL_LENGTH,
} from "./webhook-limits.ts";

/** Stands for every kind of event, also those that come with a later version. */
const EVERY_EVENT = "*";

const EVENT_WORDS = [EVERY_EVENT, ...WEBHOOK_TYPES] as const;

const URL_EXPECTATION =
  "expected an address that begins with https://, in at most " +
  `${String(MAX_WEBHOOK_URL_LENGTH)} characters`;
const EVENTS_EXPECTATION = `expected kinds of events in an array, or ["${EVERY_EVENT}"]`;
const EVENT_EXPECTATION = `expected one of ${EVENT_WORDS.join(", ")}`;
const DECISIONS_EXPECTATION = `expected one or more of ${DECISIONS.join(", ")} in an array, or null`;
const DESCRIPTION_EXPECTATION = `expected at most ${String(MAX_REASON_LENGTH)} characters, or null`;
const OVERLAP_EXPECTATION = `expected whole seconds from 0 to ${String(MAX_ROTATION_OVERLAP_SECONDS)}`;
const FLAG_EXPECTATION = "expected true or false";

const eventWordSchema = z.enum(EVENT_WORDS, { error: EVENT_EXPECTATION }).meta(openList(EVENT_WORDS));

const disabledReasonSchema = z.enum(WEBHOOK_DISABLED_REASONS).meta(openList(WEBHOOK_DISABLED_REASONS));

const names = (kind: "agent" | "namespace") => {
  const error = `expected 1 to ${String(MAX_WEBHOOK_NAMES)} names in an array, or null for all`;
  return z
    .array(nameSchemaFor(`an exact ${kind} name (no glob): ${NAME_EXPECTATION}`), { error })
    .min(1, { error })
    .max(MAX_WEBHOOK_NAMES, { error })
    .transform((all): readonly string[] => [...new Set(all)])
    .nullable();
};

const FIELDS = {
  url: z
    .string({ error: URL_EXPECTATION })
    .min(1, { error: URL_EXPECTATION })
    .max(MAX_WEBHOOK_URL_LENGTH, { error: URL_EXPECTATION })
    .describe("Where deliveries are sent. http:// is taken for addresses that SVC_OUTBOUND_ALLOW names."),
  events: z
    .array(eventWordSchema, { error: EVENTS_EXPECTATION })
    .min(1, { error: EVENTS_EXPECTATION })
    .max(EVENT_WORDS.length, { error: EVENTS_EXPECTATION })
    .transform((all): readonly (WebhookType | typeof EVERY_EVENT)[] => [...new Set(all)])
    .describe("Kinds of events. `*` stands for every kind, also those of later versions."),
  description: z
    .string({ error: DESCRIPTION_EXPECTATION })
    .max(MAX_REASON_LENGTH, { error: DESCRIPTION_EXPECTATION })
    .nullable()
    .describe("What it is for."),
  agents: names("agent").describe("Leaves out events that name another agent. Null: none."),
  namespaces: names("namespace").describe("Leaves out events that name another namespace. Null: none."),
  decisions: z
    .array(decisionSchema, { error: DECISIONS_EXPECTATION })
    .min(1, { error: DECISIONS_EXPECTATION })
    .max(DECISIONS.length, { error: DECISIONS_EXPECTATION })
    .transform((all): readonly Decision[] => [...new Set(all)])
    .nullable()
    .describe("Only policy.decision events with one of these decisions. Null: all."),
  enabled: z.boolean({ error: FLAG_EXPECTATION }).describe("Whether it gets deliveries."),
};

/** Body of `POST webhooks`. */
export const webhookCreationSchema = z
  .strictObject({
    ...FIELDS,
    description: FIELDS.description.default(null),
    agents: FIELDS.agents.default(null),
    namespaces: FIELDS.namespaces.default(null),
    decisions: FIELDS.decisions.default(null),
    enabled: FIELDS.enabled.default(true),
  })
  .meta({ id: "WebhookRequest", description: "Who is told what happens." });
export type WebhookCreation = Readonly<z.output<typeof webhookCreationSchema>>;

/** Body of `PATCH webhooks/{id}`. What it leaves out stays as it is. */
export const webhookUpdateSchema = z
  .strictObject(FIELDS)
  .partial()
  .refine((body) => Object.keys(body).length > 0, {
    error: `expected at least one of ${Object.keys(FIELDS).join(", ")}`,
  })
  .meta({ id: "WebhookUpdate", description: "What is left out stays as it is." });
export type WebhookUpdate = Readonly<z.output<typeof webhookUpdateSchema>>;

/** Body of `POST webhooks/{id}/rotate-secret`. */
export const webhookRotationSchema = z
  .strictObject({
    overlap_seconds: z
      .int({ error: OVERLAP_EXPECTATION })
      .min(0, { error: OVERLAP_EXPECTATION })
      .max(MAX_ROTATION_OVERLAP_SECONDS, { error: OVERLAP_EXPECTATION })
      .default(DEFAULT_WEBHOOK_OVERLAP_SECONDS)
      .describe("Seconds until the new secret takes over. 0: at once, as after a theft."),
    activate: z
      .boolean({ error: FLAG_EXPECTATION })
      .default(false)
      .describe("True: makes no secret, and lets the one of the last rotation take over now."),
  })
  .meta({ id: "WebhookRotationRequest" });
export type WebhookRotation = Readonly<z.output<typeof webhookRotationSchema>>;

/** An endpoint in its wire form. It has no place for a secret. */
export const webhookSchema = z
  .strictObject({
    id: z.string(),
    url: z.string(),
    events: z.array(eventWordSchema).readonly(),
    description: z.string().nullable(),
    agents: z.array(z.string()).readonly().nullable(),
    namespaces: z.array(z.string()).readonly().nullable(),
    decisions: z.array(decisionSchema).readonly().nullable(),
    enabled: z.boolean(),
    disabled_at: timestampSchema.nullable(),
    disabled_reason: disabledReasonSchema
      .nullable()
      .describe("Who or what disabled it: an operator, an answer 410, or failures for five days."),
    next_secret_at: timestampSchema
      .nullable()
      .describe("When the next secret takes over. Until then both sign. Null: there is one secret."),
    created_at: timestampSchema,
    created_by: z.string(),
    updated_at: timestampSchema,
    updated_by: z.string(),
  })
  .meta({ id: "Webhook", description: "An endpoint that events are delivered to." });
export type WebhookAnswer = Readonly<z.infer<typeof webhookSchema>>;

/** The answer to the dry run of a registration. */
export const webhookDryRunSchema = webhookSchema
  .pick({
    url: true,
    events: true,
    description: true,
    agents: true,
    namespaces: true,
    decisions: true,
    enabled: true,
  })
  .extend({ kind: z.literal("dry_run"), dry_run: z.literal(true) })
  .meta({ id: "WebhookDryRun", description: "What would get deliveries. Nothing was stored." });

/** As it is kept. The secrets are kept encrypted, under these ids. */
export type WebhookRecord = Omit<WebhookAnswer, "enabled" | "next_secret_at"> & {
  readonly secret_id: string;
  /** `since`: when it was made. `at`: when it takes over. Both in RFC 3339. */
  readonly next_secret: { readonly id: string; readonly since: string; readonly at: string } | null;
};

export const webhookPageSchema = pageSchema("webhooks", webhookSchema).meta({
  id: "WebhookPage",
  description: "A page of endpoints, newest first.",
});

const issuedWebhookSchema = webhookSchema
  .extend({
    kind: z.literal("issued"),
    secret: z
      .string()
      .nullable()
      .describe("The new secret, `whsec_` and Base64. It is shown this once. Null: none was made."),
  })
  .meta({ id: "IssuedWebhook", description: "An endpoint with its new secret." });

const repeatedWebhookSchema = webhookSchema
  .extend({ kind: z.literal("repeated"), detail: z.string().describe("Why the secret is missing.") })
  .meta({
    id: "RepeatedWebhook",
    description: "What an earlier request has made. Its secret is shown once.",
  });

export const webhookAnswerSchema = answerForms("kind", [issuedWebhookSchema, repeatedWebhookSchema], {
  id: "WebhookAnswer",
  description: "An endpoint with a new secret, or what an earlier request has made.",
});
export type WebhookDryRun = Readonly<z.infer<typeof webhookDryRunSchema>>;
export type IssuedWebhook = Readonly<z.infer<typeof issuedWebhookSchema>>;

/** The kind that a misspelt one probably means, or the field. */
const fixFor: FixFor = (path, found) =>
  path[0] === "events" && typeof found === "string"
    ? didYouMean(found, EVENT_WORDS)
    : nearestField(Object.keys(FIELDS))(path, found);

export function parseWebhookCreation(value: JsonValue): Parsed<WebhookCreation> {
  return parseWith(webhookCreationSchema, value, fixFor);
}

export function parseWebhookUpdate(value: JsonValue): Parsed<WebhookUpdate> {
  return parseWith(webhookUpdateSchema, value, fixFor);
}

export function parseWebhookRotation(value: JsonValue): Parsed<WebhookRotation> {
  return parseWith(webhookRotationSchema, value, nearestField(Object.keys(webhookRotationSchema.shape)));
}
