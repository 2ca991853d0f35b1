import type { JsonValue } from "@svc/text/json-value";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { CommandFailure } from "./exit-code.ts";

/** The JSON that a person gave. @throws CommandFailure `usage` */
export function parseJsonInput(name: string, text: string): JsonValue {
  const json = parseStrictJsonText(text);
  if (json.ok) return json.value;
  const { line, column, expected, found } = json.fault;
  // What is not JSON at all may be the file of a key.
  const isOther = !/^\s*[{["]/.test(text);
  const shown = isOther ? `another text of ${String(text.length)} characters (not shown)` : found;
  const place = `${name}:${String(line)}:${String(column)}`;
  throw new CommandFailure("usage", `${place}: not strict JSON: expected ${expected}, found ${shown}`);
}
