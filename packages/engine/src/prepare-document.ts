import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { type DocumentParts, partsOf } from "./document-parts.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { jsonTree } from "./read/json-tree.ts";
import { Reporter } from "./read/reporter.ts";
import { type PolicyReading, readPolicy } from "./read-policy.ts";
import { validatePolicy } from "./validate/validate-policy.ts";

/** A stored policy document. */
export interface StoredDocument {
  /** The text as it was loaded, YAML or JSON. */
  readonly source: string;
  /** The same document as JSON, which is read in a quarter of the time; null where it is not at hand. */
  readonly json: string | null;
}

/** A document ready to be compiled part by part, or why it is refused. */
export type PreparedDocument =
  | { readonly ok: true; readonly parts: DocumentParts }
  | { readonly ok: false; readonly detail: string };

/**
 * Reads and validates a document for a gateway, which compiles the parts. Never throws, whatever the text.
 * JSON that is not the whole truth - too long, or refused - is of no consequence: the source decides then.
 * @param read replaces the reading of the source, by one that remembers.
 */
export function prepareDocument(
  { source, json }: StoredDocument,
  read: (source: string) => PolicyReading = readSilently,
): PreparedDocument {
  const fromJson = json === null ? null : documentOfJson(json);
  if (fromJson !== null) return { ok: true, parts: partsOf(fromJson) };
  const reading = read(source);
  if (reading.ok) return { ok: true, parts: partsOf(reading.document) };
  const error = reading.diagnostics.find(({ severity }) => severity === "error");
  return { ok: false, detail: error?.message ?? "refused" };
}

/** How what is stored is read: it holds its guardrails. */
export const SEALED = { modules: "read", guardrails: "sealed" } as const;

function readSilently(source: string): PolicyReading {
  return readPolicy(source, SEALED);
}

function documentOfJson(text: string): PolicyDocument | null {
  const json = parseStrictJsonText(text);
  if (!json.ok) return null;
  const reporter = new Reporter("", null);
  const document = validatePolicy(jsonTree(json.value), reporter, SEALED);
  return reporter.hasErrors ? null : document;
}
