import type { IncomingMessage } from "node:http";
import { invalidProblem, malformedProblem } from "@svc/contract/body-problem";
import type { Parsed } from "@svc/contract/parsed";
import { type Problem, problem } from "@svc/contract/problem";
import type { Exchange } from "@svc/http-edge/exchange";
import { bodyMediaType } from "@svc/http-edge/media-type";
import { BODIES_OVERLOADED, type Body, readBody } from "@svc/http-edge/read-body";
import type { JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { parseStrictJson } from "@svc/text/strict-json";

/** A value in the expected form, or the refusal. */
export type Input<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | { readonly kind: "problem"; readonly problem: Problem };

/** A whole body as it came, and its media type. */
export interface RawBody {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** Reads a body of one of the media types. */
export function readRawBody(
  request: IncomingMessage,
  mediaTypes: readonly string[],
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Input<RawBody>> {
  const media = bodyMediaType(request, mediaTypes);
  if (media.kind === "problem") return Promise.resolve(media);
  const exchange = { readBody: (limit: number) => readBody(request, limit) };
  return Promise.resolve(readAcceptedBody(exchange, media.type, maxBytes));
}

/** Reads a body whose media type was accepted. No promise for a body that has arrived. */
export function readAcceptedBody(
  exchange: Pick<Exchange, "readBody">,
  mediaType: string,
  maxBytes: number = MAX_BODY_BYTES,
): Input<RawBody> | Promise<Input<RawBody>> {
  const input = (body: Body): Input<RawBody> => bodyInput(body, mediaType, maxBytes);
  const body = exchange.readBody(maxBytes);
  return body instanceof Promise ? body.then(input) : input(body);
}

function bodyInput(body: Body, mediaType: string, maxBytes: number): Input<RawBody> {
  switch (body.kind) {
    case "body":
      return { kind: "ok", value: { mediaType, bytes: body.bytes } };
    case "too_large":
      return refused("body_too_large", `expected at most ${String(maxBytes)} bytes`);
    case "overloaded":
      return refused("overloaded", BODIES_OVERLOADED);
    case "aborted":
      return refused("invalid_request", "the body ended early");
  }
}

/** Reads a strict JSON body and parses it. */
export async function readJsonInput<Value>(
  request: IncomingMessage,
  parse: (value: JsonValue) => Parsed<Value>,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Input<Value>> {
  const raw = await readRawBody(request, ["application/json"], maxBytes);
  return raw.kind === "problem" ? raw : parseJsonInput(raw.value.bytes, parse);
}

/** Parses bytes as strict JSON of a given form. */
export function parseJsonInput<Value>(
  bytes: Buffer,
  parse: (value: JsonValue) => Parsed<Value>,
): Input<Value> {
  const json = parseStrictJson(bytes);
  if (!json.ok) return { kind: "problem", problem: malformedProblem(json.fault) };
  const parsed = parse(json.value);
  if (parsed.ok) return { kind: "ok", value: parsed.value };
  return { kind: "problem", problem: invalidProblem(parsed.errors) };
}

function refused(code: "body_too_large" | "invalid_request" | "overloaded", detail: string): Input<never> {
  return { kind: "problem", problem: problem(code, detail) };
}
