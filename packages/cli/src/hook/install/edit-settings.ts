import type { JsonValue } from "@svc/text/json-value";
import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  type ModificationOptions,
  modify,
  parseTree,
} from "jsonc-parser";

/** Spaces of a step; `none`: the file is one line, and stays one. */
type Indent = number | "tab" | "none";

/** The text with this value at the path, or without what stands there; all else keeps its spelling. */
export function editSettings(
  text: string,
  path: JSONPath,
  value: JsonValue | undefined,
  indent: Indent,
): string {
  const isArrayInsertion = path.at(-1) === -1;
  const source = text.trim() === "" ? "{}\n" : text;
  const last = value === undefined ? withoutLast(source, path) : null;
  if (last !== null) return last;
  return applyEdits(source, modify(source, path, value, { ...formattingOf(indent), isArrayInsertion }));
}

/**
 * The text without the last of several elements of a list; null where the path names something else. The
 * library takes a character too many away where nothing stands between the element and the end of its list.
 */
function withoutLast(text: string, path: JSONPath): string | null {
  const tree = parseTree(text);
  const list = tree && findNodeAtLocation(tree, path)?.parent;
  const [before, last] = list?.type === "array" ? (list.children ?? []).slice(-2) : [];
  if (before === undefined || last === undefined) return null;
  if (path.at(-1) !== (list?.children?.length ?? 0) - 1) return null;
  return text.slice(0, before.offset + before.length) + text.slice(last.offset + last.length);
}

function formattingOf(indent: Indent): ModificationOptions {
  switch (indent) {
    case "none":
      return {};
    case "tab":
      return { formattingOptions: { insertSpaces: false, tabSize: 4 } };
    default:
      return { formattingOptions: { insertSpaces: true, tabSize: indent } };
  }
}

/** How the file is indented: two spaces where it does not say. */
export function indentOf(text: string): Indent {
  if (/^\{.*[^\s{].*\}\s*$/.test(text)) return "none";
  const [, indent = "  "] = /^([ \t]+)"/m.exec(text) ?? [];
  return indent.startsWith("\t") ? "tab" : indent.length;
}
