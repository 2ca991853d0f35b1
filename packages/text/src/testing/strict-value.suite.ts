import type { JsonValue } from "../json-value.ts";
import { parseStrictJsonText } from "../strict-json-text.ts";

/** The value of a text that is known to be strict JSON. */
export function strictValue(text: string): JsonValue {
  const result = parseStrictJsonText(text);
  if (!result.ok) throw new Error(`not strict JSON: ${JSON.stringify(result.fault)}`);
  return result.value;
}
