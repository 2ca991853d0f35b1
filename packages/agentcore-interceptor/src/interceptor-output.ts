import type { JsonObject, JsonValue } from "@svc/text/json-value";
import type { RpcErrorDocument } from "@svc/tool-calls/rpc-error";

/**
 * What the function returns. A gateway runs its target only on a `transformedGatewayRequest`. A
 * `transformedGatewayResponse` is the answer to its caller, and no output ever holds both.
 */
export type InterceptorOutput = ForwardOutput | McpAnswerOutput | HttpAnswerOutput;

interface ForwardOutput {
  readonly interceptorOutputVersion: typeof OUTPUT_VERSION;
  readonly mcp: { readonly transformedGatewayRequest: { readonly body: JsonValue } };
}

interface McpAnswerOutput {
  readonly interceptorOutputVersion: typeof OUTPUT_VERSION;
  readonly mcp: {
    readonly transformedGatewayResponse: { readonly statusCode: number; readonly body: RpcErrorDocument };
  };
}

interface HttpAnswerOutput {
  readonly interceptorOutputVersion: typeof OUTPUT_VERSION;
  readonly http: {
    readonly transformedGatewayResponse: { readonly statusCode: number; readonly body: string };
  };
}

const OUTPUT_VERSION = "1.0";

/** Lets the gateway go on, with exactly this message. */
export function forward(message: JsonObject): InterceptorOutput {
  return {
    interceptorOutputVersion: OUTPUT_VERSION,
    mcp: { transformedGatewayRequest: { body: message } },
  };
}

/**
 * Answers in the target's place. The status is 200 if the id is known, because MCP clients end their
 * session after another status.
 */
export function answer(body: RpcErrorDocument): InterceptorOutput {
  const statusCode = body.id === null ? 400 : 200;
  return {
    interceptorOutputVersion: OUTPUT_VERSION,
    mcp: { transformedGatewayResponse: { statusCode, body } },
  };
}

/** Refuses an event about a target that does not speak MCP. Such bodies are in base64. */
export function refuseHttp(reason: string): InterceptorOutput {
  const document = JSON.stringify({ decision: "deny", reason, fail_closed: true });
  const body = Buffer.from(document, "utf8").toString("base64");
  return {
    interceptorOutputVersion: OUTPUT_VERSION,
    http: { transformedGatewayResponse: { statusCode: 403, body } },
  };
}
