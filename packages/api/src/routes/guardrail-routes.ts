import {
  changedGuardrailSchema,
  guardrailCreationSchema,
  guardrailFindingsSchema,
  guardrailPageSchema,
  guardrailSchema,
  guardrailTestSchema,
  guardrailUpdateSchema,
  parseGuardrailCreation,
  parseGuardrailTest,
  parseGuardrailUpdate,
} from "@svc/contract/guardrail";
import { flagParameter, integerParameter } from "@svc/contract/query-parameter";
import { WHY } from "@svc/contract/why";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route, scoped } from "../route.ts";
import { MAX_VERSION } from "./document-body.ts";

const ID = z.strictObject({ guardrail_id: z.string().describe("The guardrail, without `guardrail.`.") });

const TRIED = z.strictObject({ dry_run: flagParameter().describe("Checks the change and stores nothing.") });

const DEFINITION = {
  description: "Card data and member numbers",
  detectors: ["pii.credit_card"],
  patterns: [
    {
      name: "member_number",
      matches: "\\bMBR-[0-9]{6}\\b",
      must_match: ["member MBR-104221"],
      must_not_match: ["MBR-1"],
    },
  ],
  allow: ["4111 1111 1111 1111"],
} as const;

const GUARDRAIL = {
  id: "pci",
  version: 1,
  ...DEFINITION,
  created_at: "2026-11-29T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
  updated_at: "2026-11-29T09:00:00.000Z",
  updated_by: "3f9c1e2a7b4d",
} as const;

const CREATED = { warnings: [], ...GUARDRAIL, dry_run: false, policies: [] } as const;

const CHANGED = {
  warnings: [],
  ...GUARDRAIL,
  version: 2,
  dry_run: false,
  policies: [{ id: "payments", version: 4 }],
  propagation_ms: 21,
  gateways: [{ id: "gw_1f0c", acknowledged_ms: 14 }],
} as const;

const PENDING = {
  ...CHANGED,
  propagation_ms: null,
  gateways: [{ id: "gw_1f0c", acknowledged_ms: null }],
  note: "No acknowledgement from gw_1f0c so far: the change is stored, but may not be in force there.",
} as const;

export const guardrailRoutes = {
  createGuardrail: route({
    method: "POST",
    path: "/guardrails",
    tag: "Policies",
    summary: "Create a guardrail",
    description:
      "A named set of detectors. Policies name it as `guardrail.<id>`, in `detects` and in " +
      "`redact.detectors`. Each pattern is tried on its own texts first, and one that fails refuses all.",
    ...scoped("guardrail:write", "costly"),
    query: TRIED,
    body: jsonBody(guardrailCreationSchema, parseGuardrailCreation, { id: "pci", ...DEFINITION }),
    idempotency: "answer",
    answers: {
      200: answer("A dry run: it could be created.", changedGuardrailSchema, { ...CREATED, dry_run: true }),
      201: answer("It is created. No policy uses it yet.", changedGuardrailSchema, CREATED, [
        "etag",
        "location",
      ]),
    },
    problems: ["conflict", "limit_reached", "compiler_unavailable"],
  }),
  listGuardrails: route({
    method: "GET",
    path: "/guardrails",
    tag: "Policies",
    summary: "List guardrails",
    description: "By id, each in its latest version.",
    ...scoped("guardrail:read", "read"),
    query: z.strictObject(PAGE),
    answers: { 200: page("A page of guardrails.", guardrailPageSchema, { guardrails: [GUARDRAIL] }) },
  }),
  getGuardrail: route({
    method: "GET",
    path: "/guardrails/{guardrail_id}",
    tag: "Policies",
    summary: "Read a guardrail",
    description: "In its latest version, or in an earlier one, also after it was removed.",
    ...scoped("guardrail:read", "read"),
    params: ID,
    query: z.strictObject({
      version: integerParameter({ min: 1, max: MAX_VERSION })
        .optional()
        .describe("A version, as rows and policies name it. Absent: the latest."),
    }),
    answers: { 200: answer("The guardrail.", guardrailSchema, GUARDRAIL, ["etag"]) },
    problems: ["not_found"],
  }),
  putGuardrail: route({
    method: "PUT",
    path: "/guardrails/{guardrail_id}",
    tag: "Policies",
    summary: "Replace the definition of a guardrail",
    description:
      "Every policy that names it and is not archived gets a version with the new definition, in the same " +
      "transaction; when one of them would be refused, nothing changes. The answer comes when every " +
      "gateway decides by them, or has not acknowledged in time.",
    ...scoped("guardrail:write", "costly"),
    params: ID,
    query: TRIED,
    body: jsonBody(guardrailUpdateSchema, parseGuardrailUpdate, DEFINITION),
    ifMatch: true,
    answers: {
      200: answer("It is in force.", changedGuardrailSchema, CHANGED, ["etag"]),
      202: answer(
        "The change is stored, and not yet in force at every gateway: `gateways` and `note` say where.",
        changedGuardrailSchema,
        PENDING,
        ["etag"],
      ),
    },
    problems: ["not_found", "conflict", "version_moved", "compiler_unavailable"],
  }),
  deleteGuardrail: route({
    method: "DELETE",
    path: "/guardrails/{guardrail_id}",
    tag: "Policies",
    summary: "Remove a guardrail that no policy names",
    description:
      "Refused while the latest version of a policy that is not archived names it. A rollback to a version " +
      "that names it is refused from then on.",
    ...scoped("guardrail:write", "write"),
    params: ID,
    query: z.strictObject(WHY),
    ifMatch: true,
    answers: { 200: answer("It is removed.", guardrailSchema, GUARDRAIL, ["etag"]) },
    problems: ["not_found", "conflict", "version_moved"],
  }),
  testGuardrail: route({
    method: "POST",
    path: "/guardrails/{guardrail_id}/test",
    tag: "Policies",
    summary: "Try a guardrail on a text",
    description: "Says what it finds and where. Nothing of the text is stored, logged or repeated.",
    ...scoped("guardrail:read", "costly"),
    params: ID,
    body: jsonBody(guardrailTestSchema, parseGuardrailTest, { text: "card 4242 4242 4242 4242" }),
    answers: {
      200: answer("What it finds.", guardrailFindingsSchema, {
        id: "pci",
        version: 1,
        finds: true,
        complete: true,
        findings: [{ detector: "pii.credit_card", start: 5, end: 24, allowed: false }],
      }),
    },
    problems: ["not_found", "compiler_unavailable"],
  }),
} as const;
