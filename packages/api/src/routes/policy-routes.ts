import {
  changedPolicySchema,
  parseRollback,
  policyAnswerSchema,
  policyDryRunSchema,
  policyInForceSchema,
  policyPageSchema,
  policySchema,
  policyVersionPageSchema,
  policyVersionSchema,
  rollbackSchema,
} from "@svc/contract/policy";
import { POLICY_FILTERS } from "@svc/contract/policy-list";
import { flagParameter, integerParameter } from "@svc/contract/query-parameter";
import { WHY } from "@svc/contract/why";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route, scoped } from "../route.ts";
import { DOCUMENT_BODY, MAX_VERSION } from "./document-body.ts";
import { ASSIGNMENT_EXAMPLE, POLICY_EXAMPLE } from "./policy-example.ts";

const ID = { policy_id: z.string().describe("The policy.") };

const LOAD = z.strictObject({
  strict: flagParameter().describe("Refuses a document that has warnings, too."),
  dry_run: flagParameter().describe("Checks the document and stores nothing."),
  ...WHY,
});

const { enabled: _enabled, archived: _archived, labels: _labels, ...VERSION } = POLICY_EXAMPLE;
const { document: _document, ...ITEM } = { ...POLICY_EXAMPLE, mode: "enforcement" } as const;
const { document: _text, ...VERSION_ITEM } = VERSION;

const CHANGED = {
  warnings: [],
  kind: "changed",
  ...POLICY_EXAMPLE,
  propagation_ms: 19,
  gateways: [{ id: "gw_1f0c", acknowledged_ms: 12 }],
} as const;

const TRIED = { warnings: [], kind: "dry_run", dry_run: true } as const;

const PENDING = {
  ...CHANGED,
  propagation_ms: null,
  gateways: [{ id: "gw_1f0c", acknowledged_ms: null }],
  note: "No acknowledgement from gw_1f0c so far: the change is stored, but may not be in force there.",
} as const;

const STORED =
  "The change is stored, and not yet in force at every gateway: `gateways` and `note` say where.";

const AS_YAML = {
  "application/yaml": {
    description: "The text as it was sent, with its comments.",
    example: DOCUMENT_BODY.example,
  },
} as const;

const AS_LINES = {
  "text/plain": {
    description: "Findings as lines of a terminal.",
    example: "Policy demo is loaded as version 2: no findings.\n",
  },
} as const;

