import { compileAtOnce } from "@svc/engine/compile-document";
import { decidingDocument } from "@svc/engine/document-parts";
import type { Compilation } from "@svc/engine/testing/compile-policy";
import { readExamined } from "../read-examined.ts";

/** Compiles a document as a gateway does, with the findings that its author is told. */
export function compileExamined(source: string, file?: string): Compilation {
  const reading = readExamined(source, file === undefined ? {} : { file });
  if (!reading.ok) return reading;
  return { ok: true, policy: compileAtOnce(decidingDocument(reading.document)), warnings: reading.warnings };
}
