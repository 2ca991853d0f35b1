import { loadVectors } from "@svc/text/testing/vectors-suite";
import { expect, it } from "vitest";
import { isRetryable, repeatOf } from "./retryable.ts";
import { REASON_CODES } from "./verdict.ts";

it("the vector of reason codes has every code in its order, and what repeating can do", () => {
  const cases = REASON_CODES.map((code) => ({ code, retryable: isRetryable(code), repeat: repeatOf(code) }));
  expect(loadVectors("reason-codes")).toEqual(cases);
});
