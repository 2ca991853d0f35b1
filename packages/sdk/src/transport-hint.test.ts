import { loadVectors } from "@svc/text/testing/vectors-suite";
import { expect, it } from "vitest";
import { transportHint } from "./transport-hint.ts";

interface HintVector {
  readonly description: string;
  readonly code: string;
  readonly base_url: string;
  readonly retryable: boolean;
  readonly hint: string;
}

it.each(loadVectors<HintVector>("transport-hints"))("$description: says what to do", (vector) => {
  const { code, base_url, hint, retryable } = vector;
  expect(transportHint(base_url, code)).toEqual({ hint, retryable });
});
