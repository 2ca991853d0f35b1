import { StrictJsonError } from "./json-fault.ts";

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** The character that a backslash and this one stand for. */
export function simpleEscape(escaped: string, at: number): string {
  const character = ESCAPED.get(escaped);
  if (character === undefined) throw new StrictJsonError('one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u', at);
  return character;
}

const HEX4 = /^[0-9a-fA-F]{4}$/;

/** The UTF-16 unit that the six characters at `at` stand for. */
export function unicodeEscape(text: string, at: number): string {
  const digits = text.slice(at + 2, at + 6);
  if (!HEX4.test(digits)) throw new StrictJsonError("four hexadecimal digits after \\u", at);
  return String.fromCharCode(Number.parseInt(digits, 16));
}
