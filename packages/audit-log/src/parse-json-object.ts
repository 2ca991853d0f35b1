import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";

/** The object that a stored text holds; null when the text is not JSON or holds something else. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value = parseJson(text) as JsonValue;
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
