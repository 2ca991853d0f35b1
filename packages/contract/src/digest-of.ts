import { hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";
import type { JsonValue } from "./json-value.ts";

/** `sha256:` and the hex digest of a value's canonical JSON in UTF-8. Equal values have equal digests. */
export function digestOf(value: JsonValue): string {
  return `sha256:${hash("sha256", canonicalJson(value))}`;
}
