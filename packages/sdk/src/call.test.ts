import { readFileSync } from "node:fs";
import type { JsonObject } from "@svc/contract/json-value";
import { describe, expect, it } from "vitest";
import { idempotencyKeyOf } from "./call.ts";

interface KeyVector {
  readonly description: string;
  readonly session_id: string | null;
  readonly call_id: string;
  readonly args: JsonObject;
  readonly key: string;
}

const file = new URL("../../contract/vectors/idempotency-keys.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly KeyVector[] };

describe("the key of a call that a framework names", () => {
  it.each(cases)("$description", async ({ session_id, call_id, args, key }) => {
    expect(await idempotencyKeyOf(session_id, call_id, args)).toBe(key);
  });
});
