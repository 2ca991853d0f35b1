import {
  integrationCreationSchema,
  integrationUpdateSchema,
  parseIntegrationCreation,
  parseIntegrationUpdate,
} from "@svc/contract/integration";
import {
  integrationPageSchema,
  integrationSchema,
  integrationTestSchema,
  integrationWithHealthSchema,
} from "@svc/contract/integration-record";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route } from "../route.ts";

const ID = z.strictObject({ integration_id: z.string().describe("The integration.") });

const REQUEST = {
  kind: "siem_http",
  name: "SIEM",
  url: "https://siem.example.com/collector/raw",
  format: "ocsf",
  authorization: "Bearer k3v7",
} as const;

const INTEGRATION = {
  id: "int_5c2a9f3e1b7d",
  name: "SIEM",
  description: null,
  kind: "siem_http",
  url: "https://siem.example.com/collector/raw",
  format: "ocsf",
  enabled: true,
  authorization: "set",
  created_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
  updated_at: "2026-11-22T09:00:00.000Z",
  updated_by: "3f9c1e2a7b4d",
} as const;

const HEALTH = {
  state: "healthy",
  failures: 0,
  failing_since: null,
  last_error: null,
  last_success_at: "2026-11-22T09:41:07.123Z",
  last_failure_at: null,
  next_attempt_at: null,
  rows_sent: 1_204,
  rows_lost: 0,
  unsent: 0,
  unsent_is_complete: true,
  oldest_unsent_at: null,
  lag_seconds: 0,
} as const;

const TESTED = {
  succeeded: true,
  status: 200,
  fault: null,
  answer: "ok",
  latency_ms: 84,
  facts: null,
} as const;

const READS = { access: { kind: "scope", scope: "integration:read" }, rateClass: "read" } as const;
const WRITES = { access: { kind: "scope", scope: "integration:write" }, rateClass: "write" } as const;

export const integrationRoutes = {
  createIntegration: route({
    method: "POST",
    path: "/integrations",
    tag: "Integrations",
    summary: "Create an integration",
    description:
      "It is sent the rows of the audit log that are committed from now on, in order. A secret is kept " +
      "encrypted, and no answer holds it. `github` is read, and nothing is sent to it.",
    ...WRITES,
    body: jsonBody(integrationCreationSchema, parseIntegrationCreation, REQUEST),
    answers: { 201: answer("The integration.", integrationSchema, INTEGRATION) },
    problems: ["limit_reached"],
  }),
  listIntegrations: route({
    method: "GET",
    path: "/integrations",
    tag: "Integrations",
    summary: "List integrations",
    description: "Newest first.",
    ...READS,
    query: z.strictObject(PAGE),
    answers: {
      200: page("A page of integrations.", integrationPageSchema, { integrations: [INTEGRATION] }),
    },
  }),
  getIntegration: route({
    method: "GET",
    path: "/integrations/{integration_id}",
    tag: "Integrations",
    summary: "Read an integration and how it fares",
    description: "A secret that is set says `set`. `health` says how far the receiver is.",
    ...READS,
    params: ID,
    answers: {
      200: answer("The integration.", integrationWithHealthSchema, { ...INTEGRATION, health: HEALTH }),
    },
    problems: ["not_found"],
  }),
  updateIntegration: route({
    method: "PATCH",
    path: "/integrations/{integration_id}",
    tag: "Integrations",
    summary: "Change an integration",
    description:
      "One that is enabled again goes on where it was. Another host needs its secret: the stored one is " +
      "not sent there.",
    ...WRITES,
    params: ID,
    body: jsonBody(integrationUpdateSchema, parseIntegrationUpdate, { enabled: false }),
    answers: { 200: answer("The integration after the change.", integrationSchema, INTEGRATION) },
    problems: ["conflict", "not_found"],
  }),
  deleteIntegration: route({
    method: "DELETE",
    path: "/integrations/{integration_id}",
    tag: "Integrations",
    summary: "Remove an integration",
    description: "Its secret and its place in the log are removed, too.",
    ...WRITES,
    params: ID,
    answers: { 200: answer("It is gone.", integrationSchema, INTEGRATION) },
    problems: ["conflict", "not_found"],
  }),
  testIntegration: route({
    method: "POST",
    path: "/integrations/{integration_id}/test",
    tag: "Integrations",
    summary: "Try an integration",
    description:
      "Sends one sample row now, or reads the repository for `github`, and answers what the other side said.",
    ...WRITES,
    params: ID,
    idempotency: "answer",
    answers: { 200: answer("What became of the test.", integrationTestSchema, TESTED) },
    problems: ["not_found"],
  }),
} as const;
