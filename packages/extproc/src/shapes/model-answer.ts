import { type ModelInterface, readModelAnswer, readStreamedAnswer } from "@svc/tool-calls/model-answer";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import type { HttpMessage } from "../stream/stream-state.ts";
import type { HeaderList } from "../wire/header-list.ts";
import { NO_CHANGES } from "../wire/processing-response.ts";
import { checkFraming, readJsonBytes } from "./json-body.ts";
import type { ParsedMessage } from "./parsed-message.ts";

/** Largest answer of a model in bytes. The proxy in front and this adapter buffer all of it. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

const EVENT_STREAM = /^text\/event-stream(?: *; *charset="?utf-8"?)?$/i;

/** Reads the tool calls off an answer of a model, in one piece or as a stream of events. */
export function parseModelAnswer(message: HttpMessage, kind: ModelInterface): Result<ParsedMessage> {
  const { headers } = message;
  // Client libraries follow a redirect, and nobody judges the answer at its target.
  if (headers.get(":status")?.some((status) => status.startsWith("3")) === true)
    return malformed(":status", "an answer", "a redirect");
  const isStream = isEventStream(headers);
  const bytes = isStream ? readEventBytes(message) : readJsonBytes(message);
  if (!bytes.ok) return bytes;
  const read = isStream ? readStreamedAnswer : readModelAnswer;
  const answer = read(bytes.value, kind, MAX_ANSWER_BYTES);
  if (!answer.ok) return answer;
  const { calls, render } = answer.value;
  return ok({
    calls,
    forward: (shaped) => {
      const body = render(shaped);
      return body.ok ? ok({ body: body.value, changes: NO_CHANGES }) : body;
    },
  });
}

/** Whether a message says that it is a stream of events in UTF-8. */
function isEventStream(headers: HeaderList): boolean {
  return EVENT_STREAM.test(headers.get("content-type")?.join(",") ?? "");
}

function readEventBytes(message: HttpMessage): Result<Uint8Array> {
  const body = message.body ?? new Uint8Array();
  const framing = checkFraming(message.headers, body);
  return framing.ok ? ok(body) : framing;
}
