import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { isName } from "@svc/contract/name";
import { isJsonObject, type JsonValue } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import type { ToolPin } from "./tool-pins.ts";

/** Largest file in bytes: MAX_PINNED_TOOLS names of at most 128 bytes, each with a digest. */
const MAX_PIN_FILE_BYTES = 4 * 1024 * 1024;

/** Follows the digest of a tool whose definition has changed since. */
const CHANGED = " changed";
const PIN = /^(?<digest>sha256:[0-9a-f]{64}|none(?= changed$))(?<changed> changed)?$/;

/** A file of pins that survives restarts. The proxy writes it; operators read it and remove entries. */
export interface PinFile {
  readonly known: ReadonlyMap<string, ToolPin>;
  /** Writes the whole file again, in the background. */
  add(tool: string, pin: ToolPin): void;
  /** Resolves when everything is written. */
  settled(): Promise<void>;
}

/**
 * Opens the file. A missing file counts as empty.
 * @param onError called when the file cannot be written, which is tried again with the next pin
 * @throws Error that says what is wrong with the file
 */
export function openPinFile(path: string, onError: (error: unknown) => void): PinFile {
  const known = parsePins(read(path));
  const pins = new Map(known);
  let writing: Promise<void> = Promise.resolve();
  let isDue = false;
  const write = async (): Promise<void> => {
    isDue = false;
    const text = JSON.stringify(
      { tools: Object.fromEntries([...pins].map(([tool, pin]) => [tool, textOf(pin)])) },
      null,
      2,
    );
    const aside = `${path}.new`;
    await writeFile(aside, `${text}\n`, { mode: 0o600, flush: true });
    await rename(aside, path);
  };
  return {
    known,
    add: (tool, pin) => {
      pins.set(tool, pin);
      if (isDue) return;
      isDue = true;
      writing = writing.then(write).catch(onError);
    },
    settled: () => writing,
  };
}

function read(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function textOf({ digest, isChanged }: ToolPin): string {
  return isChanged ? `${digest}${CHANGED}` : digest;
}

function parsePins(bytes: Buffer | null): ReadonlyMap<string, ToolPin> {
  if (bytes === null) return new Map();
  const json = parseStrictJson(bytes, MAX_PIN_FILE_BYTES);
  if (!json.ok) throw new Error(`expected ${json.fault.expected}, found ${json.fault.found}`);
  const tools = isJsonObject(json.value) ? json.value["tools"] : undefined;
  if (!isJsonObject(tools)) throw new Error('expected an object with the member "tools"');
  return new Map(Object.entries(tools).map(([tool, text]) => [tool, pinFor(tool, text)]));
}

function pinFor(tool: string, text: JsonValue): ToolPin {
  const groups = isName(tool) && typeof text === "string" ? PIN.exec(text)?.groups : undefined;
  const digest = groups?.["digest"];
  if (digest !== undefined) return { digest, isChanged: groups?.["changed"] !== undefined };
  throw new Error(`expected sha256: and 64 hexadecimal digits for ${JSON.stringify(tool)}`);
}
