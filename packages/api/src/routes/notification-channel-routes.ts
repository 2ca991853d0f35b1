import {
  channelCreationSchema,
  channelPageSchema,
  channelTestSchema,
  channelUpdateSchema,
  notificationChannelSchema,
  parseChannelCreation,
  parseChannelUpdate,
} from "@svc/contract/notification-channel";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route } from "../route.ts";

const ID = z.strictObject({ notification_channel_id: z.string().describe("The channel.") });

const SETTINGS = {
  slack: "https://hooks.example.com/services/T0/B0/k3v7",
  description: "the chat of operations",
} as const;

const CHANNEL = {
  id: "operations",
  kind: "slack",
  slack: "set",
  origin: "https://hooks.example.com",
  description: SETTINGS.description,
  named: true,
  disabled_at: null,
  disabled_reason: null,
  created_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
  updated_at: "2026-11-22T09:00:00.000Z",
  updated_by: "3f9c1e2a7b4d",
} as const;

const TESTED = { delivered: true, status: 200, fault: null, answer: "ok", latency_ms: 84 } as const;

const READS = { access: { kind: "scope", scope: "webhook:read" }, rateClass: "read" } as const;
const WRITES = { access: { kind: "scope", scope: "webhook:write" }, rateClass: "write" } as const;

export const notificationChannelRoutes = {
  createNotificationChannel: route({
    method: "POST",
    path: "/notification-channels",
    tag: "Webhooks",
    summary: "Create a notification channel",
    description:
      "Namespaces name channels in `escalation.notify_channels`, approval workflows in `channels`. The " +
      "address or the key is kept encrypted, and no answer holds it.",
    ...WRITES,
    body: jsonBody(channelCreationSchema, parseChannelCreation, { id: "operations", ...SETTINGS }),
    idempotency: "answer",
    answers: {
      201: answer("Those who name it are told there.", notificationChannelSchema, CHANNEL, ["location"]),
    },
    problems: ["conflict", "limit_reached"],
  }),
  listNotificationChannels: route({
    method: "GET",
    path: "/notification-channels",
    tag: "Webhooks",
    summary: "List notification channels",
    description: "Newest first, with those that entries of namespaces and workflows have made.",
    ...READS,
    query: z.strictObject(PAGE),
    answers: {
      200: page("A page of channels.", channelPageSchema, { notification_channels: [CHANNEL] }),
    },
  }),
  getNotificationChannel: route({
    method: "GET",
    path: "/notification-channels/{notification_channel_id}",
    tag: "Webhooks",
    summary: "Read a notification channel",
    description: "An address or a key that is set says `set`.",
    ...READS,
    params: ID,
    answers: { 200: answer("The channel.", notificationChannelSchema, CHANNEL) },
    problems: ["not_found"],
  }),
  putNotificationChannel: route({
    method: "PUT",
    path: "/notification-channels/{notification_channel_id}",
    tag: "Webhooks",
    summary: "Create or replace a notification channel",
    description:
      "`set` in place of an address or a key keeps the stored one. A disabled channel is used again.",
    ...WRITES,
    params: ID,
    body: jsonBody(channelUpdateSchema, parseChannelUpdate, SETTINGS),
    answers: { 200: answer("The channel is as the request says.", notificationChannelSchema, CHANNEL) },
    problems: ["conflict", "limit_reached"],
  }),
  deleteNotificationChannel: route({
    method: "DELETE",
    path: "/notification-channels/{notification_channel_id}",
    tag: "Webhooks",
    summary: "Remove a notification channel",
    description: "A channel that a namespace or a workflow names is refused, and the answer says which.",
    ...WRITES,
    params: ID,
    answers: { 200: answer("It is gone.", notificationChannelSchema, CHANNEL) },
    problems: ["conflict", "not_found"],
  }),
  testNotificationChannel: route({
    method: "POST",
    path: "/notification-channels/{notification_channel_id}/test",
    tag: "Webhooks",
    summary: "Send a test message",
    description: "Sends one message now that says that it is a test, and answers what the receiver said.",
    ...WRITES,
    params: ID,
    idempotency: "answer",
    answers: { 200: answer("What became of the message.", channelTestSchema, TESTED) },
    problems: ["not_found"],
  }),
} as const;
