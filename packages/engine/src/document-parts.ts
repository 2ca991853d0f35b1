import { parseJson } from "@svc/text/parse-json";
import { compileDocument, type DecidingDocument } from "./compile-document.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import type { Evaluator } from "./evaluation.ts";
import type { PolicyDocument, PolicyModule, RuleBody } from "./policy-document.ts";

/**
 * A valid document as texts of JSON that cross threads: compiled policies are closures and cannot. In parts,
 * so that the thread that compiles them need not parse all of them at a time.
 */
export interface DocumentParts {
  readonly head: string;
  /** One text for each rule. */
  readonly rules: readonly string[];
  readonly rego: PolicyModule | null;
}

type HeadPart = Omit<DecidingDocument, "rules" | "rego">;

export function partsOf(document: PolicyDocument): DocumentParts {
  const { head, allowed, denied, readOnly, rules, rego } = decidingDocument(document);
  const part: HeadPart = { head, allowed, denied, readOnly };
  return { head: JSON.stringify(part), rules: Array.from(rules, (rule) => JSON.stringify(rule)), rego };
}

/** Compiles what `partsOf` made, one rule a step. @param evaluators as `compileDocument` takes them */
export function compileParts(
  { head, rules, rego }: DocumentParts,
  evaluators: readonly Evaluator[] = [],
): Generator<undefined, CompiledPolicy> {
  const document = { ...(parseJson(head) as HeadPart), rules: parsedRules(rules), rego };
  return compileDocument(document, evaluators);
}

function* parsedRules(texts: readonly string[]): Generator<RuleBody> {
  for (const text of texts) yield parseJson(text) as RuleBody;
}

/** The document without the places in its text. */
export function decidingDocument(document: PolicyDocument): DecidingDocument {
  const {
    allowed,
    denied,
    readOnly,
    detectors: _own,
    namedGuardrails: _named,
    rules,
    rego,
    ...head
  } = document;
  return {
    head,
    allowed: allowed.map(({ glob }) => glob),
    denied: denied.map(({ glob }) => glob),
    readOnly: readOnly.map(({ glob }) => glob),
    rules: rules.map(({ place: _place, ...rule }) => rule),
    rego: rego === null ? null : { text: rego.text, data: rego.data, workflow: rego.workflow },
  };
}
