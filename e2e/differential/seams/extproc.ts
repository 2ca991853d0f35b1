import type { Client, ClientDuplexStream } from "@grpc/grpc-js";
import type { Verdict } from "@svc/contract/verdict";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { type Observed, observedOf, passed, type Seam, type SeamCall, wireText } from "../seam.ts";
import { callerHeaders } from "./caller-headers.ts";
import { rpcCall } from "./mcp.ts";
import { openProcessor, wireHeaders } from "./open-processor.ts";

/** The processor, asked as Envoy asks for a whole body. */
export const extproc: Seam = {
  name: "ext_proc",
  lacks: { cost: true, wouldBe: true },
  open: async (gatewayUrl, env) => {
    const { client, close } = await openProcessor(gatewayUrl, env);
    return { ask: async (call) => seenBy(await process(client, call), call), close };
  },
};

interface Answer {
  readonly immediate_response?: { readonly body: Buffer };
  readonly request_body?: {
    readonly response?: {
      readonly body_mutation?: { readonly body?: Buffer; readonly clear_body?: boolean };
    };
  };
}

type ProcessStream = ClientDuplexStream<object, Answer>;

/** Plays one request; resolves with everything that was answered when the stream has ended. */
function process(client: Client, call: SeamCall): Promise<readonly Answer[]> {
  const stream = (client as unknown as { Process(): ProcessStream }).Process();
  const answers: Answer[] = [];
  return new Promise((resolve, reject) => {
    stream.on("data", (answer: Answer) => {
      answers.push(answer);
      if (answer.immediate_response !== undefined || answer.request_body !== undefined) stream.end();
    });
    stream.on("end", () => resolve(answers));
    stream.on("error", reject);
    stream.write({
      request_headers: { headers: { headers: headersOf(call) }, end_of_stream: false },
      protocol_config: { request_body_mode: "BUFFERED" },
    });
    const body = Buffer.from(wireText(rpcCall(call)));
    stream.write({ request_body: { body, end_of_stream: true } });
  });
}

function headersOf(call: SeamCall): readonly object[] {
  const pairs = {
    ":method": "POST",
    ":path": "/mcp",
    "content-type": "application/json",
    ...callerHeaders(call),
  };
  return wireHeaders(pairs);
}

function seenBy(answers: readonly Answer[], call: SeamCall): Observed {
  const refusal = answers.find(({ immediate_response }) => immediate_response !== undefined);
  const answered = answers.find(({ request_body }) => request_body !== undefined);
  if (refusal?.immediate_response !== undefined) {
    if (answered !== undefined) throw new Error("refused, and let through");
    const verdict = JSON.parse(refusal.immediate_response.body.toString("utf8")) as Verdict;
    return observedOf(verdict, call.args);
  }
  if (answered === undefined) throw new Error("the stream ended without an answer to the body");
  const body = answered.request_body?.response?.body_mutation?.body;
  return passed(body === undefined ? canonicalJson(call.args) : argumentsIn(body));
}

/** Canonical arguments of a call as the tool's server reads it. */
export function argumentsIn(body: Buffer | string): string {
  const { params } = JSON.parse(String(body)) as { readonly params: { readonly arguments: JsonObject } };
  return canonicalJson(params.arguments);
}
