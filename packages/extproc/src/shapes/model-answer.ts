import type { JsonObject } from "@svc/contract/json-value";
import { type ModelCall, putArguments } from "@svc/decision-client/model-call";
import { type Read, read } from "@svc/decision-client/refusal";
import { forwardJson } from "./json-body.ts";
import type { ParsedMessage } from "./parsed-message.ts";

/** Largest answer of a model in bytes: the proxy in front buffers it whole, and so do we. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

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
