import type { JsonObject } from "@svc/contract/json-value";
import { type ModelCall, putArguments } from "@svc/tool-calls/model-call";
import { malformed, type Read, read } from "@svc/tool-calls/refusal";
import type { HttpMessage } from "../stream/stream-state.ts";
import { forwardJson } from "./json-body.ts";
import type { ParsedMessage } from "./parsed-message.ts";

/** Largest answer of a model in bytes: the proxy in front buffers it whole, and so do we. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

/** Refuses a redirect: client libraries follow it, and what they find there is seen by nobody. */
export function checkStatus({ headers }: HttpMessage): Read<null> {
  const isRedirect = headers.get(":status")?.some((status) => status.startsWith("3")) ?? false;
  return isRedirect ? malformed(":status", "an answer", "a redirect") : read(null);
}

/** Makes a parsed message of the calls that were found in an answer. */
export function messageOf(root: JsonObject, found: Read<readonly ModelCall[]>): Read<ParsedMessage> {
  if (!found.ok) return found;
  const calls = found.value;
  return read({
    calls: calls.map(({ tool, args }) => ({ tool, args })),
    forward: (shaped) => {
      const edited = putArguments(root, calls, shaped);
      return edited.ok ? read(forwardJson(edited.value)) : edited;
    },
  });
}
