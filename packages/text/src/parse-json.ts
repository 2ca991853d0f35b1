import { StrictJsonParser } from "./strict-json-parser.ts";

/** A member name with an escape in it. It may match more; what it finds is only read more slowly. */
const ESCAPED_NAME = /"[^"\\]*(?:\\.[^"\\]*)+"\s*:/s;

/** Levels of a text with escaped names: far more than strict JSON has, and few enough for the stack. */
const MAX_DEPTH = 500;

/**
 * `JSON.parse`, which V8 has wrong from Node 22 on (nodejs/node#63785): after an object with the name `\`, it
 * reads the name `"` as `\`, even if others sent the first one. Only names with escapes are concerned. A text
 * that has one is read by the strict reader, whose objects have no prototype.
 * @throws SyntaxError when the text is not JSON, or has escaped names and is not strict JSON
 */
export function parseJson(text: string): unknown {
  if (!text.includes("\\") || !ESCAPED_NAME.test(text)) return JSON.parse(text);
  const read = new StrictJsonParser(text, MAX_DEPTH).parse();
  if (read.ok) return read.value;
  const { expected, found, line, column } = read.fault;
  throw new SyntaxError(
    `expected ${expected}, found ${found}, at line ${String(line)}, column ${String(column)}`,
  );
}
