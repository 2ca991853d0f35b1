import { MAX_GUARDRAILS_PER_ORG } from "@svc/contract/guardrail-limits";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import type { Diagnostic } from "../diagnostic.ts";
import { plainValue } from "../read/plain-value.ts";
import { readSource } from "../read/read-source.ts";
import { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { expectAtMost, expectMap } from "../validate/expect.ts";
import { PatternBudget } from "../validate/pattern-budget.ts";
import { examineGuardrail } from "./examine-guardrail.ts";
import type { Guardrail } from "./guardrail.ts";
import { expectGuardrailId, validateGuardrail, type WrittenGuardrail } from "./validate-guardrail.ts";

export type GuardrailReading<Value> =
  | { readonly ok: true; readonly value: Value; readonly warnings: readonly Diagnostic[] }
  /** At least one. */
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Reads one guardrail without its id, and tries its samples. Never throws, whatever the text. */
export function readGuardrail(source: string): GuardrailReading<WrittenGuardrail> {
  return reading(source, null, (root, reporter) => {
    const written = validateGuardrail(root, new PatternBudget(), reporter);
    if (written !== null) examineGuardrail(root, written, reporter);
    return written;
  });
}

export interface GuardrailFile {
  readonly guardrails: readonly Guardrail[];
  /** The file as JSON. */
  readonly written: JsonObject;
}

/** Reads a file of guardrails by their ids, and tries their samples. Never throws, whatever the text. */
export function readGuardrails(source: string, file: string): GuardrailReading<GuardrailFile> {
  return reading(source, file, (root, reporter) => {
    const map = expectMap(root, "a mapping of ids to guardrails", reporter);
    if (map === null) return null;
    const items = map.entries.map(({ value }) => value);
    if (!expectAtMost({ ...map, kind: "list", items }, MAX_GUARDRAILS_PER_ORG, reporter, FEWER)) return null;
    const guardrails = map.entries.flatMap(({ key, keyOffset, value }) => {
      expectGuardrailId({ ...value, offset: keyOffset }, key, reporter);
      const written = validateGuardrail(value, new PatternBudget(), reporter);
      if (written !== null) examineGuardrail(value, written, reporter);
      return written === null ? [] : [decidingPart(key, 0, written)];
    });
    const written = plainValue(root);
    return isJsonObject(written) ? { guardrails, written } : null;
  });
}

const FEWER = "remove guardrails that no policy names";

/** A guardrail without what is for people and for tests alone. */
export function decidingPart(id: string, version: number, written: WrittenGuardrail): Guardrail {
  const { detectors, patterns, allow } = written;
  return {
    id,
    version,
    detectors,
    patterns: patterns.map(({ name, matches }) => ({ name, matches })),
    allow,
  };
}

function reading<Value>(
  source: string,
  file: string | null,
  validate: (root: SourceNode, reporter: Reporter) => Value | null,
): GuardrailReading<Value> {
  const reporter = new Reporter(source, file);
  const root = readSource(source, reporter);
  const value = root === null ? null : validate(root, reporter);
  if (value === null || reporter.hasErrors) return { ok: false, diagnostics: reporter.diagnostics };
  return { ok: true, value, warnings: reporter.diagnostics };
}
