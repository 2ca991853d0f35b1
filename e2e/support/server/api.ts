import { Agent, request } from "undici";
import { authorizationFor } from "./role-keys.ts";

/** Most connections to one server at once: a load test sends that many calls together. */
const MAX_CONNECTIONS = 1_000;

/** Milliseconds that a test waits for an answer: longer than any decision takes. */
const ANSWER_TIMEOUT_MS = 20_000;

/** Never repeats a request: each call is sent once. */
const dispatcher = new Agent({
  connections: MAX_CONNECTIONS,
  pipelining: 1,
  headersTimeout: ANSWER_TIMEOUT_MS,
  bodyTimeout: ANSWER_TIMEOUT_MS,
});

/** The policy that most tests run under: agent-1 may call everything below payments. */
export const PAYMENTS_POLICY = "id: refunds\nagent_id: agent-1\ntools: { allowed: ['payments.*'] }\n";

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Sent {
  /** An object goes as JSON, a text as it is. */
  readonly body?: unknown;
  /** Without `authorization` the request carries a key of the role that its route needs. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer began and did not end, or was not JSON. */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
}

/** Sends one request and reads its JSON answer. @throws on transport errors: BrokenAnswer once one began. */
export async function send(method: string, url: string, { body, headers = {} }: Sent = {}): Promise<Answer> {
  const text = body === undefined || typeof body === "string" ? (body ?? null) : JSON.stringify(body);
  const type: Record<string, string> = text === null ? {} : { "content-type": "application/json" };
  const key = "authorization" in headers ? {} : await authorizationFor(method, url);
  const answer = await request(url, {
    dispatcher,
    method,
    headers: { ...type, ...key, ...headers },
    body: text,
  });
  try {
    const parsed = (await answer.body.json()) as Record<string, unknown>;
    return { status: answer.statusCode, headers: answer.headers, body: parsed };
  } catch (error) {
    throw new BrokenAnswer(`status ${String(answer.statusCode)}, then ${String(error)}`, { cause: error });
  }
}

/** Creates a policy from YAML. */
export function createPolicy(url: string, yaml = PAYMENTS_POLICY): Promise<Answer> {
  return send("POST", `${url}/api/v1/policies`, {
    body: yaml,
    headers: { "content-type": "application/yaml" },
  });
}

/** A call that PAYMENTS_POLICY allows, with the given members replaced. */
export function callOf(known: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { agent_id: "agent-1", session_id: "s-1", tool: "payments.refund", args: { amount: 10 }, ...known };
}

export function execute(
  url: string,
  known: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return send("POST", `${url}/api/v1/gateway/execute`, { body: callOf(known), headers });
}
