import type { PauseVerdict } from "@svc/contract/verdict";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { expect, it } from "vitest";
import { SvcApprovalRequired } from "./svc-approval-required.ts";

interface PauseVector {
  readonly description: string;
  readonly tool: string;
  readonly pause: Pick<PauseVerdict, "reason" | "reason_code" | "decision_id" | "approval_url">;
  readonly approval_id: string;
  readonly text: string;
}

it.each(loadVectors<PauseVector>("pauses"))("$description: says what the call waits for", (vector) => {
  const verdict: PauseVerdict = { decision: "pause", args_constrained: false, ...vector.pause };
  const paused = new SvcApprovalRequired(vector.tool, verdict);
  expect([paused.message, paused.approval_id]).toEqual([vector.text, vector.approval_id]);
});
