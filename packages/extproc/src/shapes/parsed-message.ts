import type { JsonObject } from "@svc/text/json-value";
import type { Result } from "@svc/tool-calls/result";
import type { HeaderChanges } from "../wire/processing-response.ts";

/** One intended tool call found in a message. */
export interface MessageCall {
  readonly tool: string;
  readonly args: JsonObject;
}

/** The message that goes on after all its calls were allowed. */
export interface Forwarded {
  /** The judged body in canonical form; null when the message has no body. */
  readonly body: Uint8Array | null;
  readonly changes: HeaderChanges;
}

/** A message read strictly. */
export interface ParsedMessage {
  /** In the order of the message. Empty when it holds nothing for a gateway to decide. */
  readonly calls: readonly MessageCall[];
  /**
   * The message that goes on.
   * @param shaped the rewritten arguments of each call, null where they stay
   */
  readonly forward: (shaped: readonly (JsonObject | null)[]) => Result<Forwarded>;
}
