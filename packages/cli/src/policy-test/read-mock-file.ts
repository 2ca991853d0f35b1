import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  EXPECTED_DECISIONS_TEXT,
  type ExpectedDecisions,
  isExpectedDecisions,
} from "@svc/contract/expected-decision";
import { nameSchema } from "@svc/contract/name-schema";
import { nearestField, parseWith } from "@svc/contract/parse-with";
import type { Parsed } from "@svc/contract/parsed";
import { REASON_CODES } from "@svc/contract/verdict";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { numberFault } from "@svc/text/strict-json-parser";
import { parseUsd, USD_EXPECTATION } from "@svc/text/usd";
import { type Document, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import { z } from "zod";
import { CommandFailure } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { requireFile } from "../frame/read-input.ts";
import type { Terminal } from "../frame/terminal.ts";

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

/** Most times that one case is repeated, as count: more is a mistyped number. */
const MAX_REPEAT = 10_000;
const REPEAT = `expected a whole number from 1 to ${MAX_REPEAT.toLocaleString("en-US")}`;

/** What a case says about the decision. A member that is left out may be anything. */
const expectSchema = z.strictObject(
  {
    decision: z
      .custom<ExpectedDecisions>(isExpectedDecisions, { error: `expected ${EXPECTED_DECISIONS_TEXT}` })
      .optional(),
    rule_id: z.string({ error: "expected the id of a rule, or null" }).nullable().optional(),
    reason: z.string({ error: "expected a text, or a /pattern/" }).optional(),
    reason_code: z
      .enum(REASON_CODES, { error: `expected one of ${REASON_CODES.join(", ")}` })
      .nullable()
      .optional(),
    shaped_args: jsonObject("an object, or null").nullable().optional(),
  },
  { error: "expected an object with decision, rule_id, reason, reason_code or shaped_args" },
);

const actionSchema = z.strictObject({
  name: z.string({ error: "expected a text" }).min(1, { error: "expected a text" }).optional(),
  agent_id: nameSchema.optional(),
  session_id: nameSchema.nullable().optional(),
  namespace: nameSchema.optional(),
  tool: nameSchema,
  args: jsonObject("an object").optional(),
  cost_usd: z
    .unknown()
    .optional()
    .refine((usd) => usd === undefined || parseUsd(usd) !== null, { error: `expected ${USD_EXPECTATION}` }),
  time: z.iso
    .datetime({ offset: true, error: "expected a time in RFC 3339, such as 2026-06-01T09:00:00Z" })
    .optional(),
  repeat: z.int({ error: REPEAT }).min(1, { error: REPEAT }).max(MAX_REPEAT, { error: REPEAT }).optional(),
  expect: expectSchema.optional(),
});

export type Action = Readonly<z.output<typeof actionSchema>>;
export type Expected = Readonly<z.output<typeof expectSchema>>;
const FIELDS = Object.keys(actionSchema.shape);

/** Reads one action of a file of test cases. Unknown fields are refused: a misspelt one must not pass. */
function parseAction(value: JsonValue): Parsed<Action> {
  return parseWith(actionSchema, value, nearestMember);
}

const inAction = nearestField(FIELDS);
const inExpect = nearestField(Object.keys(expectSchema.shape));
const nearestMember: typeof inAction = (path, found) =>
  path[0] === "expect" && path.length > 1 ? inExpect(path.slice(1), found) : inAction(path, found);
function jsonObject(what: string) {
  return z.custom<JsonObject>((value) => isJsonObject(value as JsonValue), { error: `expected ${what}` });
}

/** A number that a gateway refuses, or that another one would be tested in place of. */
interface NumberFault {
  /** From the beginning of the file, with the numbers of list items from 0. */
  readonly path: readonly string[];
  readonly offset: number;
  readonly expected: string;
  /** As it is written. */
  readonly found: string;
}

/** Numbers of a document in YAML or JSON that do not mean what is written there. */
function numberFaults(document: Document): readonly NumberFault[] {
  const faults: NumberFault[] = [];
  visit(document, {
    Scalar(_, node, above) {
      if (typeof node.value !== "number") return;
      const expected = numberFault(node.value);
      if (expected === null) return;
      const path = pathOf([...above, node]);
      faults.push({ path, offset: node.range?.[0] ?? 0, expected, found: node.source ?? String(node.value) });
    },
  });
  return faults;
}

function pathOf(nodes: readonly unknown[]): readonly string[] {
  return nodes.flatMap((node, index): readonly string[] => {
    if (isPair(node)) return [isScalar(node.key) ? String(node.key.value) : "?"];
    return isSeq(node) ? [String(node.items.indexOf(nodes[index + 1]))] : [];
  });
}

/** Whether a value that was read from YAML has nothing but what JSON has. */
function isJsonValue(value: unknown): value is JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJsonValue);
  return typeof value === "object" && Object.values(value).every(isJsonValue);
}
