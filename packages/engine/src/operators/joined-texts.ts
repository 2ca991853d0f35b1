import type { JsonValue } from "@svc/text/json-value";

/** What tools write between the members of a list that they join. */
const SEPARATORS = ["", " "] as const;

/** The texts that a tool may make of a list of texts; none when joining adds nothing. */
export function joinedTexts(items: readonly JsonValue[]): readonly string[] {
  if (items.length < 2) return [];
  const texts = items.filter((item) => typeof item === "string");
  return texts.length < 2 ? [] : SEPARATORS.map((separator) => texts.join(separator));
}
