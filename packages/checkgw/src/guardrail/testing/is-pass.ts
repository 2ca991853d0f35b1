import type { DialectName } from "../dialect-name.ts";

/**
 * Whether the caller of a dialect would let the message pass on this answer: its own reading, which is looser
 * than what is meant.
 */
export function isPass(dialect: DialectName, text: string): boolean {
  const answer = JSON.parse(text) as Record<string, unknown> | null;
  switch (dialect) {
    case "portkey":
      // A missing verdict is undefined there, and any truthy value passes.
      return Boolean(answer?.["verdict"]);
    case "litellm":
      return answer?.["action"] !== "BLOCKED";
    case "agentgateway_request":
    case "agentgateway_response":
      return !isRejection(answer?.["action"]);
  }
}

/** The untagged form: an action that is neither a mask nor a rejection is a pass. */
function isRejection(action: unknown): boolean {
  if (typeof action !== "object" || action === null) return false;
  const { body, status_code: status } = action as Record<string, unknown>;
  return typeof body === "string" && Number.isInteger(status);
}
