import { setTimeout as delay } from "node:timers/promises";
import type { JsonAnswerOf, RouteDefinition } from "@svc/api/route";
import { faultReason, isNotConnected } from "./fault-reason.ts";
import { type PreparedRequest, prepareRequest, type Question } from "./prepare-request.ts";
import { readAnswer } from "./read-answer.ts";
import { readBody } from "./read-body.ts";
import { RequestFailure, refusalOf } from "./request-failure.ts";
import type { Connection } from "./resolve-connection.ts";

/** Milliseconds that one attempt may take: more than the ten seconds that Node gives a connection. */
const ATTEMPT_MS = 12_000;

/**
 * Milliseconds that the attempts of one question take together. A server that hangs is not waited for three
 * times over; another one behind the same address still gets its attempt.
 */
const TOTAL_MS = 15_000;

/** Milliseconds before the second and before the third attempt, which is the last. */
const PAUSES_MS = [200, 1_000] as const;

/** Answers after which another attempt may get another one: a proxy or the server is busy or starts. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The control API of one server, by the definitions of its routes. No command knows HTTP. */
export class ControlClient {
  readonly #connection: Connection;
  readonly #ending: AbortSignal | null;

  /** @param ending ends every question of a command that goes on until somebody ends it */
  constructor(connection: Connection, ending: AbortSignal | null = null) {
    this.#connection = connection;
    this.#ending = ending;
  }

  /**
   * An answer that the route defines. What may have been done is tried again only under one Idempotency-Key.
   * @throws RequestFailure `unreachable` without an answer that can be read, `refused` for the key, `failed`
   * or `usage` for what the server does not do
   */
  async ask<Definition extends RouteDefinition>(
    definition: Definition,
    question: Question = {},
  ): Promise<JsonAnswerOf<Definition>> {
    const request = prepareRequest(definition, question, this.#connection);
    const response = await this.#exchange(definition, request, question.signal);
    return readAnswer(definition, response, request.url);
  }

  /** The same answer as a text of this media type. */
  async askText(definition: RouteDefinition, question: Question, mediaType: string): Promise<string> {
    const request = prepareRequest(definition, question, this.#connection);
    request.init.headers.set("accept", mediaType);
    return readBody(await this.#exchange(definition, request, question.signal));
  }

  /** An answer of a status that the route defines. */
  async #exchange(
    definition: RouteDefinition,
    request: PreparedRequest,
    signal?: AbortSignal,
  ): Promise<Response> {
    const { method, idempotency } = definition;
    const pauses = method === "GET" || idempotency === "answer" ? PAUSES_MS : [];
    const limit = new RateLimitWaits();
    let mayBeDone = false;
    let leftMs = TOTAL_MS;
    const timed = async (): Promise<Sent> => {
      const startedMs = performance.now();
      const sent = await send(request, signal ?? this.#ending, Math.min(ATTEMPT_MS, leftMs));
      leftMs -= performance.now() - startedMs;
      return sent;
    };
    for (let attempt = 0; ; attempt += 1) {
      const { response, fault } = await limit.sent(timed);
      this.#ending?.throwIfAborted();
      if (response !== null && definition.answers[response.status] !== undefined) return response;
      const failure =
        response === null
          ? this.#unanswered(request.url, fault)
          : this.#withHint(await refusalOf(response, definition, request.url));
      mayBeDone ||= failure.mayBeDone;
      const pauseMs = pauses[attempt];
      if (pauseMs === undefined || leftMs <= 0 || (response !== null && !AGAIN.has(response.status)))
        throw failure.after(mayBeDone);
      // The reason of the signal says whether the time was over or somebody ended the command.
      await delay(pauseMs, undefined, this.#ending === null ? {} : { signal: this.#ending }).catch(() =>
        this.#ending?.throwIfAborted(),
      );
    }
  }

  /** An address that is named on the command line takes no key from a context. */
  #withHint(refusal: RequestFailure): RequestFailure {
    const hint = refusal.outcome === "refused" ? (this.#connection.withoutKey?.() ?? null) : null;
    return hint === null ? refusal : refusal.saying(`${refusal.message}\n${hint}`);
  }

  #unanswered({ origin }: URL, fault: unknown): RequestFailure {
    const server = `the control plane at ${origin} (${this.#connection.source})`;
    const facts = { outcome: "unreachable", code: null, mayBeDone: !isNotConnected(fault) } as const;
    return new RequestFailure(`${server} does not answer: ${faultReason(fault)}`, facts, fault);
  }
}

type Sent =
  | { readonly response: Response; readonly fault: null }
  | { readonly response: null; readonly fault: unknown };

async function send(
  { url, init }: PreparedRequest,
  givenUp: AbortSignal | null,
  limitMs: number,
): Promise<Sent> {
  try {
    // A redirect would send the key to another address.
    const timeout = AbortSignal.timeout(Math.ceil(limitMs));
    const signal = givenUp === null ? timeout : AbortSignal.any([timeout, givenUp]);
    return { response: await fetch(url, { ...init, redirect: "manual", signal }), fault: null };
  } catch (fault) {
    return { response: null, fault };
  }
}

/** One page of a list. */
interface Page {
  readonly next_cursor: string | null;
}

/** The pages of a list, from the first to the last. */
export async function* everyPage<Body extends Page>(
  ask: (cursor: string | undefined) => Promise<{ readonly body: Body }>,
): AsyncGenerator<Body> {
  for (let cursor: string | undefined; ; ) {
    const { body } = await ask(cursor);
    yield body;
    if (body.next_cursor === null) return;
    cursor = body.next_cursor;
  }
}

/** Every item of a list. @param onPage called with how many were read, after each page but the last */
export async function everyItem<Body extends Page, Item>(
  ask: (cursor: string | undefined) => Promise<{ readonly body: Body }>,
  itemsOf: (body: Body) => readonly Item[],
  onPage?: (read: number) => void,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of everyPage(ask)) {
    items.push(...itemsOf(page));
    if (page.next_cursor !== null) onPage?.(items.length);
  }
  return items;
}

/** Longest wait in milliseconds that a server may ask for at a time. */
const MAX_WAIT_MS = 10_000;

/** Waits of one request, as count: a server that refuses for longer has a limit that is too small for it. */
const MAX_WAITS = 6;

/** Waits as long as a server asks for. It refused the request because of its rate, so it has not begun it. */
export class RateLimitWaits {
  #waits = 0;

  /** The first answer that asks for no wait, or the last one. */
  async sent<Answer extends { readonly response: Response | null }>(
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    for (;;) {
      const sent = await ask();
      const waitMs = sent.response === null ? null : waitOf(sent.response);
      if (waitMs === null || this.#waits === MAX_WAITS) return sent;
      this.#waits += 1;
      await sent.response?.body?.cancel();
      await delay(waitMs);
    }
  }
}

/** Null: it asks for none, or for a longer one. */
function waitOf({ status, headers }: Response): number | null {
  const seconds = headers.get("retry-after");
  if (status !== 429 || seconds === null || !/^\d{1,4}$/.test(seconds)) return null;
  const waitMs = Number(seconds) * 1_000;
  return waitMs > MAX_WAIT_MS ? null : waitMs;
}
