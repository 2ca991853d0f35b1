import { parseJson } from "@svc/text/parse-json";
import { z } from "zod";

/** Characters of all blocks together above which Slack answers `msg_blocks_too_long`. */
const MAX_BLOCKS = 13_200;

const text = (most: number) =>
  z.strictObject({
    type: z.enum(["plain_text", "mrkdwn"]),
    text: z.string().min(1).max(most),
    emoji: z.boolean().optional(),
  });

const block = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("header"), text: text(150) }),
  z
    .strictObject({
      type: z.literal("section"),
      text: text(3_000).optional(),
      fields: z.array(text(2_000)).min(1).max(10).optional(),
    })
    .refine((section) => section.text !== undefined || section.fields !== undefined),
]);

const message = z.strictObject({
  text: z.string().min(1).max(40_000),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
  blocks: z.array(block).min(1).max(50),
});

/** What an incoming webhook of Slack answers to a body that it refuses; null: it takes the message. */
export function refuseSlackBody(body: string): string | null {
  let sent: unknown;
  try {
    sent = parseJson(body);
  } catch {
    return "invalid_payload";
  }
  const parsed = message.safeParse(sent);
  if (!parsed.success) return "invalid_blocks";
  return JSON.stringify(parsed.data.blocks).length > MAX_BLOCKS ? "msg_blocks_too_long" : null;
}
