import { z } from "zod";
import { addressableIdSchema } from "../fields/addressable-id.ts";
import { MAX_NOTIFY_CHANNELS } from "../limits.ts";
import { CHANNEL_SET, ENTRY_NAMES } from "./channel-kinds.ts";
import { type ChannelTarget, SHOWN_TARGET, TARGET_FIELDS, targetOf } from "./channel-target.ts";

/** A reference to a channel by its id, or a target that gets a channel of its own. */
export type NotifyChannelRequest =
  | { readonly kind: "channel"; readonly id: string }
  | { readonly kind: "target"; readonly target: ChannelTarget };

const ENTRY_EXPECTATION = `expected an object with one of ${ENTRY_NAMES.join(", ")}`;
const ONE_EXPECTATION = `expected exactly one of ${ENTRY_NAMES.join(", ")}`;
const SET_EXPECTATION =
  "expected an address or a key: `set` stands for a stored one beside the `channel` that an answer has";
const CHANNELS_EXPECTATION = `expected a list of at most ${String(MAX_NOTIFY_CHANNELS)} channels`;

const entry = z
  .strictObject(
    {
      ...TARGET_FIELDS,
      channel: addressableIdSchema.optional().describe("The id of a notification channel."),
    },
    { error: ENTRY_EXPECTATION },
  )
  .superRefine((body, context) => {
    const refuse = (message: string): void => context.addIssue({ code: "custom", message });
    const { channel, ...targets } = body;
    const [given, ...others] = Object.values(targets).filter((value) => value !== undefined);
    // An entry as answers show it: the channel is there, and beside it what it is.
    const isShown = channel !== undefined && (given === CHANNEL_SET || Array.isArray(given));
    if (others.length > 0 || (given === undefined) === (channel === undefined)) {
      if (!isShown || others.length > 0) refuse(ONE_EXPECTATION);
    } else if (given === CHANNEL_SET) refuse(SET_EXPECTATION);
  })
  .transform(({ channel, ...targets }): NotifyChannelRequest => {
    const target = targetOf(targets);
    if (target?.kind === "email") return { kind: "target", target };
    if (channel !== undefined) return { kind: "channel", id: channel };
    return { kind: "target", target: target ?? { kind: "email", addresses: [] } };
  })
  .meta({ id: "NotifyChannelRequest" });

/** Whom to tell, in requests. */
export const notifyChannelsRequestSchema = z
  .array(entry, { error: CHANNELS_EXPECTATION })
  .max(MAX_NOTIFY_CHANNELS, { error: CHANNELS_EXPECTATION })
  .default([]);

const shownEntry = z
  .strictObject({
    ...SHOWN_TARGET,
    channel: z
      .string()
      .optional()
      .describe(
        "The id of the notification channel. Absent: the entry is of an earlier version, and nobody is told.",
      ),
  })
  .meta({ id: "NotifyChannel" });

/** Whom to tell, as it is kept and shown. */
export const notifyChannelsSchema = z.array(shownEntry);
