import { identifierSchema } from "@svc/contract/identifier-schema";
import { nameSchema } from "@svc/contract/name-schema";
import {
  changedAssignmentSchema,
  parsePolicyAssignment,
  policyAssignmentPageSchema,
  policyAssignmentRequestSchema,
  policyAssignmentSchema,
} from "@svc/contract/policy";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route, scoped } from "../route.ts";
import { ASSIGNMENT_EXAMPLE } from "./policy-example.ts";

const ID = z.strictObject({ assignment_id: z.string().describe("The assignment.") });

const ASSIGNMENT = { ...ASSIGNMENT_EXAMPLE, agent_id: "second-agent" } as const;

const CHANGED = {
  ...ASSIGNMENT,
  propagation_ms: 4,
  gateways: [{ id: "gw_1f0c", acknowledged_ms: 2 }],
} as const;

export const assignmentRoutes = {
  assignPolicy: route({
    method: "POST",
    path: "/policy-assignments",
    tag: "Assignments",
    summary: "Bind a policy to an agent or a namespace",
    description:
      "An agent has one policy, and a namespace has one. The agent's own comes first. Repeating the same " +
      "assignment changes nothing and is answered with 200.",
    ...scoped("policy:assign", "write"),
    body: jsonBody(policyAssignmentRequestSchema, parsePolicyAssignment, {
      policy_id: "demo",
      agent_id: "second-agent",
    }),
    idempotency: "answer",
    answers: {
      200: answer("It was bound before.", changedAssignmentSchema, ASSIGNMENT),
      201: answer("The policy is bound.", changedAssignmentSchema, CHANGED),
    },
    problems: ["not_found", "agent_already_bound"],
  }),
  listAssignments: route({
    method: "GET",
    path: "/policy-assignments",
    tag: "Assignments",
    summary: "List assignments",
    description: "By id. With several filters, those that every filter names.",
    ...scoped("policy:read", "read"),
    query: z.strictObject({
      policy_id: identifierSchema.optional().describe("Only assignments of this policy."),
      agent_id: nameSchema.optional().describe("Only the assignment to this agent."),
      namespace_id: nameSchema.optional().describe("Only the assignment to this namespace."),
      ...PAGE,
    }),
    answers: {
      200: page("A page of assignments.", policyAssignmentPageSchema, { policy_assignments: [ASSIGNMENT] }),
    },
  }),
  getAssignment: route({
    method: "GET",
    path: "/policy-assignments/{assignment_id}",
    tag: "Assignments",
    summary: "Read an assignment",
    description: "Which policy is bound to which agent or namespace, by whom and when.",
    ...scoped("policy:read", "read"),
    params: ID,
    answers: {
      200: answer("The assignment.", policyAssignmentSchema, ASSIGNMENT),
    },
    problems: ["not_found"],
  }),
  unassignPolicy: route({
    method: "DELETE",
    path: "/policy-assignments/{assignment_id}",
    tag: "Assignments",
    summary: "Remove an assignment",
    description: "The next policy that applies governs then. Without one, calls are denied.",
    ...scoped("policy:assign", "write"),
    params: ID,
    answers: { 200: answer("It is removed.", changedAssignmentSchema, CHANGED) },
    problems: ["not_found"],
  }),
} as const;
