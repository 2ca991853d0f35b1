import { flagParameter } from "@svc/contract/query-parameter";
import {
  parseWebhookCreation,
  parseWebhookRotation,
  parseWebhookUpdate,
  webhookAnswerSchema,
  webhookCreationSchema,
  webhookDryRunSchema,
  webhookPageSchema,
  webhookRotationSchema,
  webhookSchema,
  webhookUpdateSchema,
} from "@svc/contract/webhook";
import { webhookWithHealthSchema } from "@svc/contract/webhook-delivery";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route } from "../route.ts";

const ID = z.strictObject({ webhook_id: z.string().describe("The webhook.") });

const SETTINGS = {
  url: "https://hooks.example.com/svc",
  events: ["killswitch.activated", "approval.requested"],
  description: "the pager of operations",
} as const;

const WEBHOOK = {
  id: "whk_5c2a9f3e1b7d",
  ...SETTINGS,
  agents: null,
  namespaces: null,
  decisions: null,
  enabled: true,
  disabled_at: null,
  disabled_reason: null,
  next_secret_at: null,
  created_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
  updated_at: "2026-11-22T09:00:00.000Z",
  updated_by: "3f9c1e2a7b4d",
} as const;

const HEALTH = {
  state: "healthy",
  failures: 0,
  last_success_at: "2026-11-22T09:41:07.123Z",
  last_failure_at: null,
  next_probe_at: null,
  pending: 0,
  pending_is_complete: true,
  oldest_undelivered_at: null,
  dead: 0,
  rows_lost: 0,
} as const;

const ISSUED = { kind: "issued", ...WEBHOOK, secret: "whsec_<secret>" } as const;

const TRIED = {
  kind: "dry_run",
  dry_run: true,
  ...SETTINGS,
  agents: null,
  namespaces: null,
  decisions: null,
  enabled: true,
} as const;

const READS = { access: { kind: "scope", scope: "webhook:read" }, rateClass: "read" } as const;
const WRITES = { access: { kind: "scope", scope: "webhook:write" }, rateClass: "write" } as const;

export const webhookRoutes = {
  createWebhook: route({
    method: "POST",
    path: "/webhooks",
    tag: "Webhooks",
    summary: "Deliver events to an address",
    description:
      "The answer holds the secret that signs the deliveries, this once. Everything that happens from now " +
      "on is delivered. An address that may not be called is refused: a private one needs a place in " +
      "SVC_OUTBOUND_ALLOW.",
    ...WRITES,
    query: z.strictObject({
      dry_run: flagParameter().describe("Judges the request as ever, and registers nothing."),
    }),
    body: jsonBody(webhookCreationSchema, parseWebhookCreation, SETTINGS),
    idempotency: "answer",
    answers: {
      200: answer("It would get deliveries. This was a dry run.", webhookDryRunSchema, TRIED),
      201: answer("It gets deliveries.", webhookAnswerSchema, ISSUED, ["location"]),
    },
    problems: ["limit_reached"],
  }),
  listWebhooks: route({
    method: "GET",
    path: "/webhooks",
    tag: "Webhooks",
    summary: "List webhooks",
    description: "Newest first. No answer holds a secret.",
    ...READS,
    query: z.strictObject(PAGE),
    answers: { 200: page("A page of webhooks.", webhookPageSchema, { webhooks: [WEBHOOK] }) },
  }),
  getWebhook: route({
    method: "GET",
    path: "/webhooks/{webhook_id}",
    tag: "Webhooks",
    summary: "Read a webhook",
    description: "What it takes, how far it is, and how it fares.",
    ...READS,
    params: ID,
    answers: { 200: answer("The webhook.", webhookWithHealthSchema, { ...WEBHOOK, health: HEALTH }) },
    problems: ["not_found"],
  }),
  updateWebhook: route({
    method: "PATCH",
    path: "/webhooks/{webhook_id}",
    tag: "Webhooks",
    summary: "Change a webhook",
    description:
      "What the body leaves out stays as it is. It takes effect within two seconds. One that is enabled " +
      "again gets what it missed, as far as the log still has it.",
    ...WRITES,
    params: ID,
    body: jsonBody(webhookUpdateSchema, parseWebhookUpdate, { enabled: false }),
    answers: { 200: answer("It is changed.", webhookSchema, WEBHOOK) },
    problems: ["not_found", "conflict"],
  }),
  deleteWebhook: route({
    method: "DELETE",
    path: "/webhooks/{webhook_id}",
    tag: "Webhooks",
    summary: "Remove a webhook",
    description: "With its secrets and the list of its deliveries. It gets nothing more.",
    ...WRITES,
    params: ID,
    answers: { 200: answer("It is removed.", webhookSchema, WEBHOOK) },
    problems: ["not_found", "conflict"],
  }),
  rotateWebhookSecret: route({
    method: "POST",
    path: "/webhooks/{webhook_id}/rotate-secret",
    tag: "Webhooks",
    summary: "Give a webhook a new secret",
    description:
      "Makes the next secret. Until it takes over, `webhook-signature` carries a signature of both, and " +
      "`X-Svc-Signature-256` that of the present one. It takes over after `overlap_seconds`, or when the " +
      "request is repeated with `activate`. While one waits, no other is made, but with " +
      "`overlap_seconds` 0, which replaces both.",
    ...WRITES,
    params: ID,
    body: jsonBody(webhookRotationSchema, parseWebhookRotation, { overlap_seconds: 86_400 }, { value: {} }),
    idempotency: "answer",
    answers: { 200: answer("The webhook and its next secret.", webhookAnswerSchema, ISSUED) },
    problems: ["not_found", "conflict"],
  }),
} as const;
