import { timeParameter } from "@svc/contract/audit-query";
import { flagParameter } from "@svc/contract/query-parameter";
import {
  deliveryStatusSchema,
  parseWebhookReplay,
  parseWebhookTest,
  webhookDeliveryPageSchema,
  webhookReplayAnswerSchema,
  webhookReplayDryRunSchema,
  webhookReplaySchema,
  webhookTestAnswerSchema,
  webhookTestSchema,
} from "@svc/contract/webhook-delivery";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route } from "../route.ts";

const ID = z.strictObject({ webhook_id: z.string().describe("The webhook.") });

const DELIVERY = {
  id: "dlv_9f86d081884c7d659a2feaa0c55ad015",
  event_id: "evt_gw_1f0c-42",
  event: "policy.decision",
  status: "failed",
  attempted_at: "2026-11-22T09:41:07.123Z",
  latency_ms: 31,
  response_status: 503,
  response: "try again later",
  fault: "the receiver answered 503",
  attempts: null,
  next_attempt_at: null,
} as const;

const TESTED = {
  delivered: true,
  id: "dlv_9f86d081884c7d659a2feaa0c55ad015",
  event_id: "evt_test_5c2a",
  event: "policy.decision",
  latency_ms: 12,
  response_status: 204,
  response: "",
  fault: null,
} as const;

const READS = { access: { kind: "scope", scope: "webhook:read" }, rateClass: "read" } as const;
const WRITES = { access: { kind: "scope", scope: "webhook:write" }, rateClass: "costly" } as const;

const QUEUED = { queued: 1, next_cursor: null } as const;
const TRIED = { dry_run: true, queued: 42, next_cursor: null } as const;

export const webhookDeliveryRoutes = {
  testWebhook: route({
    method: "POST",
    path: "/webhooks/{webhook_id}/test",
    tag: "Webhooks",
    summary: "Send a sample to a webhook",
    description:
      "Delivers a sample now, once, and answers what the receiver said. Its id begins with `evt_test_`, " +
      "and it is about things that do not exist.",
    ...WRITES,
    params: ID,
    body: jsonBody(webhookTestSchema, parseWebhookTest, { event: "policy.decision" }, { value: {} }),
    idempotency: "answer",
    answers: { 200: answer("What the receiver answered.", webhookTestAnswerSchema, TESTED) },
    problems: ["not_found"],
  }),
  listWebhookDeliveries: route({
    method: "GET",
    path: "/webhooks/{webhook_id}/deliveries",
    tag: "Webhooks",
    summary: "List deliveries of a webhook",
    description:
      "Attempts, newest first: all failures of a week, and the last 1,000 that went through. With status " +
      "`waiting` or `dead` the deliveries that wait for another attempt, or failed for good.",
    ...READS,
    params: ID,
    query: z.strictObject({
      status: deliveryStatusSchema.optional().describe("Absent: every attempt."),
      since: timeParameter("Attempts of this time or later; of waiting and dead ones their events."),
      ...PAGE,
    }),
    answers: { 200: page("A page.", webhookDeliveryPageSchema, { deliveries: [DELIVERY] }) },
    problems: ["not_found"],
  }),
  replayDelivery: route({
    method: "POST",
    path: "/deliveries/{delivery_id}/replay",
    tag: "Webhooks",
    summary: "Deliver one event again",
    description:
      "Under the id that it had, with a new time and signature. The delivery must be in a list of " +
      "deliveries, and its row in the log.",
    ...WRITES,
    params: z.strictObject({ delivery_id: z.string().describe("The delivery.") }),
    idempotency: "answer",
    answers: { 202: answer("It is sent again.", webhookReplayAnswerSchema, QUEUED) },
    problems: ["not_found", "conflict"],
  }),
  replayWebhook: route({
    method: "POST",
    path: "/webhooks/{webhook_id}/replay",
    tag: "Webhooks",
    summary: "Deliver the events of a time again",
    description:
      "Those that the webhook takes now, under the ids that they had, or with status `dead` those whose " +
      "deliveries failed for good. One request looks at 5,000 rows of the log; `next_cursor` leads on.",
    ...WRITES,
    params: ID,
    query: z.strictObject({ dry_run: flagParameter().describe("Counts them, and sends none.") }),
    body: jsonBody(webhookReplaySchema, parseWebhookReplay, { since: "2026-11-22T09:00:00.000Z" }),
    idempotency: "answer",
    answers: {
      200: answer("They would be sent again. This was a dry run.", webhookReplayDryRunSchema, TRIED),
      202: answer("They are sent again.", webhookReplayAnswerSchema, QUEUED),
    },
    problems: ["not_found", "conflict"],
  }),
} as const;
