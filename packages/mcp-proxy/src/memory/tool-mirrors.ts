import { MAX_MIRRORED_TOOLS } from "../limits.ts";
import { isRecord } from "../relay/is-record.ts";

/** A header in which clients repeat an argument of a tool. */
export interface Mirror {
  /** `Mcp-Param-Region` */
  readonly header: string;
  readonly path: readonly string[];
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;

/** Deepest property that is read, in levels: arguments cannot be deeper either. */
const MAX_DEPTH = 64;

/**
 * Which arguments of which tools are repeated in headers, learned from the lists of tools that pass. A wrong
 * entry does no harm: a server that reads the headers compares them with the body and refuses the call.
 */
export class ToolMirrors {
  readonly #byTool = new Map<string, readonly Mirror[]>();

  /** Undefined when no list with this tool has passed. */
  of(tool: string): readonly Mirror[] | undefined {
    return this.#byTool.get(tool);
  }

  /** @param result of a tools/list, unchecked */
  learn(result: unknown): void {
    const tools = isRecord(result) ? result["tools"] : undefined;
    if (!Array.isArray(tools)) return;
    for (const tool of tools as unknown[]) {
      if (!isRecord(tool) || typeof tool["name"] !== "string") continue;
      this.#byTool.delete(tool["name"]);
      this.#byTool.set(tool["name"], mirrorsIn(tool["inputSchema"], []));
    }
    for (const name of this.#byTool.keys()) {
      if (this.#byTool.size <= MAX_MIRRORED_TOOLS) break;
      this.#byTool.delete(name);
    }
  }
}

/** Only arguments that a chain of `properties` leads to can be repeated in a header. */
function mirrorsIn(schema: unknown, path: readonly string[]): readonly Mirror[] {
  if (!isRecord(schema) || path.length > MAX_DEPTH) return [];
  const name = schema["x-mcp-header"];
  const own =
    typeof name === "string" && TOKEN.test(name) && path.length > 0
      ? [{ header: `Mcp-Param-${name}`, path }]
      : [];
  const { properties } = schema;
  if (!isRecord(properties)) return own;
  return [...own, ...Object.entries(properties).flatMap(([key, inner]) => mirrorsIn(inner, [...path, key]))];
}
