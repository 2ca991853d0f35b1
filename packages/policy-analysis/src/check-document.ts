import type { PolicyMediaType } from "@svc/contract/policy";
import type { Diagnostic } from "@svc/engine/diagnostic";
import type { PolicyHead } from "@svc/engine/policy-document";
import type { PolicyReading } from "@svc/engine/read-policy";
import type { JsonObject } from "@svc/text/json-value";
import type { JsonFault } from "@svc/text/strict-json";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { readExamined } from "./read-examined.ts";

/** A policy document as it came in. */
export interface DocumentText {
  readonly source: string;
  readonly mediaType: PolicyMediaType;
}

/** What the loader of a document needs to know about it. */
export type PolicySummary = Pick<PolicyHead, "id" | "name" | "agentId" | "mode">;

/** What the author of a document learns about it. */
export type DocumentCheck =
  | {
      readonly kind: "valid";
      readonly policy: PolicySummary;
      /** The document as JSON. */
      readonly document: JsonObject;
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
  { source, mediaType }: DocumentText,
  read: (source: string) => PolicyReading = (text) => readExamined(text),
): DocumentCheck {
  if (mediaType === "application/json") {
    // The compiler reads JSON as the YAML that it also is: what only YAML allows must not pass as JSON.
    const json = parseStrictJsonText(source);
    if (!json.ok) return { kind: "not_json", fault: json.fault };
  }
  const reading = read(source);
  if (!reading.ok) return { kind: "invalid", diagnostics: reading.diagnostics };
  const { id, name, agentId, mode } = reading.document;
  const { value, warnings } = reading;
  return { kind: "valid", policy: { id, name, agentId, mode }, document: value, warnings };
}
