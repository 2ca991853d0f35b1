import type { SourceNode } from "../read/source-node.ts";

const WORDS: ReadonlyMap<string, string> = new Map([
  ["yes", "true"],
  ["on", "true"],
  ["true", "true"],
  ["no", "false"],
  ["off", "false"],
  ["false", "false"],
]);

/** What to write in place of a value of the wrong type. `expected` is the phrase that the finding shows. */
export function fixType(node: SourceNode, expected: string): string {
  if (node.kind !== "scalar")
    return node.kind === "map" && expected === A_LIST_OF_RULES ? AS_LIST : write(expected);
  const { value, text } = node;
  if (value === null || value === "") return write(expected);
  if (expected.includes("true or false")) {
    const word = WORDS.get(String(value).toLowerCase());
    return word === undefined ? write(expected) : `write ${word} without quotes`;
  }
  if (typeof value === "string" && expected.includes("number") && isNumeric(value)) {
    return `remove the quotes: ${value.trim()}`;
  }
  if (typeof value === "string" && expected.includes("number") && /^-?[0-9]+,[0-9]+$/.test(value)) {
    return `write a point instead of the comma: ${value.replace(",", ".")}`;
  }
  if (expected.startsWith("a list")) return `write a list: [${text}]`;
  if (typeof value !== "string" && /text|identifier|glob|name/.test(expected))
    return `put it in quotes: "${text}"`;
  return write(expected);
}

export const A_LIST_OF_RULES = "a list of rules";

const AS_LIST = "put a dash in front of each rule, and its name under id: - id: ...";

function isNumeric(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

function write(expected: string): string {
  return `write ${expected}`;
}
