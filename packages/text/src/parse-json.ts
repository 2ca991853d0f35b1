import { StrictJsonParser } from "./strict-json-parser.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Levels of a text with escaped names: far more than strict JSON has, and few enough for the stack. */
const MAX_DEPTH = 500;

/**
 * `JSON.parse`, which V8 has wrong from Node 22 on (nodejs/node#63785): after an object with the name `\`, it
 * reads the name `"` as `\`, even if others sent the first one. Only names with escapes are concerned. A text
 * that has one is read by the strict reader, whose objects have no prototype.
 * @throws SyntaxError when the text is not JSON, or has escaped names and is not strict JSON
 */
export function parseJson(text: string): unknown {
  if (!text.includes("\\") || !hasEscapedName(text)) return JSON.parse(text);
  const read = new StrictJsonParser(text, MAX_DEPTH).parse();
  if (read.ok) return read.value;
  const { expected, found, line, column } = read.fault;
  throw new SyntaxError(
    `expected ${expected}, found ${found}, at line ${String(line)}, column ${String(column)}`,
  );
}

/** Whether a member name has an escape. What it says of a text that is not JSON does not matter. */
function hasEscapedName(text: string): boolean {
  let at = text.indexOf('"');
  while (at !== -1) {
    let isEscaped = false;
    for (at += 1; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1) {
      if (text.charCodeAt(at) !== BACKSLASH) continue;
      isEscaped = true;
      at += 1;
    }
    at += 1;
    if (isEscaped && nextCode(text, at) === COLON) return true;
    at = text.indexOf('"', at);
  }
  return false;
}

/** The next character that is not white space. */
function nextCode(text: string, from: number): number {
  let at = from;
  while (" \t\n\r".includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charCodeAt(at);
}
