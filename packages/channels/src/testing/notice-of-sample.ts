import { sampleWebhookEvent, type WebhookType } from "@svc/contract/webhook-event";
import { type Notice, noticeOf } from "../notice.ts";

/** What is said about an event that does not exist. */
export function noticeOfSample(type: WebhookType): Notice {
  const at = { id: "evt_1", timestamp: "2026-11-28T09:00:00.000Z", org_id: "acme" };
  const notice = noticeOf(sampleWebhookEvent(type, at), "https://svc.example");
  if (notice === null) throw new Error(`expected a notice of ${type}`);
  return notice;
}
