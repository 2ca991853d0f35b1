import { parseRollback } from "@svc/contract/parse-policy-requests";
import type { PolicyMediaType } from "@svc/contract/policy-record";
import { type Problem, problem } from "@svc/contract/problem";
import { createPolicy } from "@svc/control-plane/create-policy";
import { getPolicy } from "@svc/control-plane/get-policy";
import { getPolicyVersion } from "@svc/control-plane/get-policy-version";
import { listPolicies } from "@svc/control-plane/list-policies";
import { listPolicyVersions } from "@svc/control-plane/list-policy-versions";
import type { DocumentText } from "@svc/control-plane/read-document";
import { rollbackPolicy } from "@svc/control-plane/rollback-policy";
import { updatePolicy } from "@svc/control-plane/update-policy";
import { Hono } from "hono";
import type { ApiContext, ApiEnvironment } from "../api-context.ts";
import { type Input, readJsonInput, readRawBody } from "../request-input.ts";
import { json, problemAnswer } from "./answers.ts";
import { answerAppended, answerCreated, answerPolicy } from "./policy-answers.ts";
import {
  LOAD_PARAMETERS,
  PAGE_PARAMETERS,
  readIfMatch,
  readLoadMode,
  readPage,
  readVersion,
  takes,
} from "./read-page.ts";

/** The accepted media types, and the one that each is stored as. YAML has several. */
const DOCUMENT_TYPES: Readonly<Record<string, PolicyMediaType>> = {
  "application/yaml": "application/yaml",
  "application/json": "application/json",
  "application/x-yaml": "application/yaml",
  "text/yaml": "application/yaml",
  "text/x-yaml": "application/yaml",
};

/** `policies`: create, list, read, change, versions, rollback. */
export function policyRoutes(): Hono<ApiEnvironment> {
  const loads = takes(...LOAD_PARAMETERS);
  const lists = takes(...PAGE_PARAMETERS);
  return new Hono<ApiEnvironment>()
    .post("/", loads, create)
    .get("/", lists, list)
    .get("/:id", takes(), async (context) =>
      answerPolicy(
        context,
        await getPolicy(context.var.ports, context.var.principal, context.req.param("id")),
      ),
    )
    .put("/:id", loads, (context) => update(context, context.req.param("id")))
    .get("/:id/versions", lists, (context) => versions(context, context.req.param("id")))
    .get("/:id/versions/:version", takes(), (context) => oneVersion(context, context.req.param()))
    .post("/:id/rollback", loads, (context) => rollback(context, context.req.param("id")));
}

async function create(context: ApiContext): Promise<Response> {
  const load = readLoadMode(context);
  if (load.kind === "problem") return problemAnswer(context, load.problem);
  const text = await readDocumentText(context);
  if (text.kind === "problem") return problemAnswer(context, text.problem);
  return answerCreated(
    context,
    await createPolicy(context.var.ports, context.var.principal, text.value, load.value),
  );
}

async function list(context: ApiContext): Promise<Response> {
  const page = readPage(context);
  if (page.kind === "problem") return problemAnswer(context, page.problem);
  const outcome = await listPolicies(context.var.ports, context.var.principal, page.value);
  if (outcome.kind === "problem") return problemAnswer(context, outcome.problem);
  const { items, next } = outcome.page;
  return json(context, 200, { policies: items.map(({ record }) => record), next_cursor: next });
}

async function update(context: ApiContext, id: string): Promise<Response> {
  const load = readLoadMode(context);
  if (load.kind === "problem") return problemAnswer(context, load.problem);
  const expected = readIfMatch(context);
  if (expected.kind === "problem") return problemAnswer(context, expected.problem);
  const text = await readDocumentText(context);
  if (text.kind === "problem") return problemAnswer(context, text.problem);
  const change = { id, text: text.value, expectedVersion: expected.value, load: load.value };
  return answerAppended(context, await updatePolicy(context.var.ports, context.var.principal, change));
}

async function versions(context: ApiContext, id: string): Promise<Response> {
  const page = readPage(context);
  if (page.kind === "problem") return problemAnswer(context, page.problem);
  const { ports, principal } = context.var;
  const outcome = await listPolicyVersions(ports, principal, { id, page: page.value });
  if (outcome.kind === "problem") return problemAnswer(context, outcome.problem);
  const { items, next } = outcome.page;
  return json(context, 200, { versions: items.map(({ record }) => record), next_cursor: next });
}

async function oneVersion(
  context: ApiContext,
  { id, version }: { readonly id: string; readonly version: string },
): Promise<Response> {
  const number = readVersion(version);
  if (number.kind === "problem") return problemAnswer(context, number.problem);
  const { ports, principal } = context.var;
  return answerPolicy(context, await getPolicyVersion(ports, principal, { id, version: number.value }));
}

async function rollback(context: ApiContext, id: string): Promise<Response> {
  const load = readLoadMode(context);
  if (load.kind === "problem") return problemAnswer(context, load.problem);
  const input = await readJsonInput(context.env.incoming, parseRollback);
  if (input.kind === "problem") return problemAnswer(context, input.problem);
  const change = { id, ...input.value, load: load.value };
  return answerAppended(context, await rollbackPolicy(context.var.ports, context.var.principal, change));
}

async function readDocumentText(context: ApiContext): Promise<Input<DocumentText>> {
  const raw = await readRawBody(context.env.incoming, Object.keys(DOCUMENT_TYPES));
  if (raw.kind === "problem") return raw;
  const source = decodeUtf8(raw.value.bytes);
  if (typeof source !== "string") return { kind: "problem", problem: source };
  const mediaType = DOCUMENT_TYPES[raw.value.mediaType] ?? "application/yaml";
  return { kind: "ok", value: { source, mediaType } };
}

function decodeUtf8(bytes: Buffer): string | Problem {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return problem("invalid_policy", "the document is not UTF-8");
  }
}
