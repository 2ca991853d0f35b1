import { MAX_POLICY_BYTES } from "@svc/contract/limits";
import type { PolicyMediaType } from "@svc/contract/policy";
import type { Diagnostic } from "@svc/engine/diagnostic";
import type { Guardrail } from "@svc/engine/guardrail";
import type { PolicyHead } from "@svc/engine/policy-document";
import { prepareDocument } from "@svc/engine/prepare-document";
import type { PolicyReading } from "@svc/engine/read-policy";
import { Reporter } from "@svc/engine/reporter";
import { sealDocument } from "@svc/engine/sealed-guardrails";
import type { JsonObject } from "@svc/text/json-value";
import type { JsonFault } from "@svc/text/strict-json";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { readExamined } from "./read-examined.ts";

/** A policy document as it came in. */
export interface DocumentText {
  readonly source: string;
  readonly mediaType: PolicyMediaType;
  /** Those that it may name; none unless said, and a document that names one is refused then. */
  readonly guardrails?: readonly Guardrail[] | undefined;
}

/** What the loader of a document needs to know about it. */
export type PolicySummary = Pick<PolicyHead, "id" | "name" | "agentId" | "mode" | "guardrails">;

/** What the author of a document learns about it. */
export type DocumentCheck =
  | {
      readonly kind: "valid";
      readonly policy: PolicySummary;
      /** The document as JSON. */
      readonly document: JsonObject;
      /** The document with the guardrails that it names, which gateways compile; null: it names none. */
      readonly sealed: string | null;
      readonly warnings: readonly Diagnostic[];
    }
  | { readonly kind: "invalid"; readonly diagnostics: readonly Diagnostic[] }
  /** Came as JSON, and is not strict JSON. */
  | { readonly kind: "not_json"; readonly fault: JsonFault };

/**
 * Judges a document for its author, with every finding. Never throws, whatever the text.
 * @param read replaces the reading of the source, by one that remembers.
 */
export function checkDocument(
  { source, mediaType, guardrails }: DocumentText,
  read: (source: string) => PolicyReading = (text) => readExamined(text, { guardrails }),
): DocumentCheck {
  if (mediaType === "application/json") {
    // The compiler reads JSON as the YAML that it also is: what only YAML allows must not pass as JSON.
    const json = parseStrictJsonText(source);
    if (!json.ok) return { kind: "not_json", fault: json.fault };
  }
  const reading = read(source);
  if (!reading.ok) return { kind: "invalid", diagnostics: reading.diagnostics };
  const { id, name, agentId, mode, guardrails: versions, namedGuardrails } = reading.document;
  const { value, warnings } = reading;
  const sealed = namedGuardrails.length === 0 ? null : sealDocument(value, namedGuardrails);
  if (sealed !== null && !prepareDocument({ source: sealed, json: sealed }).ok)
    return { kind: "invalid", diagnostics: tooLargeTogether(source) };
  const policy = { id, name, agentId, mode, guardrails: versions };
  return { kind: "valid", policy, document: value, sealed, warnings };
}

/** Gateways read a document and its guardrails as one text, which has the bounds of a document. */
function tooLargeTogether(source: string): readonly Diagnostic[] {
  const reporter = new Reporter(source, null);
  reporter.readLines();
  reporter.report(
    "policy/too-large",
    { pointer: "", offset: 0 },
    {
      message: "the document is too large together with the guardrails that it names",
      expected: `at most ${String(MAX_POLICY_BYTES)} bytes as JSON`,
      found: "more",
      fix: "shorten its lists with globs, or name fewer guardrails",
    },
  );
  return reporter.diagnostics;
}
