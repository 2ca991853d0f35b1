import type { ExecuteRequest } from "@svc/contract/execute-request";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { parsePlainJson } from "@svc/text/plain-json";
import { type Input, parseJsonInput } from "../request-input.ts";

/** Parses the body of one call. What is not proven to be strict JSON is left to the strict reader. */
export function parseCallBody(bytes: Buffer): Input<ExecuteRequest> {
  const plain = parsePlainJson(bytes);
  const parsed = plain === null ? null : parseExecuteRequest(plain);
  if (parsed?.ok === true) return { kind: "ok", value: parsed.value };
  return parseJsonInput<ExecuteRequest>(bytes, parseExecuteRequest);
}
