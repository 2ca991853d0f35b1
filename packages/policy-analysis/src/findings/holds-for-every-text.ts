import { RE2JS } from "re2js";

/** Longest pattern that is looked at, in UTF-16 units: nobody writes a longer one that matches nothing. */
const MAX_LENGTH = 100;

/** What may stand beside a place, as far as `^`, `$`, `\\b` and `\\B` tell it apart. */
const NEIGHBOURS = ["a", " ", "\n"];

/** Whether a pattern finds the empty text at the beginning of every text, or at the end of every text. */
export function holdsForEveryText(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH || pattern.includes("\\Q") || !RE2JS.compile(pattern).matches(""))
    return false;
  const beside = [`(?:${pattern})(?s:.)`, `(?s:.)(?:${pattern})`].map((text) => RE2JS.compile(text));
  return beside.some((regex) => NEIGHBOURS.every((text) => regex.matches(text)));
}
