import type { JsonFault } from "@svc/text/strict-json";
import type { Diagnostic } from "./diagnostic.ts";
import { excerptAt } from "./read/excerpt.ts";

/** A document that came as JSON and is not strict JSON, as a finding at its place. */
export function jsonFaultDiagnostic(
  file: string,
  source: string,
  { line, column, expected, found }: JsonFault,
): Diagnostic {
  return {
    severity: "error",
    code: "policy/syntax",
    pointer: "",
    file,
    line,
    column,
    excerpt: excerptAt(source.split(/\r\n|\n|\r/)[line - 1] ?? "", column),
    message: "the document is not strict JSON",
    expected,
    found,
    fix: "write strict JSON, or give the file the ending .yaml",
    related: null,
    witness: null,
  };
}
