import { resolve } from "node:path";
import { maskSecretsInText } from "@svc/engine/mask-secrets";
import type { JsonValue } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import { applyEdits, findNodeAtLocation, modify, parseTree } from "jsonc-parser";
import { type Document, isMap, parseDocument } from "yaml";
import { confirm } from "../frame/confirm.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { replaceFile } from "../frame/files.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { lineDiff } from "../hook/install/line-diff.ts";
import { type MockFile, parseMockFile, readMockFile } from "./read-mock-file.ts";
import type { CaseResult } from "./run-cases.ts";
import type { TestCase } from "./test-case.ts";

interface Updating {
  readonly mock: MockFile;
  /** All cases of the file, in its order. */
  readonly cases: readonly TestCase[];
  /** Those that may change. */
  readonly results: readonly CaseResult[];
  /** Runs the cases of the changed file. */
  readonly decide: (updated: MockFile) => Promise<readonly CaseResult[]>;
}

interface UpdateOptions extends OutputOptions {
  readonly yes: boolean;
}

/** One member of `expect` of a case that is to be set. */
interface Edit {
  readonly path: readonly [number, "expect", string] | readonly [number, "expect"];
  readonly value: JsonValue;
}

/**
 * Writes into the file of cases what they get: the expectation of a case that has none, and the members that
 * are not met of one that fails. The rest of the file stays as it is. @throws CommandFailure
 */
export async function updateExpectations(
  { mock, cases, results, decide }: Updating,
  options: UpdateOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const edits = results.flatMap((result) => editsOf(cases.indexOf(result.test), result));
  const text = edits.length === 0 ? mock.text : withEdits(mock, edits);
  requireAllMet(await decide(parseMockFile(mock.file, text)), results);
  const [added, changed] = ["shown", "failed"].map(
    (outcome) => results.filter((result) => result.outcome === outcome).length,
  );
  if (text !== mock.text) {
    // What a command prints ends up in logs, and the lines around a change hold arguments.
    output.note(maskSecretsInText(lineDiff(mock.text, text)));
    const mayWrite = changed === 0 || options.yes || (await confirm("Expect this from now on?", terminal));
    if (!mayWrite) throw new CommandFailure("failed", `${mock.file} was not changed`);
    if ((await readMockFile(mock.file, terminal)).text !== mock.text)
      throw new CommandFailure("usage", `${mock.file}: it changed meanwhile. Run the command again.`);
    replaceFile(resolve(terminal.workingDirectory, mock.file), text);
  }
  output.result({
    text: `${mock.file}: ${String(added)} expectations added, ${String(changed)} changed\n`,
    schema: "svc.cli.test-update/v1",
    json: { file: mock.file, added: added ?? 0, changed: changed ?? 0 },
  });
  return "ok";
}

function editsOf(at: number, result: CaseResult): readonly Edit[] {
  const { outcome, mismatches, verdict } = result;
  switch (outcome) {
    case "passed":
      return [];
    case "shown": {
      const { decision, rule_id, reason_code } = verdict;
      const because = rule_id === null ? { reason_code } : { rule_id };
      const value = { decision, ...(decision === "allow" ? {} : because), ...shapedOf(result) };
      return [{ path: [at, "expect"], value }];
    }
    case "failed":
      return mismatches.map(({ member }) => ({
        path: [at, "expect", member],
        value: member === "shaped_args" ? result.shapedArgs : verdict[member],
      }));
  }
}

function shapedOf({ shapedArgs }: CaseResult): { readonly shaped_args?: JsonValue } {
  return shapedArgs === null ? {} : { shaped_args: shapedArgs };
}

/** Calls of one repeated case can end differently: no expectation says so. @throws CommandFailure */
function requireAllMet(after: readonly CaseResult[], results: readonly CaseResult[]): void {
  const names = new Set(results.map(({ test }) => test.name));
  const unmet = after.find(({ outcome, test }) => outcome === "failed" && names.has(test.name));
  if (unmet === undefined) return;
  throw new CommandFailure(
    "failed",
    `${unmet.test.name}: its ${String(unmet.test.repeat)} calls do not end alike, so no expectation fits. ` +
      "Nothing was written: make two cases of it",
  );
}

function withEdits({ text }: MockFile, edits: readonly Edit[]): string {
  return isJson(text) ? withJsonEdits(text, edits) : withYamlEdits(text, edits);
}

/** A file whose name ends in .json may hold YAML, too, such as comments. */
function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

function withJsonEdits(text: string, edits: readonly Edit[]): string {
  const inLines = { insertSpaces: true, tabSize: 2, eol: text.includes("\r\n") ? "\r\n" : "\n" };
  return edits.reduce((before, { path, value }) => {
    const formattingOptions = isInOneLine(before, path[0]) ? {} : { formattingOptions: inLines };
    return applyEdits(before, modify(before, [...path], value, formattingOptions));
  }, text);
}

/** A case in one line stays in one line. */
function isInOneLine(text: string, at: number): boolean {
  const root = parseTree(text);
  const node = root === undefined ? undefined : findNodeAtLocation(root, [at]);
  return node !== undefined && !text.slice(node.offset, node.offset + node.length).includes("\n");
}

function withYamlEdits(text: string, edits: readonly Edit[]): string {
  const document: Document = parseDocument(text, { schema: "core", merge: false, logLevel: "silent" });
  for (const { path, value } of edits) {
    const node = document.createNode(value, { flow: path.length > 2 });
    const parent: unknown = document.getIn(path.slice(0, -1), true);
    if (isMap(node) && isMap(parent)) node.flow = parent.flow === true;
    document.setIn(path, node);
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}
