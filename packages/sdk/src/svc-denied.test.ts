import type { DenyVerdict } from "@svc/contract/verdict";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { expect, it } from "vitest";
import { SvcDenied } from "./svc-denied.ts";

interface DenialVector {
  readonly description: string;
  readonly tool: string;
  readonly deny: Pick<DenyVerdict, "reason" | "reason_code" | "fail_closed">;
  readonly retryable: boolean;
  readonly text: string;
}

it.each(loadVectors<DenialVector>("denials"))("$description: says whether repeating helps", (vector) => {
  const verdict: DenyVerdict = { decision: "deny", args_constrained: false, ...vector.deny };
  const denied = new SvcDenied(vector.tool, verdict);
  expect([denied.message, denied.retryable]).toEqual([vector.text, vector.retryable]);
});
