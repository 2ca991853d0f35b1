import type { Client, ClientDuplexStream } from "@grpc/grpc-js";
import type { Verdict } from "@svc/contract/verdict";
import {
  CALLER,
  type MessageCall,
  type MessageSeam,
  type ObservedMessage,
  refused,
  wentOn,
} from "../message.ts";
import { callerHeaders } from "./caller-headers.ts";
import { type ModelWire, modelWires } from "./model-wires.ts";
import { openProcessor, wireHeaders } from "./open-processor.ts";

/** The processor, asked as Envoy asks for a whole answer of a model. */
export const extprocAnswers: readonly MessageSeam[] = modelWires.map((wire) => ({
  name: `ext_proc, ${wire.name}`,
  carriesRewrites: true,
  open: async (gatewayUrl, env) => {
    const { client, close } = await openProcessor(gatewayUrl, env);
    return {
      ask: async (calls) => seenBy(wire, wire.write(calls), await process(client, wire, calls)),
      close,
    };
  },
}));

interface Answer {
  readonly immediate_response?: { readonly body: Buffer };
  readonly response_body?: {
    readonly response?: { readonly body_mutation?: { readonly body?: Buffer } };
  };
}

type ProcessStream = ClientDuplexStream<object, Answer>;

/** Plays one exchange. Resolves with everything that was answered when the stream has ended. */
function process(client: Client, wire: ModelWire, calls: readonly MessageCall[]): Promise<readonly Answer[]> {
  const stream = (client as unknown as { Process(): ProcessStream }).Process();
  const answers: Answer[] = [];
  return new Promise((resolve, reject) => {
    stream.on("data", (answer: Answer) => {
      answers.push(answer);
      if (answer.immediate_response !== undefined || answer.response_body !== undefined) stream.end();
    });
    stream.on("end", () => resolve(answers));
    stream.on("error", reject);
    const request = { ":method": "POST", ":path": wire.path, ...callerHeaders(CALLER) };
    stream.write({
      request_headers: { headers: { headers: wireHeaders(request) }, end_of_stream: true },
      protocol_config: { request_body_mode: "NONE", response_body_mode: "BUFFERED" },
    });
    const response = { ":status": "200", "content-type": wire.contentType };
    stream.write({ response_headers: { headers: { headers: wireHeaders(response) }, end_of_stream: false } });
    stream.write({ response_body: { body: Buffer.from(wire.write(calls)), end_of_stream: true } });
  });
}

function seenBy(wire: ModelWire, sent: string, answers: readonly Answer[]): ObservedMessage {
  const refusal = answers.find(({ immediate_response }) => immediate_response !== undefined);
  const answered = answers.find(({ response_body }) => response_body !== undefined);
  if (refusal?.immediate_response !== undefined) {
    if (answered !== undefined) throw new Error("refused, and let through");
    const verdict = JSON.parse(refusal.immediate_response.body.toString("utf8")) as Verdict;
    if (verdict.decision === "allow") throw new Error("an allow instead of an answer");
    return refused(verdict.decision, verdict.reason_code);
  }
  if (answered === undefined) throw new Error("the stream ended without an answer to the body");
  const body = answered.response_body?.response?.body_mutation?.body;
  return wentOn(wire.argumentsIn(body === undefined ? sent : body.toString("utf8")));
}
