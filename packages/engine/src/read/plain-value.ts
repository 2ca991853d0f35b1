import type { JsonValue } from "@svc/text/json-value";
import type { SourceNode } from "./source-node.ts";

/** The value as frozen JSON, without its places. */
export function plainValue(node: SourceNode): JsonValue {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return Object.freeze(node.items.map(plainValue));
    case "map":
      return Object.freeze(
        Object.fromEntries(node.entries.map(({ key, value }) => [key, plainValue(value)])),
      );
  }
}
