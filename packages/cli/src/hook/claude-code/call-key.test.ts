import { readFileSync } from "node:fs";
import type { JsonObject } from "@svc/text/json-value";
import { expect, it } from "vitest";
import { callKeyOf } from "./hook-options.ts";

interface KeyVector {
  readonly description: string;
  readonly session_id: string | null;
  readonly call_id: string;
  readonly args: JsonObject;
  readonly key: string;
}

const file = new URL("../../../../contract/vectors/idempotency-keys.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(file, "utf8")) as { readonly cases: readonly KeyVector[] };

it.each(cases)("$description", ({ session_id, call_id, args, key }) => {
  expect(callKeyOf(session_id, call_id, args)).toBe(key);
});
