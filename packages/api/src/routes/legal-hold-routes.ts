import {
  legalHoldPageSchema,
  legalHoldRequestSchema,
  legalHoldSchema,
  parseLegalHoldRequest,
} from "@svc/contract/legal-hold";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route } from "../route.ts";

const ID = z.strictObject({ legal_hold_id: z.string().describe("The legal hold.") });

const HOLD = {
  id: "hold_5c2a9f3e1b7d",
  reason: "Case 4711",
  agent_id: "refund-bot",
  session_id: null,
  namespace: null,
  created_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
  lifted_at: null,
  lifted_by: null,
} as const;

const LIFTED = { ...HOLD, lifted_at: "2027-03-01T09:00:00.000Z", lifted_by: "3f9c1e2a7b4d" } as const;

const READS = { access: { kind: "scope", scope: "audit:read" }, rateClass: "read" } as const;
const WRITES = { access: { kind: "scope", scope: "legal_hold:write" }, rateClass: "write" } as const;

export const legalHoldRoutes = {
  placeLegalHold: route({
    method: "POST",
    path: "/legal-holds",
    tag: "Audit",
    summary: "Keep rows from retention",
    description:
      "Rows that the hold covers are not removed while it is in force, whatever their age. A hold by " +
      "agent, session or namespace covers decisions that name all of them, and every outcome and control " +
      "change of the organization. It does not bring rows back that are gone.",
    ...WRITES,
    body: jsonBody(legalHoldRequestSchema, parseLegalHoldRequest, {
      reason: "Case 4711",
      agent_id: "refund-bot",
    }),
    idempotency: "answer",
    answers: {
      201: { description: "It is in force.", schema: legalHoldSchema, example: HOLD, headers: ["location"] },
    },
    problems: ["limit_reached"],
  }),
  listLegalHolds: route({
    method: "GET",
    path: "/legal-holds",
    tag: "Audit",
    summary: "List legal holds",
    description: "Newest first. Those that were lifted stay in the list.",
    ...READS,
    query: z.strictObject(PAGE),
    answers: {
      200: page("A page of legal holds.", legalHoldPageSchema, { legal_holds: [HOLD] }),
    },
  }),
  getLegalHold: route({
    method: "GET",
    path: "/legal-holds/{legal_hold_id}",
    tag: "Audit",
    summary: "Read a legal hold",
    description: "Also one that was lifted.",
    ...READS,
    params: ID,
    answers: { 200: answer("The legal hold.", legalHoldSchema, HOLD) },
    problems: ["not_found"],
  }),
  liftLegalHold: route({
    method: "DELETE",
    path: "/legal-holds/{legal_hold_id}",
    tag: "Audit",
    summary: "Lift a legal hold",
    description:
      "Rows past their time that no other hold covers are removed with the next run. The record stays. " +
      "Lifting a hold again answers the same record.",
    ...WRITES,
    params: ID,
    answers: { 200: answer("It is lifted.", legalHoldSchema, LIFTED) },
    problems: ["not_found"],
  }),
} as const;
