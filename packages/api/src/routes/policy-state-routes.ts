import { movedPolicySchema, policySchema } from "@svc/contract/policy";
import { parsePolicyPatch, policyPatchSchema } from "@svc/contract/policy-labels";
import { parseWhyRequest, WHY, whyRequestSchema } from "@svc/contract/why";
import { z } from "zod";
import { answer, type JsonBody, jsonBody, route, scoped } from "../route.ts";
import { POLICY_EXAMPLE } from "./policy-example.ts";

const PARAMS = z.strictObject({ policy_id: z.string().describe("The policy.") });

const REASON: JsonBody<z.output<typeof whyRequestSchema>> = {
  kind: "json",
  schema: whyRequestSchema,
  parse: parseWhyRequest,
  example: { why: "incident 4711" },
  absent: { value: { why: null } },
};

const POLICY = { ...POLICY_EXAMPLE, enabled: false, why: null } as const;

const IN_FORCE = {
  ...POLICY,
  propagation_ms: 4,
  gateways: [{ id: "gw_1f0c", acknowledged_ms: 2 }],
} as const;

const PENDING = {
  ...POLICY,
  propagation_ms: null,
  gateways: [{ id: "gw_1f0c", acknowledged_ms: null }],
  note: "No acknowledgement from gw_1f0c so far: the change is stored, but may not be in force there.",
} as const;

const STORED = "The change is stored, and not yet in force at every gateway: `note` says where.";

/** What every change of a policy's state has in common. */
const MOVE = {
  method: "POST",
  tag: "Policies",
  access: { kind: "scope", scope: "policy:write" },
  rateClass: "write",
  params: PARAMS,
  query: z.strictObject(WHY),
  body: REASON,
  idempotency: "answer",
} as const;

export const policyStateRoutes = {
  patchPolicy: route({
    method: "PATCH",
    path: "/policies/{policy_id}",
    tag: "Policies",
    summary: "Label a policy",
    description: "Sets the labels that are named, and removes those that are null. The others stay.",
    ...scoped("policy:write", "write"),
    params: PARAMS,
    query: z.strictObject(WHY),
    body: jsonBody(policyPatchSchema, parsePolicyPatch, {
      labels: { team: "payments", draft: null },
      why: "handed over",
    }),
    answers: {
      200: answer("The policy with its labels.", policySchema, POLICY, ["etag"]),
    },
    problems: ["not_found", "limit_reached"],
  }),
  enablePolicy: route({
    ...MOVE,
    path: "/policies/{policy_id}/enable",
    summary: "Enable a policy",
    description: "Its latest version governs again. An archived policy comes back without assignments.",
    answers: {
      200: answer("It is in force.", movedPolicySchema, { ...IN_FORCE, enabled: true }),
      202: { description: STORED, schema: movedPolicySchema, example: { ...PENDING, enabled: true } },
    },
    problems: ["not_found"],
  }),
  disablePolicy: route({
    ...MOVE,
    path: "/policies/{policy_id}/disable",
    summary: "Disable a policy",
    description:
      "Denies every call that the policy governs, in every mode. Its assignments stay, so no other policy " +
      "takes its place.",
    answers: {
      200: answer("It is in force.", movedPolicySchema, IN_FORCE),
      202: { description: STORED, schema: movedPolicySchema, example: PENDING },
    },
    problems: ["not_found"],
  }),
  archivePolicy: route({
    ...MOVE,
    path: "/policies/{policy_id}/archive",
    summary: "Archive a policy",
    description:
      "Puts a policy away that is not assigned. Its history stays readable, and its id stays taken. " +
      "Enabling it brings it back.",
    answers: {
      200: answer("It is archived.", movedPolicySchema, { ...IN_FORCE, archived: true }),
      202: { description: STORED, schema: movedPolicySchema, example: { ...PENDING, archived: true } },
    },
    problems: ["not_found", "conflict"],
  }),
} as const;
