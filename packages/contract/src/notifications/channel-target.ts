import { z } from "zod";
import { MAX_CHANNEL_LENGTH } from "../limits.ts";
import { CHANNEL_SET, type ChannelKind } from "./channel-kinds.ts";
import { MAX_CHANNEL_ADDRESSES, MAX_MAIL_ADDRESS_LENGTH, PAGERDUTY_KEY_LENGTH } from "./channel-limits.ts";

/** Whom a channel tells. */
export type ChannelTarget =
  | { readonly kind: "webhook" | "slack" | "pagerduty"; readonly address: string }
  | { readonly kind: "email"; readonly addresses: readonly string[] };

const URL_EXPECTATION =
  `expected an address that begins with https://, without user, password and #, in at most ` +
  `${String(MAX_CHANNEL_LENGTH)} characters`;
const SLACK_EXPECTATION = `${URL_EXPECTATION}: that of an incoming webhook, which the chat gives`;
const KEY_EXPECTATION =
  `expected the integration key of a service of PagerDuty: ${String(PAGERDUTY_KEY_LENGTH)} letters and ` +
  "digits";
const MAIL_EXPECTATION =
  `expected 1 to ${String(MAX_CHANNEL_ADDRESSES)} mail addresses in an array, such as ` +
  '["oncall@example.com"]';

const address = (error: string) =>
  z
    .string({ error })
    .max(MAX_CHANNEL_LENGTH, { error })
    .refine((text) => text === CHANNEL_SET || isWebAddress(text), { error })
    .optional();

const key = z
  .string({ error: KEY_EXPECTATION })
  .refine((text) => text === CHANNEL_SET || KEY_FORM.test(text), { error: KEY_EXPECTATION })
  .optional();

const KEY_FORM = new RegExp(`^[A-Za-z0-9]{${String(PAGERDUTY_KEY_LENGTH)}}$`);

/** The members of a request that say whom a channel tells. Exactly one of them is there. */
export const TARGET_FIELDS = {
  webhook: address(URL_EXPECTATION).describe("Where the events are sent, as to endpoints of webhooks."),
  slack: address(SLACK_EXPECTATION).describe("The incoming webhook of a chat that speaks as Slack does."),
  chat: address(SLACK_EXPECTATION).describe("Another name of `slack`."),
  pagerduty: key.describe("The integration key of a service of PagerDuty (Events API v2)."),
  paging: key.describe("Another name of `pagerduty`."),
  email: z
    .array(z.email({ error: MAIL_EXPECTATION }).max(MAX_MAIL_ADDRESS_LENGTH, { error: MAIL_EXPECTATION }), {
      error: MAIL_EXPECTATION,
    })
    .min(1, { error: MAIL_EXPECTATION })
    .max(MAX_CHANNEL_ADDRESSES, { error: MAIL_EXPECTATION })
    .optional()
    .describe("Mail addresses."),
};

export const TARGET_NAMES = Object.keys(TARGET_FIELDS) as readonly (keyof typeof TARGET_FIELDS)[];

type TargetFields = z.output<z.ZodObject<typeof TARGET_FIELDS>>;

/** The one target of a request. `set` as its address stands for the stored one. Null: there is none. */
export function targetOf(body: TargetFields): ChannelTarget | null {
  const { webhook, slack = body.chat, pagerduty = body.paging, email } = body;
  if (webhook !== undefined) return { kind: "webhook", address: webhook };
  if (slack !== undefined) return { kind: "slack", address: slack };
  if (pagerduty !== undefined) return { kind: "pagerduty", address: pagerduty };
  return email === undefined ? null : { kind: "email", addresses: [...new Set(email)] };
}

/** The members of an answer: an address or a key that is set says `set`. */
export const SHOWN_TARGET = {
  webhook: z.literal(CHANNEL_SET).optional(),
  slack: z.literal(CHANNEL_SET).optional(),
  pagerduty: z.literal(CHANNEL_SET).optional(),
  email: z.array(z.string()).readonly().optional(),
};

/** The member of an answer for a kind. */
export function shownTarget(kind: ChannelKind, email: readonly string[] | null) {
  switch (kind) {
    case "webhook":
      return { webhook: CHANNEL_SET } as const;
    case "slack":
      return { slack: CHANNEL_SET } as const;
    case "pagerduty":
      return { pagerduty: CHANNEL_SET } as const;
    case "email":
      return { email: email ?? [] } as const;
    default:
      return kind satisfies never;
  }
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || text.includes("#")) return false;
  return url.protocol === "https:" || url.protocol === "http:";
}
