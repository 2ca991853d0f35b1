import type { OutcomeStatus } from "@svc/contract/outcome-status";
import { taskIdOf } from "../memory/tasks.ts";
import { isRecord } from "../relay/is-record.ts";
import type { Ending } from "../relay/pending-answer.ts";

/** The outcome to report for a call; null when nobody knows it, so that the decision stays without one. */
export function outcomeOf(ending: Ending): OutcomeStatus | null {
  switch (ending.kind) {
    case "answered":
      return outcomeOfAnswer(ending.answer["result"]);
    case "not_executed":
      return "not_executed";
    case "refused":
      return "failed";
    case "stopped":
      return "revoked";
    case "unknown":
      return null;
  }
}

function outcomeOfAnswer(result: unknown): OutcomeStatus | null {
  if (!isRecord(result) || result["isError"] === true) return "failed";
  // The server waits for input, or continues in a task. The call has not ended in either case.
  const isOpen = result["resultType"] === "input_required" || taskIdOf(result) !== null;
  return isOpen ? null : "succeeded";
}
