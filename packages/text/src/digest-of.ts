import { sha256 } from "#sha256";
import { canonicalJson } from "./canonical-json.ts";
import type { JsonValue } from "./json-value.ts";

/** `sha256:` and the hex digest of a value's canonical JSON in UTF-8. Equal values have equal digests. */
export function digestOf(value: JsonValue): string {
  return digestOfText(canonicalJson(value));
}

/** The same of a text that is at hand already. */
export function digestOfText(text: string): string {
  return `sha256:${sha256(text)}`;
}
