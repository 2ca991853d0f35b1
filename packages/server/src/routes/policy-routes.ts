import { parseRollback } from "@svc/contract/parse-policy-requests";
import type { PolicyMediaType } from "@svc/contract/policy-record";
import { type Problem, problem } from "@svc/contract/problem";
import type { AppendedVersion } from "@svc/control-plane/append-version";
import { createPolicy } from "@svc/control-plane/create-policy";
import { getPolicy } from "@svc/control-plane/get-policy";
import { getPolicyVersion } from "@svc/control-plane/get-policy-version";
import { listPolicies } from "@svc/control-plane/list-policies";
import { listPolicyVersions } from "@svc/control-plane/list-policy-versions";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { DocumentText } from "@svc/control-plane/read-document";
import type { Refusal } from "@svc/control-plane/refusal";
import { rollbackPolicy } from "@svc/control-plane/rollback-policy";
import { updatePolicy } from "@svc/control-plane/update-policy";
import type { StoredPolicy } from "@svc/store/ports/control-store";
import { Hono } from "hono";
import type { ApiContext, ApiEnvironment } from "../http-types.ts";
import { type Input, readJsonInput, readRawBody } from "../request-input.ts";
import { json, problemAnswer } from "./answers.ts";
import { readIfMatch, readPage, readVersion } from "./query.ts";

const DOCUMENT_TYPES: readonly PolicyMediaType[] = ["application/yaml", "application/json"];

/** `policies`: create, list, read, change, versions, rollback. */
export function policyRoutes(ports: ControlPlanePorts): Hono<ApiEnvironment> {
  return new Hono<ApiEnvironment>()
    .post("/", (context) => create(ports, context))
    .get("/", (context) => list(ports, context))
    .get("/:id", async (context) =>
      shown(context, await getPolicy(ports, context.var.principal, context.req.param("id"))),
    )
    .put("/:id", (context) => update(ports, context, context.req.param("id")))
    .get("/:id/versions", (context) => versions(ports, context, context.req.param("id")))
    .get("/:id/versions/:version", (context) => oneVersion(ports, context, context.req.param()))
    .post("/:id/rollback", (context) => rollback(ports, context, context.req.param("id")));
}

async function create(ports: ControlPlanePorts, context: ApiContext): Promise<Response> {
  const text = await readDocumentText(context);
  if (text.kind === "problem") return problemAnswer(context, text.problem);
  const outcome = await createPolicy(ports, context.var.principal, text.value);
  if (outcome.kind === "problem") return problemAnswer(context, outcome);
  const { record, assignment, warnings, heard } = outcome;
  return json(context, 201, { ...record, assignment, warnings, ...heard }, etag(record.version));
}

async function list(ports: ControlPlanePorts, context: ApiContext): Promise<Response> {
  const page = readPage(context);
  if (page.kind === "problem") return problemAnswer(context, page.problem);
  const outcome = await listPolicies(ports, context.var.principal, page.value);
  if (outcome.kind === "problem") return problemAnswer(context, outcome);
  const { items, next } = outcome.page;
  return json(context, 200, { policies: items.map(({ record }) => record), next_cursor: next });
}

async function update(ports: ControlPlanePorts, context: ApiContext, id: string): Promise<Response> {
  const expected = readIfMatch(context);
  if (expected.kind === "problem") return problemAnswer(context, expected.problem);
  const text = await readDocumentText(context);
  if (text.kind === "problem") return problemAnswer(context, text.problem);
  const change = { id, text: text.value, expectedVersion: expected.value };
  return appended(context, await updatePolicy(ports, context.var.principal, change));
}

async function versions(ports: ControlPlanePorts, context: ApiContext, id: string): Promise<Response> {
  const page = readPage(context);
  if (page.kind === "problem") return problemAnswer(context, page.problem);
  const outcome = await listPolicyVersions(ports, context.var.principal, { id, page: page.value });
  if (outcome.kind === "problem") return problemAnswer(context, outcome);
  const { items, next } = outcome.page;
  return json(context, 200, { versions: items.map(({ record }) => record), next_cursor: next });
}

async function oneVersion(
  ports: ControlPlanePorts,
  context: ApiContext,
  { id, version }: { readonly id: string; readonly version: string },
): Promise<Response> {
  const number = readVersion(version);
  if (number.kind === "problem") return problemAnswer(context, number.problem);
  return shown(context, await getPolicyVersion(ports, context.var.principal, { id, version: number.value }));
}

async function rollback(ports: ControlPlanePorts, context: ApiContext, id: string): Promise<Response> {
  const input = await readJsonInput(context.env.incoming, parseRollback);
  if (input.kind === "problem") return problemAnswer(context, input.problem);
  return appended(context, await rollbackPolicy(ports, context.var.principal, { id, ...input.value }));
}

function appended(context: ApiContext, outcome: AppendedVersion | Refusal): Response {
  if (outcome.kind === "problem") return problemAnswer(context, outcome);
  const { record, warnings, heard } = outcome;
  return json(context, 200, { ...record, warnings, ...heard }, etag(record.version));
}

type Found = { readonly kind: "found"; readonly policy: StoredPolicy } | Refusal;

/** As JSON, or as the document's own text when the caller asks for YAML (JSON text is YAML, too). */
function shown(context: ApiContext, found: Found): Response {
  if (found.kind === "problem") return problemAnswer(context, found);
  const { record, source } = found.policy;
  if (context.req.header("accept") !== "application/yaml")
    return json(context, 200, record, etag(record.version));
  return new Response(source, { headers: { "content-type": "application/yaml", ...etag(record.version) } });
}

async function readDocumentText(context: ApiContext): Promise<Input<DocumentText>> {
  const raw = await readRawBody(context.env.incoming, DOCUMENT_TYPES);
  if (raw.kind === "problem") return raw;
  const source = decodeUtf8(raw.value.bytes);
  if (typeof source !== "string") return { kind: "problem", problem: source };
  return { kind: "input", value: { source, mediaType: raw.value.mediaType as PolicyMediaType } };
}

function decodeUtf8(bytes: Buffer): string | Problem {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return problem("invalid_policy", "the document is not UTF-8");
  }
}

function etag(version: number): Record<string, string> {
  return { etag: `"${String(version)}"` };
}