export const policyRoutes = {
  createPolicy: route({
    method: "POST",
    path: "/policies",
    tag: "Policies",
    summary: "Create a policy",
    description:
      "Stores version 1 and binds it to the agent that the document names. The answer comes when every " +
      "gateway decides by it, or after 5 s, and says which do.",
    ...scoped("policy:write", "costly"),
    query: LOAD,
    body: DOCUMENT_BODY,
    idempotency: "answer",
    answers: {
      200: {
        description: "The document is valid. This was a dry run, and nothing was stored.",
        schema: policyDryRunSchema,
        example: { ...TRIED, id: "demo", name: null, document: POLICY_EXAMPLE.document },
        texts: AS_LINES,
      },
      201: {
        description: "The policy exists.",
        schema: changedPolicySchema,
        example: { ...CHANGED, version: 1, assignment: ASSIGNMENT_EXAMPLE },
        texts: AS_LINES,
        headers: ["etag"],
      },
      202: {
        description: STORED,
        schema: changedPolicySchema,
        example: { ...PENDING, version: 1, assignment: ASSIGNMENT_EXAMPLE },
        texts: AS_LINES,
        headers: ["etag"],
      },
    },
    problems: ["conflict", "agent_already_bound", "invalid_policy", "limit_reached", "compiler_unavailable"],
  }),
  listPolicies: route({
    method: "GET",
    path: "/policies",
    tag: "Policies",
    summary: "List policies",
    description: "The latest version of each policy without its document, by id.",
    ...scoped("policy:read", "read"),
    query: z.strictObject({ ...PAGE, ...POLICY_FILTERS }),
    answers: {
      200: page("A page of policies.", policyPageSchema, { policies: [ITEM] }),
    },
  }),
  getPolicy: route({
    method: "GET",
    path: "/policies/{policy_id}",
    tag: "Policies",
    summary: "Read a policy",
    description: "The latest version, as JSON, or as the text that was sent when `Accept` asks for YAML.",
    ...scoped("policy:read", "read"),
    params: z.strictObject(ID),
    answers: {
      200: {
        description: "The policy.",
        schema: policySchema,
        example: POLICY_EXAMPLE,
        texts: AS_YAML,
        headers: ["etag"],
      },
    },
    problems: ["not_found"],
  }),
  getPolicyGateways: route({
    method: "GET",
    path: "/policies/{policy_id}/gateways",
    tag: "Policies",
    summary: "Ask which gateways decide by a policy",
    description:
      "Waits until every gateway decides by the latest version, or for 5 s, and says which do. " +
      "`acknowledged_ms` counts from this request.",
    ...scoped("policy:read", "costly"),
    params: z.strictObject(ID),
    answers: {
      200: answer("Which gateways decide by it. `note` is absent when all of them do.", policyInForceSchema, {
        policy_id: "demo",
        version: 2,
        enabled: true,
        gateways: CHANGED.gateways,
      }),
    },
    problems: ["not_found"],
  }),
  updatePolicy: route({
    method: "PUT",
    path: "/policies/{policy_id}",
    tag: "Policies",
    summary: "Append a version to a policy",
    description:
      "The history only grows, and no binding changes. With `If-Match` the change is refused if another " +
      "version came in between.",
    ...scoped("policy:write", "costly"),
    params: z.strictObject(ID),
    query: LOAD,
    body: DOCUMENT_BODY,
    ifMatch: true,
    answers: {
      200: {
        description: "The version is stored, or this was a dry run.",
        schema: policyAnswerSchema,
        example: CHANGED,
        texts: AS_LINES,
        headers: ["etag"],
      },
      202: {
        description: STORED,
        schema: changedPolicySchema,
        example: PENDING,
        texts: AS_LINES,
        headers: ["etag"],
      },
    },
    problems: [
      "not_found",
      "conflict",
      "agent_already_bound",
      "version_moved",
      "invalid_policy",
      "compiler_unavailable",
    ],
  }),
  listPolicyVersions: route({
    method: "GET",
    path: "/policies/{policy_id}/versions",
    tag: "Policies",
    summary: "List the versions of a policy",
    description: "Newest first, without documents.",
    ...scoped("policy:read", "read"),
    params: z.strictObject(ID),
    query: z.strictObject(PAGE),
    answers: {
      200: page("A page of versions.", policyVersionPageSchema, { versions: [VERSION_ITEM] }),
    },
    problems: ["not_found"],
  }),
  getPolicyVersion: route({
    method: "GET",
    path: "/policies/{policy_id}/versions/{version}",
    tag: "Policies",
    summary: "Read one version of a policy",
    description: "As JSON, or as the text that was sent when `Accept` asks for YAML.",
    ...scoped("policy:read", "read"),
    params: z.strictObject({
      ...ID,
      version: integerParameter({ min: 1, max: MAX_VERSION }).describe("The version."),
    }),
    answers: {
      200: {
        description: "The version.",
        schema: policyVersionSchema,
        example: VERSION,
        texts: AS_YAML,
        headers: ["etag"],
      },
    },
    problems: ["not_found"],
  }),
  rollbackPolicy: route({
    method: "POST",
    path: "/policies/{policy_id}/rollback",
    tag: "Policies",
    summary: "Go back to an earlier version",
    description:
      "Appends a version with the content of an earlier one. Bindings do not change. With `If-Match` the " +
      "rollback is refused if another version came in between.",
    ...scoped("policy:write", "costly"),
    params: z.strictObject(ID),
    query: LOAD,
    body: jsonBody(rollbackSchema, parseRollback, { target_version: 1 }),
    ifMatch: true,
    idempotency: "answer",
    answers: {
      200: {
        description: "The version is stored, or this was a dry run.",
        schema: policyAnswerSchema,
        example: { ...CHANGED, version: 3, rolled_back_to: 1 },
        texts: AS_LINES,
        headers: ["etag"],
      },
      202: {
        description: STORED,
        schema: changedPolicySchema,
        example: { ...PENDING, version: 3, rolled_back_to: 1 },
        texts: AS_LINES,
        headers: ["etag"],
      },
    },
    problems: ["not_found", "conflict", "version_moved", "invalid_policy", "compiler_unavailable"],
  }),
} as const;
