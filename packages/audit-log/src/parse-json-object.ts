import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";

/** The object that a stored text holds; null when the text is not JSON or holds something else. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
