import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/read-fault.ts";
import { requireFile } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";
import { numberFaults } from "./exact-numbers.ts";
import { isJsonValue } from "./is-json-value.ts";
import { type Action, parseAction } from "./mock-schema.ts";

/** Largest file of cases in bytes: some hundred thousand cases. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Most faults of a file that are listed, as count. */
const MAX_FAULTS = 20;

/** Where something stands in a file, both counting from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface MockAction extends Position {
  readonly action: Action;
}

export interface MockFile {
  readonly file: string;
  readonly text: string;
  readonly actions: readonly MockAction[];
}

/** Reads a list of actions, in JSON or YAML. @throws CommandFailure `usage` that names every fault */
export async function readMockFile(file: string, terminal: Terminal): Promise<MockFile> {
  return parseMockFile(file, await readText(file, terminal));
}

/** @throws CommandFailure `usage` that names every fault */
export function parseMockFile(file: string, text: string): MockFile {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: "core",
    merge: false,
    logLevel: "silent",
  });
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const [syntax] = document.errors;
  if (syntax !== undefined)
    throw new CommandFailure("usage", `${at(file, positionAt(syntax.pos[0]))}: ${oneLine(syntax.message)}`);
  refuseOtherNumbers(document, (offset) => at(file, positionAt(offset)));
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (!Array.isArray(value) || !value.every(isJsonValue) || value.length === 0)
    throw new CommandFailure("usage", `${file}: expected a list of at least one action`);
  const faults: string[] = [];
  const actions = value.flatMap((item, number): readonly MockAction[] => {
    const parsed = parseAction(item);
    if (parsed.ok) return [{ action: parsed.value, ...positionAt(offsetOf(document, [number])) }];
    for (const { pointer, expected, found, fix } of parsed.errors) {
      const path = pointer.split("/").slice(1);
      const place = at(file, positionAt(offsetOf(document, [number, ...path])));
      const hint = fix === undefined ? "" : `; ${fix}`;
      faults.push(`${place}: ${path.join(".") || "the action"}: expected ${expected}, found ${found}${hint}`);
    }
    return [];
  });
  if (faults.length > 0) throw new CommandFailure("usage", faults.slice(0, MAX_FAULTS).join("\n"));
  return { file, text, actions };
}

/** A gateway refuses them, so a test of them would be one of another call. @throws CommandFailure `usage` */
function refuseOtherNumbers(document: Document, placeOf: (offset: number) => string): void {
  const faults = numberFaults(document).map(
    ({ path: [, ...path], offset, expected, found }) =>
      `${placeOf(offset)}: ${path.join(".") || "the action"}: expected ${expected}, found ${found}`,
  );
  if (faults.length > 0) throw new CommandFailure("usage", faults.slice(0, MAX_FAULTS).join("\n"));
}

async function readText(file: string, terminal: Terminal): Promise<string> {
  try {
    const bytes = await readFile(requireFile(resolve(terminal.workingDirectory, file)));
    if (bytes.length > MAX_BYTES) throw new Error(`more than ${String(MAX_BYTES)} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CommandFailure("usage", `${file}: expected a file of test cases: ${readFault(error)}`, error);
  }
}

/** Of the nearest thing that exists: a missing member has no place of its own. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function at(file: string, { line, column }: Position): string {
  return `${file}:${String(line)}:${String(column)}`;
}

function oneLine(message: string): string {
  return message.split("\n")[0] ?? "";
}
