import type { RunningProcess } from "../support/processes/child-process.ts";

/** The two sides of an LLM gateway: the adapter that it asks, and the model. */
export interface LlmGatewayPeers {
  readonly checkgwPort: number;
  readonly modelPort: number;
}

/** A real gateway for models that asks svc-checkgw about prompts and answers. */
export interface LlmGateway extends RunningProcess {
  readonly port: number;
  readonly url: string;
  /** What a client of it must send, set by the operator. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer as the client of a model got it. */
export interface ClientAnswer {
  readonly status: number;
  readonly text: string;
  /** The body as JSON; null when it is a stream. */
  readonly body: Record<string, unknown> | null;
}

const PROMPT = { model: "assistant", messages: [{ role: "user", content: "Please help." }] };

/** Asks as an ordinary client. */
export async function askModel(
  gateway: LlmGateway,
  known: object = {},
  path = "/v1/chat/completions",
): Promise<ClientAnswer> {
  const response = await fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...gateway.headers },
    body: JSON.stringify({ ...PROMPT, ...known }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : null,
  };
}
