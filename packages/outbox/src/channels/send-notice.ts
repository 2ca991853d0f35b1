import type { Message } from "@svc/channels/notice";
import { renderPagerdutyRequest } from "@svc/channels/pagerduty-request";
import { renderSlackMessage } from "@svc/channels/slack-message";
import type { ChannelKind } from "@svc/contract/channel-kinds";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { AttemptOutcome } from "../destination.ts";
import { type SendingParts, sendRequest } from "../send-request.ts";
import type { MailSender } from "./mail-sender.ts";

export interface NoticeParts extends SendingParts {
  readonly clock: MonotonicClock & WallClock;
  /** Null: the settings name no server for mail. */
  readonly mail: MailSender | null;
  /** The Events API v2, without a slash at its end. */
  readonly pagerdutyUrl: string;
}

/** Whom a notice goes to, with what is secret. */
export interface NoticeAddress {
  readonly kind: Exclude<ChannelKind, "webhook">;
  /** The address of a chat, or the key of a pager; null for mail. */
  readonly address: string | null;
  readonly email: readonly string[];
}

const JSON_TYPE = { "content-type": "application/json" };

/** Answers by which a chat or a pager says that this message will never be taken. */
const NEVER = new Set([400, 413]);

/** Sends one message once. Never rejects because of the receiver. @param id the same for every attempt */
export async function sendNotice(
  parts: NoticeParts,
  { kind, address, email }: NoticeAddress,
  { message, id }: { readonly message: Message; readonly id: string },
): Promise<AttemptOutcome> {
  switch (kind) {
    case "slack":
      return post(parts, address ?? "", renderSlackMessage(message));
    case "pagerduty":
      return post(parts, `${parts.pagerdutyUrl}/v2/enqueue`, renderPagerdutyRequest(message, address ?? ""));
    case "email":
      if (parts.mail !== null) return parts.mail.send(email, { message, id, signal: parts.signal });
      return {
        ...NOTHING,
        kind: "failed",
        fault: "this server sends no mail: SVC_SMTP_HOST is not set",
        latencyMs: 0,
      };
    default:
      return kind satisfies never;
  }
}

const NOTHING = { status: null, answer: "", retryAfterMs: null };

async function post(parts: NoticeParts, url: string, body: string): Promise<AttemptOutcome> {
  const outcome = await sendRequest(parts, { url, headers: JSON_TYPE, body });
  const { status } = outcome;
  if (outcome.kind !== "failed" || status === null || !NEVER.has(status)) return outcome;
  return { ...outcome, kind: "refused" };
}
