import { setTimeout as delay } from "node:timers/promises";
import type { JsonAnswerOf, RouteDefinition } from "@svc/api/route";
import { faultReason } from "./fault-reason.ts";
import { type PreparedRequest, prepareRequest, type Question } from "./prepare-request.ts";
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
    const request = prepareRequest(definition, question, this.#connection);
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
