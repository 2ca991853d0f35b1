import { parseJson } from "@svc/text/parse-json";
import { z } from "zod";

/** Bytes of a body above which the Events API answers 413. */
const MAX_BYTES = 512_000;

const addressed = {
  routing_key: z.string().length(32),
  dedup_key: z.string().min(1).max(255),
};

const event = z.discriminatedUnion("event_action", [
  z.object({ ...addressed, event_action: z.literal("resolve") }),
  z.object({
    ...addressed,
    event_action: z.literal("trigger"),
    payload: z.object({
      summary: z.string().min(1).max(1_024),
      source: z.string().min(1),
      severity: z.enum(["critical", "error", "warning", "info"]),
      timestamp: z.iso.datetime().optional(),
      custom_details: z.record(z.string(), z.unknown()).optional(),
    }),
    links: z.array(z.object({ href: z.url(), text: z.string().optional() })).optional(),
  }),
]);

/** The errors that the Events API v2 of PagerDuty answers to a body; null: it takes the event. */
export function refusePagerdutyBody(body: string): readonly string[] | null {
  if (Buffer.byteLength(body) > MAX_BYTES) return ["the body is too large"];
  let sent: unknown;
  try {
    sent = parseJson(body);
  } catch {
    return ["the body is not JSON"];
  }
  const parsed = event.safeParse(sent);
  return parsed.success
    ? null
    : parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}
