import type { JsonObject } from "@svc/text/json-value";
import { loadVectors } from "@svc/text/testing/vectors-suite";
import { describe, expect, it } from "vitest";
import { idempotencyKeyOf } from "./call.ts";

interface KeyVector {
  readonly description: string;
  readonly session_id: string | null;
  readonly call_id: string;
  readonly args: JsonObject;
  readonly key: string;
}

const cases = loadVectors<KeyVector>("idempotency-keys");

describe("the key of a call that a framework names", () => {
  it.each(cases)("$description", async ({ session_id, call_id, args, key }) => {
    expect(await idempotencyKeyOf(session_id, call_id, args)).toBe(key);
  });
});
