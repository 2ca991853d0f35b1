import type { LambdaFunction } from "./lambda-function.ts";
import { type RecordingServer, startRecordingServer } from "./recording-server.ts";

/** The answer that a client of the gateway gets. */
export interface GatewayAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface SimulatedGateway {
  /** Sends one message as a client of the gateway does; a text goes as it is. */
  send(message: unknown): Promise<GatewayAnswer>;
  /** What the target was given to run, in order of arrival. */
  targetSaw(): readonly unknown[];
  close(): Promise<void>;
}

export interface SimulationOptions {
  readonly interceptor: LambdaFunction;
  /** The `passRequestHeaders` of its configuration. */
  readonly passRequestHeaders?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

interface InterceptorResult {
  readonly interceptorOutputVersion?: unknown;
  readonly mcp?: {
    readonly transformedGatewayRequest?: { readonly body: unknown };
    readonly transformedGatewayResponse?: { readonly statusCode: number; readonly body: unknown };
  };
}

/**
 * The published contract of a gateway with a REQUEST interceptor, and nothing more of it: the interceptor
 * gets every message; an answer of it short-circuits, even beside a request; a request of it is what the
 * target is given. What a gateway does when its function fails is not published, so here it fails the test.
 */
export async function startSimulatedGateway(options: SimulationOptions): Promise<SimulatedGateway> {
  const target = await startRecordingServer(({ body }, response) => {
    const { id = null } = JSON.parse(body) as { id?: unknown };
    const document = { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "done" }] } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  return {
    send: async (message) => {
      const raw = typeof message === "string" ? message : JSON.stringify(message);
      const output = (await options.interceptor.invoke(eventOf(raw, options))) as InterceptorResult;
      if (output.interceptorOutputVersion !== "1.0") throw new Error(`no output: ${JSON.stringify(output)}`);
      return carryOut(output, target);
    },
    targetSaw: () => target.requests.map(({ body }) => JSON.parse(body) as unknown),
    close: () => target.close(),
  };
}

function eventOf(raw: string, { passRequestHeaders = false, headers = {} }: SimulationOptions): unknown {
  const passed = passRequestHeaders ? { Accept: "application/json", ...headers } : {};
  return {
    interceptorInputVersion: "1.0",
    mcp: {
      rawGatewayRequest: { body: raw },
      gatewayRequest: {
        path: "/mcp",
        httpMethod: "POST",
        headers: passed,
        body: JSON.parse(raw) as unknown,
        context: null,
      },
      gatewayResponse: null,
    },
  };
}

async function carryOut({ mcp = {} }: InterceptorResult, target: RecordingServer): Promise<GatewayAnswer> {
  const { transformedGatewayRequest: request, transformedGatewayResponse: answer } = mcp;
  if (answer !== undefined) return { status: answer.statusCode, body: answer.body as GatewayAnswer["body"] };
  if (request === undefined) throw new Error("the output holds neither a request nor a response");
  const url = `http://127.0.0.1:${String(target.port)}/`;
  const response = await fetch(url, { method: "POST", body: JSON.stringify(request.body) });
  return { status: response.status, body: (await response.json()) as GatewayAnswer["body"] };
}
