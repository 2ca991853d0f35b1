import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { addressableIdSchema } from "../fields/addressable-id.ts";
import { openList } from "../fields/open-list.ts";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { MAX_REASON_LENGTH } from "../limits.ts";
import { isWebhookSecret } from "../webhooks/sign-webhook.ts";
import { CHANNEL_DISABLED_REASONS, CHANNEL_KINDS, CHANNEL_SET } from "./channel-kinds.ts";
import { type ChannelTarget, SHOWN_TARGET, TARGET_FIELDS, TARGET_NAMES, targetOf } from "./channel-target.ts";

const ONE_EXPECTATION = `expected exactly one of ${CHANNEL_KINDS.join(", ")}`;
const DESCRIPTION_EXPECTATION = `expected at most ${String(MAX_REASON_LENGTH)} characters, or null`;
const SECRET_EXPECTATION =
  "expected whsec_ and 24 random bytes or more in Base64, as `openssl rand -base64 24` prints";
const SECRET_PLACE = "expected only beside the address of a webhook";

const SETTINGS = {
  ...TARGET_FIELDS,
  description: z
    .string({ error: DESCRIPTION_EXPECTATION })
    .max(MAX_REASON_LENGTH, { error: DESCRIPTION_EXPECTATION })
    .nullable()
    .default(null)
    .describe("What it is for."),
  secret: z
    .string({ error: SECRET_EXPECTATION })
    .refine(isWebhookSecret, { error: SECRET_EXPECTATION })
    .optional()
    .describe("For `webhook`: what deliveries are signed with. Left out: a random one that nobody knows."),
};

/** What a channel is to be. An address `set` stands for the one that is stored. */
export interface ChannelSettings {
  readonly target: ChannelTarget;
  readonly description: string | null;
  /** Null: none was given. */
  readonly secret: string | null;
}

type Body = z.output<z.ZodObject<typeof SETTINGS>>;

function oneTarget(body: Body, context: z.RefinementCtx): void {
  const given = TARGET_NAMES.filter((name) => body[name] !== undefined);
  if (given.length !== 1) context.addIssue({ code: "custom", message: ONE_EXPECTATION });
  if (body.secret === undefined || (body.webhook !== undefined && body.webhook !== CHANNEL_SET)) return;
  context.addIssue({ code: "custom", path: ["secret"], message: SECRET_PLACE });
}

function settingsOf({ description, secret, ...body }: Body): ChannelSettings {
  return { target: targetOf(body) ?? { kind: "email", addresses: [] }, description, secret: secret ?? null };
}

/** Body of `PUT notification-channels/{id}`. It replaces everything. */
export const channelUpdateSchema = z
  .strictObject(SETTINGS)
  .superRefine(oneTarget)
  .transform(settingsOf)
  .meta({ id: "NotificationChannelUpdate", description: "Whom a channel tells." });

/** Body of `POST notification-channels`. */
export const channelCreationSchema = z
  .strictObject({ id: addressableIdSchema.describe("What namespaces and workflows name."), ...SETTINGS })
  .superRefine(oneTarget)
  .transform(({ id, ...body }) => ({ id, ...settingsOf(body) }))
  .meta({ id: "NotificationChannelRequest", description: "A channel with its id." });
export type ChannelCreation = ChannelSettings & { readonly id: string };

const disabledReasonSchema = z.enum(CHANNEL_DISABLED_REASONS).meta(openList(CHANNEL_DISABLED_REASONS));

/** A channel in its wire form. It has no place for an address or a key. */
export const notificationChannelSchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(CHANNEL_KINDS),
    ...SHOWN_TARGET,
    origin: z.string().nullable().describe("Where it sends to, without what is secret. Null: mail."),
    description: z.string().nullable(),
    named: z.boolean().describe("False: a namespace or a workflow made it, by an entry with an address."),
    disabled_at: timestampSchema.nullable(),
    disabled_reason: disabledReasonSchema
      .nullable()
      .describe("It answered 410, or failed for five days. PUT sets it up again."),
    created_at: timestampSchema,
    created_by: z.string(),
    updated_at: timestampSchema,
    updated_by: z.string(),
  })
  .meta({ id: "NotificationChannel", description: "Somebody who is told what happens." });
export type NotificationChannel = Readonly<z.infer<typeof notificationChannelSchema>>;

/** As it is kept. */
export type ChannelRecord = Omit<NotificationChannel, "webhook" | "slack" | "pagerduty" | "email"> & {
  readonly email: readonly string[] | null;
  /** Names its course, because its id is unique in its organization alone. */
  readonly course_id: string;
  /** Under which the address or the key is kept encrypted; null: mail. It changes with them. */
  readonly secret_id: string | null;
};

export const channelPageSchema = pageSchema("notification_channels", notificationChannelSchema).meta({
  id: "NotificationChannelPage",
  description: "A page of channels, newest first.",
});

/** What a receiver said to a message that was sent as a test. */
export const channelTestSchema = z
  .strictObject({
    delivered: z.boolean(),
    status: z.int().nullable().describe("Of its answer. Null: it gave none, or the channel is mail."),
    fault: z.string().nullable().describe("Why it was not delivered."),
    answer: z.string().describe("How its answer began."),
    latency_ms: z.int(),
  })
  .meta({ id: "NotificationChannelTest", description: "What became of a test message." });
export type ChannelTest = Readonly<z.infer<typeof channelTestSchema>>;

const FIELDS = Object.keys(SETTINGS);

export function parseChannelUpdate(value: JsonValue): Parsed<ChannelSettings> {
  return parseWith(channelUpdateSchema, value, nearestField(FIELDS));
}

export function parseChannelCreation(value: JsonValue): Parsed<ChannelCreation> {
  return parseWith(channelCreationSchema, value, nearestField(["id", ...FIELDS]));
}
