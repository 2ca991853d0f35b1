import type { JsonObject } from "@svc/contract/json-value";
import { type ModelCall, putArguments } from "@svc/tool-calls/model-call";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import type { HttpMessage } from "../stream/stream-state.ts";
import { forwardJson } from "./json-body.ts";
import type { ParsedMessage } from "./parsed-message.ts";

/** Largest answer of a model in bytes: the proxy in front buffers it whole, and so do we. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

/** Refuses a redirect: client libraries follow it, and what they find there is seen by nobody. */
export function checkStatus({ headers }: HttpMessage): Result<null> {
  const isRedirect = headers.get(":status")?.some((status) => status.startsWith("3")) ?? false;
  return isRedirect ? malformed(":status", "an answer", "a redirect") : ok(null);
}

/** Makes a parsed message of the calls that were found in an answer. */
export function messageOf(root: JsonObject, found: Result<readonly ModelCall[]>): Result<ParsedMessage> {
  if (!found.ok) return found;
  const calls = found.value;
  return ok({
    calls: calls.map(({ tool, args }) => ({ tool, args })),
    forward: (shaped) => {
      const edited = putArguments(root, calls, shaped);
      return edited.ok ? ok(forwardJson(edited.value)) : edited;
    },
  });
}
