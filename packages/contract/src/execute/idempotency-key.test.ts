import { digestOf } from "@svc/text/digest-of";
import type { JsonObject } from "@svc/text/json-value";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { describe, expect, it } from "vitest";
import { isIdempotencyKey } from "./idempotency-key.ts";

describe("idempotency keys", () => {
  it.each(["a", "0", "~!", "6f1c2c1e-5c1b-4b8e-9c55-0d5c6c6f1c2c", "a,b", "x".repeat(128)])(
    "E18: %j is one",
    (text) => {
      expect(isIdempotencyKey(text)).toBe(true);
    },
  );

  it.each([
    "",
    " ",
    "a b",
    " a",
    "a ",
    "a\n",
    "a\t",
    "a\u0000",
    "\u007f",
    "\u00e9",
    "\u212a",
    "x".repeat(129),
  ])("E18: %j is none", (text) => {
    expect(isIdempotencyKey(text)).toBe(false);
  });
});

interface KeyVector {
  readonly description: string;
  readonly session_id: string | null;
  readonly call_id: string;
  readonly args: JsonObject;
  readonly key: string;
}

describe("the keys with which client libraries name repeated calls", () => {
  it.each(loadVectors<KeyVector>("idempotency-keys"))("$description", (vector) => {
    const { session_id, call_id, args, key } = vector;
    expect(digestOf(["svc-call-1", session_id, call_id, digestOf(args)])).toBe(key);
    expect(isIdempotencyKey(key)).toBe(true);
  });
});
