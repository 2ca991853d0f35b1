import type { JsonValue } from "@svc/text/json-value";
import { pointerTo, type SourceNode } from "./source-node.ts";

/** A value without a text of its own as the tree that is validated. All its places are the beginning. */
export function jsonTree(value: JsonValue, pointer = ""): SourceNode {
  const place = { pointer, offset: 0 };
  if (typeof value !== "object" || value === null)
    return { kind: "scalar", value, text: String(value), ...place };
  if (isArray(value)) {
    return { kind: "list", items: value.map((item, at) => jsonTree(item, pointerTo(pointer, at))), ...place };
  }
  const entries = Object.entries(value).map(([key, member]) => ({
    key,
    keyOffset: 0,
    value: jsonTree(member, pointerTo(pointer, key)),
  }));
  return { kind: "map", entries, isEmpty: entries.length === 0, ...place };
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
