import { digestOf } from "@svc/contract/digest-of";
import { isIdentifier } from "@svc/contract/identifier";
import type { JsonValue } from "@svc/contract/json-value";
import { isRecord } from "../relay/is-record.ts";
import { MAX_PINNED_TOOLS } from "../limits.ts";

/** What a client or its model goes by when it chooses a tool. Icons and `_meta` are not in it. */
const DEFINITION = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** Deepest definition that is looked at, in levels: arguments themselves cannot be deeper. */
const MAX_DEPTH = 64;

/** A definition that cannot be told from another one: it is never the same as the one seen first. */
const INDISTINCT = "none";

/** What is kept of a tool. */
export interface ToolPin {
  /** Of the definition seen first, or INDISTINCT. */
  readonly digest: string;
  /** Whether another one was seen since. It stays so: a client may have read the other one. */
  readonly isChanged: boolean;
}

export interface ToolPinsPorts {
  /** Told once for each tool whose definition is not the one seen first. */
  readonly onChanged: (tool: string) => void;
  /** Told of each tool that is seen for the first time, and again when it changed. */
  readonly onPinned: (tool: string, pin: ToolPin) => void;
  /** Pins from before, by tool. */
  readonly known: ReadonlyMap<string, ToolPin>;
}

/**
 * The definition of each tool as it was seen first, in the lists of tools that pass by. Nothing is forgotten
 * for want of room, since a server could make room: past MAX_PINNED_TOOLS new ones count as changed.
 */
export class ToolPins {
  readonly #pins: Map<string, ToolPin>;
  readonly #ports: ToolPinsPorts;

  constructor(ports: ToolPinsPorts) {
    this.#ports = ports;
    this.#pins = new Map(ports.known);
  }

  /** Whether another definition than the first was seen. False for what was in no list. */
  isChanged(tool: string): boolean {
    return this.#pins.get(tool)?.isChanged ?? this.#pins.size >= MAX_PINNED_TOOLS;
  }

  /** False past MAX_PINNED_TOOLS for new ones, and for what was in no list. */
  isPinned(tool: string): boolean {
    return this.#pins.has(tool);
  }

  /** @param result of a tools/list, unchecked */
  learn(result: unknown): void {
    const tools = isRecord(result) ? result["tools"] : undefined;
    if (!Array.isArray(tools)) return;
    for (const tool of tools as unknown[]) {
      // A name that is no identifier is denied when it is called.
      if (isRecord(tool) && typeof tool["name"] === "string" && isIdentifier(tool["name"]))
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
