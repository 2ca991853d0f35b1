import { type RecordedRequest, startRecordingServer } from "../support/adapters/recording-server.ts";
import {
  anthropicMessage,
  chatCompletion,
  chatEvents,
  type ModelAnswer,
  openaiResponse,
} from "./model-wires.ts";

/** A model server with scripted answers. */
export interface FakeModel {
  readonly port: number;
  /** What to say from now on; a function is asked each time. */
  answer(script: ModelAnswer | (() => ModelAnswer)): void;
  /** The bodies it was sent, since the last `forget`. */
  prompts(): readonly Record<string, unknown>[];
  /** The same, as they arrived. */
  readonly requests: readonly RecordedRequest[];
  forget(): void;
  close(): Promise<void>;
}

export async function startFakeModel(): Promise<FakeModel> {
  let script: ModelAnswer | (() => ModelAnswer) = { text: "hello" };
  const server = await startRecordingServer(({ url, body }, response) => {
    const answer = typeof script === "function" ? script() : script;
    const { stream } = JSON.parse(body) as { stream?: boolean };
    if (stream === true) {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(chatEvents(answer));
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(renderFor(url)(answer)));
  });
  return {
    port: server.port,
    answer: (next) => {
      script = next;
    },
    prompts: () => server.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>),
    requests: server.requests,
    forget: () => server.forget(),
    close: () => server.close(),
  };
}

function renderFor(url: string): (answer: ModelAnswer) => object {
  if (url.startsWith("/v1/messages")) return anthropicMessage;
  return url.startsWith("/v1/responses") ? openaiResponse : chatCompletion;
}
