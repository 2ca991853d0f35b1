import type { JsonObject } from "@svc/contract/json-value";
import { describe, expect, it } from "vitest";
import { idempotencyKeyOf } from "./call.ts";
import { loadVectors } from "./vectors.suite.ts";

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
