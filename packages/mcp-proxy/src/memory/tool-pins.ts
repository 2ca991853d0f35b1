import { isName } from "@svc/contract/name";
import { digestOf } from "@svc/text/digest-of";
import type { JsonValue } from "@svc/text/json-value";
import { MAX_PINNED_TOOLS } from "../limits.ts";
import { isRecord } from "../relay/is-record.ts";

/** What a client or its model reads to choose a tool. Icons and `_meta` are left out. */
const DEFINITION = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** Deepest definition that is compared, in levels: arguments cannot be deeper either. */
const MAX_DEPTH = 64;

/** The digest of a definition that is too deep to compare. It never equals another one. */
const INDISTINCT = "none";

/** What is remembered of a tool. */
export interface ToolPin {
  /** The digest of the definition seen first, or INDISTINCT. */
  readonly digest: string;
  /** Whether another definition was seen since. It stays true: a client may have read the other one. */
  readonly isChanged: boolean;
}

export interface ToolPinsPorts {
  /** Called once for each tool whose definition is not the one seen first. */
  readonly onChanged: (tool: string) => void;
  /** Called when a tool is seen for the first time, and again when its definition changes. */
  readonly onPinned: (tool: string, pin: ToolPin) => void;
  /** Pins from before the start, by tool. */
  readonly known: ReadonlyMap<string, ToolPin>;
}

/**
 * The first definition of each tool in the lists of tools that pass. A pin is never evicted, because a server
 * could force that with new tools. Past MAX_PINNED_TOOLS every new tool counts as changed.
 */
export class ToolPins {
  readonly #pins: Map<string, ToolPin>;
  readonly #ports: ToolPinsPorts;

  constructor(ports: ToolPinsPorts) {
    this.#ports = ports;
    this.#pins = new Map(ports.known);
  }

  /** Whether another definition than the first was seen. False for a tool that was in no list. */
  isChanged(tool: string): boolean {
    return this.#pins.get(tool)?.isChanged ?? this.#pins.size >= MAX_PINNED_TOOLS;
  }

  /** False for a tool that was in no list, and for a new one past MAX_PINNED_TOOLS. */
  isPinned(tool: string): boolean {
    return this.#pins.has(tool);
  }

  /** @param result of a tools/list, unchecked */
  learn(result: unknown): void {
    const tools = isRecord(result) ? result["tools"] : undefined;
    if (!Array.isArray(tools)) return;
    for (const tool of tools as unknown[]) {
      // A call of a tool whose name is not an identifier is denied anyway.
      if (isRecord(tool) && typeof tool["name"] === "string" && isName(tool["name"]))
        this.#see(tool["name"], digestOfTool(tool));
    }
  }

  #see(tool: string, digest: string): void {
    const pin = this.#pins.get(tool);
    if (pin === undefined) {
      if (this.#pins.size >= MAX_PINNED_TOOLS) return;
      this.#pin(tool, { digest, isChanged: digest === INDISTINCT });
    } else if (!pin.isChanged && pin.digest !== digest) {
      this.#pin(tool, { ...pin, isChanged: true });
    }
  }

  #pin(tool: string, pin: ToolPin): void {
    this.#pins.set(tool, pin);
    this.#ports.onPinned(tool, pin);
    if (pin.isChanged) this.#ports.onChanged(tool);
  }
}

function digestOfTool(tool: Readonly<Record<string, unknown>>): string {
  const entries = DEFINITION.filter((key) => Object.hasOwn(tool, key)).map(
    (key) => [key, tool[key]] as const,
  );
  if (!entries.every(([, value]) => isWithin(value, MAX_DEPTH))) return INDISTINCT;
  return digestOf(Object.fromEntries(entries) as JsonValue);
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}
