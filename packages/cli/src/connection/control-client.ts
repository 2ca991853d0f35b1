import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { JsonAnswerOf, RouteDefinition } from "@svc/api/route";
import type { JsonValue } from "@svc/contract/json-value";
import { endpointOf } from "./api-endpoint.ts";
import { faultReason } from "./fault-reason.ts";
import { readAnswer } from "./read-answer.ts";
import { refusalOf } from "./refusal-of.ts";
import type { Connection } from "./resolve-connection.ts";
import { isNotConnected, Unanswered } from "./unanswered.ts";

/** Milliseconds that one attempt may take. */
const ATTEMPT_MS = 10_000;

/** Milliseconds before the second and before the third attempt, which is the last. */
const PAUSES_MS = [200, 1_000] as const;

/** Answers after which another attempt may get another one: a proxy or the server is busy or starts. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** What a route is asked with. A member of the query that is undefined is left out. */
export interface Question {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: JsonValue;
  /** The version that a change builds on. */
  readonly ifMatch?: number;
}

/** The control API of one server, by the definitions of its routes. No command knows HTTP. */
export class ControlClient {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * An answer that the route defines. What may have been done is tried again only under one Idempotency-Key.
   * @throws CommandFailure `unreachable` without an answer that can be read, `refused` for the key, `failed`
   * or `usage` for what the server does not do
   */
  async ask<Definition extends RouteDefinition>(
    definition: Definition,
    question: Question = {},
  ): Promise<JsonAnswerOf<Definition>> {
    const { method, idempotency } = definition;
    const request = requestOf(definition, question, this.#connection);
    const pauses = method === "GET" || idempotency === "answer" ? PAUSES_MS : [];
    let mayHaveArrived = false;
    for (let attempt = 0; ; attempt += 1) {
      const pauseMs = pauses[attempt];
      const { response, fault } = await send(request);
      if (response === null) {
        mayHaveArrived ||= !isNotConnected(fault);
        if (pauseMs === undefined) throw this.#unanswered(request.url, fault, mayHaveArrived);
      }
      if (response !== null && (pauseMs === undefined || !AGAIN.has(response.status))) {
        if (definition.answers[response.status] === undefined) throw await refusalOf(response, request.url);
        return readAnswer(definition, response, request.url);
      }
      await response?.body?.cancel();
      await delay(pauseMs);
    }
  }

  #unanswered({ origin }: URL, fault: unknown, mayHaveArrived: boolean): Unanswered {
    const server = `the control plane at ${origin} (${this.#connection.source})`;
    return new Unanswered(`${server} does not answer: ${faultReason(fault)}`, mayHaveArrived, fault);
  }
}

type Sent =
  | { readonly response: Response; readonly fault: null }
  | { readonly response: null; readonly fault: unknown };

async function send({ url, init }: PreparedRequest): Promise<Sent> {
  try {
    // A redirect would send the key to another address.
    const signal = AbortSignal.timeout(ATTEMPT_MS);
    return { response: await fetch(url, { ...init, redirect: "manual", signal }), fault: null };
  } catch (fault) {
    return { response: null, fault };
  }
}

interface PreparedRequest {
  readonly url: URL;
  readonly init: RequestInit;
}

function requestOf(
  { method, path, prefixed, idempotency }: RouteDefinition,
  { params = {}, query = {}, body, ifMatch }: Question,
  { url: base, apiKey, orgId }: Connection,
): PreparedRequest {
  const prefix = prefixed === false ? "" : "/api/v1";
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const url = endpointOf(base, `${prefix}${named}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  const headers = new Headers({ accept: "application/json" });
  if (apiKey !== null) headers.set("authorization", `Bearer ${apiKey}`);
  if (orgId !== null) headers.set("x-svc-org-id", orgId);
  if (body !== undefined) headers.set("content-type", "application/json");
  if (ifMatch !== undefined) headers.set("if-match", `"${String(ifMatch)}"`);
  if (idempotency === "answer") headers.set("idempotency-key", randomUUID());
  return { url, init: { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) } };
}
