import { compileDocument, type DecidingDocument } from "./compile-document.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import type { PolicyDocument, RuleBody } from "./policy-document.ts";

/**
 * A valid document as texts of JSON that cross threads: compiled policies are closures and cannot. In parts,
 * so that the thread that compiles them need not parse all of them at a time.
 */
export interface DocumentParts {
  readonly head: string;
  /** One text for each rule. */
  readonly rules: readonly string[];
}

type HeadPart = Omit<DecidingDocument, "rules">;

export function partsOf(document: PolicyDocument): DocumentParts {
  const { head, allowed, denied, readOnly, rules } = decidingDocument(document);
  const part: HeadPart = { head, allowed, denied, readOnly };
  return { head: JSON.stringify(part), rules: Array.from(rules, (rule) => JSON.stringify(rule)) };
}

/** Compiles what `partsOf` made, one rule a step. */
export function compileParts({ head, rules }: DocumentParts): Generator<undefined, CompiledPolicy> {
  return compileDocument({ ...(JSON.parse(head) as HeadPart), rules: parsedRules(rules) });
}

function* parsedRules(texts: readonly string[]): Generator<RuleBody> {
  for (const text of texts) yield JSON.parse(text) as RuleBody;
}

/** The document without the places in its text. */
export function decidingDocument(document: PolicyDocument): DecidingDocument {
  const { allowed, denied, readOnly, detectors: _named, rules, ...head } = document;
  return {
    head,
    allowed: allowed.map(({ glob }) => glob),
    denied: denied.map(({ glob }) => glob),
    readOnly: readOnly.map(({ glob }) => glob),
    rules: rules.map(({ place: _place, ...rule }) => rule),
  };
}
