import type { Diagnostic } from "@svc/engine/diagnostic";
import type { ModuleCheck, ModuleChecker, ModuleProblem } from "@svc/engine/evaluator-factory";
import type { PlacedModule } from "@svc/engine/policy-document";
import type { PolicyReading } from "@svc/engine/read-policy";
import { Reporter } from "@svc/engine/reporter";
import { ScalarPlaces } from "@svc/engine/scalar-places";
import type { DocumentCheck } from "./check-document.ts";

/** The module could not be checked now, which says nothing about it. */
export class ModuleUnchecked extends Error {
  override readonly name = "ModuleUnchecked";

  constructor({ found, fix }: Pick<ModuleProblem, "found" | "fix">) {
    super(`the Rego module of the policy could not be checked: ${found}. ${fix}`);
  }
}

/** A module, and the document that it stands in. */
export interface WrittenModule {
  readonly module: PlacedModule;
  readonly source: string;
  /** Names the source in findings; null: it has no name. */
  readonly file: string | null;
}

/** The module in what was read; null: there is none, or a fault is in it. */
export function moduleOf(reading: PolicyReading): PlacedModule | null {
  return reading.ok ? reading.document.rego : reading.module;
}

/**
 * Adds what Open Policy Agent says about the module of a document, at its lines and columns in the document.
 * Rejects with `ModuleUnchecked` when it says nothing.
 * @param check what is said about the rest of the document
 */
export async function checkModule(
  check: DocumentCheck,
  written: WrittenModule,
  modules: ModuleChecker,
): Promise<DocumentCheck> {
  if (check.kind === "not_json") return check;
  const { text, data } = written.module;
  const findings = moduleFindings(written, await modules.check({ text, data }));
  if (check.kind === "invalid") return { kind: "invalid", diagnostics: inOrder(check.diagnostics, findings) };
  const hasErrors = findings.some(({ severity }) => severity === "error");
  const all = inOrder(check.warnings, findings);
  if (!hasErrors) return { ...check, warnings: all };
  return { kind: "invalid", diagnostics: all };
}

function inOrder(found: readonly Diagnostic[], more: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...found, ...more].toSorted((one, other) => one.line - other.line || one.column - other.column);
}

function moduleFindings(
  { module: { text, workflow, place }, source, file }: WrittenModule,
  { problems, rules }: ModuleCheck,
): readonly Diagnostic[] {
  const places = new ScalarPlaces(source, place.offset, text);
  const reporter = new Reporter(source, file);
  reporter.readLines();
  const at = (index: number) => ({ pointer: place.pointer, offset: places.offsetOf(index) });
  for (const problem of problems) {
    if (problem.code === "rego/unchecked") throw new ModuleUnchecked(problem);
    const { code, message, expected, found, fix } = problem;
    reporter.report(code, at(indexOf(text, problem)), { message, expected, found, fix });
  }
  if (text.includes("#") && places.joinsLines)
    reporter.report("rego/joined-lines", at(text.indexOf("#")), JOINED_LINES);
  if (workflow === null && rules.includes("require_approval")) {
    const index = text.search(/\brequire_approval\b/);
    reporter.report("rego/no-workflow", at(Math.max(index, 0)), NO_WORKFLOW);
  }
  return reporter.diagnostics;
}

const NO_WORKFLOW = {
  message: "the module requires approvals, and the policy does not say who gives them",
  expected: "the id of a workflow beside the module",
  found: "a module without a workflow",
  fix: "write rego: as a mapping, with workflow: and the id of the workflow, and module: and the text",
};

const JOINED_LINES = {
  message: "YAML makes one line of several lines of this module, and a comment covers what follows it",
  expected: "a module whose lines stay lines",
  found: "a text whose lines YAML joins",
  fix: "write the module as a block that begins with |",
};

/** The place of a problem in the text, in UTF-16 units. */
function indexOf(text: string, { row, column }: Pick<ModuleProblem, "row" | "column">): number {
  const lines = text.split("\n");
  const start = lines.slice(0, row - 1).reduce((length, line) => length + line.length + 1, 0);
  const before = Array.from(lines[row - 1] ?? "").slice(0, column - 1);
  return Math.min(start + before.join("").length, text.length);
}
