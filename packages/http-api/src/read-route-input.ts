import type { IncomingMessage } from "node:http";
import type { PathParameters } from "@svc/api/match-path";
import type { RouteDefinition } from "@svc/api/route";
import { invalidProblem } from "@svc/contract/body-problem";
import { parseWith } from "@svc/contract/parse-with";
import type { Parsed } from "@svc/contract/parsed";
import { problem } from "@svc/contract/problem";
import { singleHeader } from "@svc/http-edge/single-header";
import type { JsonObject } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { refuseQueryNames } from "./refuse-query-names.ts";
import { refuseUndecodable } from "./refuse-undecodable.ts";
import { type Input, parseJsonInput, readRawBody } from "./request-input.ts";
import type { AnyInput } from "./routes/handler.ts";

/** The parts of a request that its route's input is read from. */
export interface RequestParts {
  readonly request: IncomingMessage;
  /** Decoded. */
  readonly parameters: PathParameters;
  /** The text behind the question mark; null when there is none. */
  readonly query: string | null;
}

/**
 * Reads what the route takes, by its definition: path, query, headers, then body. The first part that does
 * not fit is the refusal.
 */
export async function readRouteInput(
  definition: RouteDefinition,
  { request, parameters, query: queryText }: RequestParts,
): Promise<Input<AnyInput>> {
  const params = readTexts(definition.params, parameters);
  if (params.kind === "problem") return params;
  const query = readQuery(definition.query, queryText);
  if (query.kind === "problem") return query;
  const ifMatch = definition.ifMatch === true ? readIfMatch(request) : NO_VERSION;
  if (ifMatch.kind === "problem") return ifMatch;
  const body = await readRouteBody(definition, request);
  if (body.kind === "problem") return body;
  const { value: parsed, bytes: bodyBytes } = body.value;
  const value = { params: params.value, query: query.value, ifMatch: ifMatch.value, body: parsed, bodyBytes };
  return { kind: "ok", value };
}

/** Reads the texts of the path and of the query of a route that takes no body. */
export function readRouteTexts(
  definition: RouteDefinition,
  texts: Readonly<Record<"params" | "query", Readonly<Record<string, string>>>>,
): Input<AnyInput> {
  const params = readTexts(definition.params, texts.params);
  if (params.kind === "problem") return params;
  const query = readTexts(definition.query, texts.query);
  if (query.kind === "problem") return query;
  const value = { params: params.value, query: query.value, ifMatch: null, body: null, bodyBytes: NO_BYTES };
  return { kind: "ok", value };
}

const NO_BYTES = new Uint8Array();

const NO_VERSION = { kind: "ok", value: null } as const;

function readQuery(schema: RouteDefinition["query"], text: string | null): Input<unknown> {
  const undecodable = refuseUndecodable(text ?? "");
  if (undecodable !== null) return { kind: "problem", problem: undecodable };
  const values = new URLSearchParams(text ?? "");
  const refusal = refuseQueryNames([...values.keys()], Object.keys(schema.shape));
  if (refusal !== null) return { kind: "problem", problem: refusal };
  return readTexts(schema, Object.fromEntries(values));
}

/** Reads texts by name. A refusal names the parameter; it is not a pointer into a body. */
function readTexts(
  schema: RouteDefinition["query"],
  texts: Readonly<Record<string, string>>,
): Input<unknown> {
  const parsed = parseWith(schema, texts satisfies JsonObject);
  if (parsed.ok) return { kind: "ok", value: parsed.value };
  const errors = parsed.errors.map((entry) => {
    // Every parameter is a text, so "the string" would only hint at a type that nobody can change.
    const found = entry.found.replace(/^the string /, "");
    return { ...entry, pointer: entry.pointer.slice(1), found };
  });
  return { kind: "problem", problem: invalidProblem(errors) };
}

const VERSION_TAG = /^"([1-9][0-9]{0,8})"$/;

/** Reads `If-Match: "3"`; null when the header is absent or `*`. */
function readIfMatch(request: IncomingMessage): Input<number | null> {
  const header = singleHeader(request, "if-match");
  if (header.kind === "repeated")
    return refused("The header If-Match was sent more than once. Send it once.");
  if (header.kind === "absent" || header.value === "*") return NO_VERSION;
  const version = VERSION_TAG.exec(header.value)?.[1];
  if (version !== undefined) return { kind: "ok", value: Number(version) };
  const pointer = "If-Match";
  const expected = `a version number in double quotes (curl -H 'If-Match: "3"'), or *`;
  return {
    kind: "problem",
    problem: invalidProblem([{ pointer, expected, found: JSON.stringify(header.value) }]),
  };
}

function refused(detail: string): Input<never> {
  return { kind: "problem", problem: problem("invalid_header", detail) };
}

interface ReadBody {
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

async function readRouteBody({ body }: RouteDefinition, request: IncomingMessage): Promise<Input<ReadBody>> {
  if (body === null) return { kind: "ok", value: { value: null, bytes: NO_BYTES } };
  if (body.kind === "json" && body.absent !== undefined && !hasBody(request)) {
    if ("refusal" in body.absent)
      return { kind: "problem", problem: problem("invalid_request", body.absent.refusal) };
    return readThrough(body.parse(body.absent.value));
  }
  const mediaTypes = body.kind === "text" ? body.mediaTypes : ["application/json"];
  const maxBytes = body.kind === "unread_json" ? body.maxBytes : MAX_BODY_BYTES;
  const raw = await readRawBody(request, mediaTypes, maxBytes);
  if (raw.kind === "problem") return raw;
  const { bytes } = raw.value;
  if (body.kind !== "json") return { kind: "ok", value: { value: raw.value, bytes } };
  const parsed = parseJsonInput(bytes, body.parse);
  return parsed.kind === "problem" ? parsed : { kind: "ok", value: { value: parsed.value, bytes } };
}

/** A value that stands in for a body goes through the same parser, so that it gets the same defaults. */
function readThrough(parsed: Parsed<unknown>): Input<ReadBody> {
  if (parsed.ok) return { kind: "ok", value: { value: parsed.value, bytes: NO_BYTES } };
  return { kind: "problem", problem: invalidProblem(parsed.errors) };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}
