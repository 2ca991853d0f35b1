import {
  namespaceCreationSchema,
  namespacePageSchema,
  namespaceSchema,
  namespaceUpdateSchema,
  parseNamespaceCreation,
  parseNamespaceUpdate,
} from "@svc/contract/namespace";
import {
  DEFAULT_ROGUE_DETECTION,
  namespaceRogueDetectionSchema,
  parseRogueDetection,
  rogueDetectionUpdateSchema,
} from "@svc/contract/rogue-detection";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route } from "../route.ts";

const ID = z.strictObject({ namespace_id: z.string().describe("The namespace.") });

const NAMESPACE = {
  id: "prod",
  name: "Production",
  description: null,
  created_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
  updated_at: "2026-11-22T09:00:00.000Z",
} as const;

const DETECTION = {
  namespace_id: "prod",
  rogue_detection: DEFAULT_ROGUE_DETECTION,
  updated_at: "2026-11-22T09:00:00.000Z",
  updated_by: "3f9c1e2a7b4d",
} as const;

const READS = { access: { kind: "scope", scope: "namespace:read" }, rateClass: "read" } as const;
const WRITES = { access: { kind: "scope", scope: "namespace:write" }, rateClass: "write" } as const;

export const namespaceRoutes = {
  createNamespace: route({
    method: "POST",
    path: "/namespaces",
    tag: "Namespaces",
    summary: "Describe a namespace",
    description:
      "Calls, assignments and kill switches may name a namespace that was never created. Creating it gives " +
      "it a name, a description and rogue-detection settings of its own. `default` always exists.",
    ...WRITES,
    body: jsonBody(namespaceCreationSchema, parseNamespaceCreation, { id: "prod", name: "Production" }),
    idempotency: "answer",
    answers: {
      201: answer("It is created.", namespaceSchema, NAMESPACE, ["location"]),
    },
    problems: ["conflict", "limit_reached"],
  }),
  listNamespaces: route({
    method: "GET",
    path: "/namespaces",
    tag: "Namespaces",
    summary: "List namespaces",
    description: "By id. Only those that were created, and `default`.",
    ...READS,
    query: z.strictObject(PAGE),
    answers: {
      200: page("A page of namespaces.", namespacePageSchema, { namespaces: [NAMESPACE] }),
    },
  }),
  getNamespace: route({
    method: "GET",
    path: "/namespaces/{namespace_id}",
    tag: "Namespaces",
    summary: "Read a namespace",
    description: "`default` is there without being created; nobody created it.",
    ...READS,
    params: ID,
    answers: { 200: answer("The namespace.", namespaceSchema, NAMESPACE) },
    problems: ["not_found"],
  }),
  updateNamespace: route({
    method: "PATCH",
    path: "/namespaces/{namespace_id}",
    tag: "Namespaces",
    summary: "Change the name or description of a namespace",
    description: "What the body leaves out stays as it is. The id never changes.",
    ...WRITES,
    params: ID,
    body: jsonBody(namespaceUpdateSchema, parseNamespaceUpdate, {
      description: "Everything that customers see",
    }),
    answers: { 200: answer("It is changed.", namespaceSchema, NAMESPACE) },
    problems: ["not_found"],
  }),
  deleteNamespace: route({
    method: "DELETE",
    path: "/namespaces/{namespace_id}",
    tag: "Namespaces",
    summary: "Remove a namespace that nothing names",
    description:
      "Refused for `default`, and while a policy is assigned to it, an active kill switch stops it, an " +
      "agent is registered in it or a key is bound to it. Its rogue-detection settings go with it. " +
      "Calls may still name it afterwards.",
    ...WRITES,
    params: ID,
    answers: { 200: answer("It is removed.", namespaceSchema, NAMESPACE) },
    problems: ["not_found", "conflict"],
  }),
  getRogueDetection: route({
    method: "GET",
    path: "/namespaces/{namespace_id}/rogue-detection",
    tag: "Namespaces",
    summary: "Read the rogue-detection settings of a namespace",
    description: "The defaults, until somebody sets others.",
    ...READS,
    params: ID,
    answers: {
      200: answer("The settings.", namespaceRogueDetectionSchema, DETECTION),
    },
    problems: ["not_found"],
  }),
  putRogueDetection: route({
    method: "PUT",
    path: "/namespaces/{namespace_id}/rogue-detection",
    tag: "Namespaces",
    summary: "Replace the rogue-detection settings of a namespace",
    description: "A key that the body leaves out gets its default. They are in force within two seconds.",
    ...WRITES,
    params: ID,
    body: jsonBody(rogueDetectionUpdateSchema, parseRogueDetection, {
      rogue_detection: { heartbeat: { interval_seconds: 5 } },
    }),
    answers: {
      200: answer("The settings now.", namespaceRogueDetectionSchema, DETECTION),
    },
    problems: ["not_found"],
  }),
} as const;
