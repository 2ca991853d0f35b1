import { NOTHING_CHANGED, type ProblemEntry } from "@svc/contract/problem";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { maskFinding } from "@svc/engine/mask-finding";
import type { DocumentCheck, DocumentText, PolicySummary } from "@svc/policy-analysis/check-document";
import type { JsonObject } from "@svc/text/json-value";
import { askThread } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { type GuardrailPorts, withGuardrails } from "./known-guardrails.ts";

export type { DocumentText };

/** How a document that compiles is treated. */
export interface LoadMode {
  /** Refuses a document that has a warning. */
  readonly strict: boolean;
  /** Reports the findings and stores nothing. */
  readonly dryRun: boolean;
  /** Why the document is loaded, for the history. */
  readonly why?: string | null;
}

export const ORDINARY_LOAD: LoadMode = { strict: false, dryRun: false };

/** A valid document, with the text it came from. */
export interface ReadDocument extends Pick<DocumentText, "source" | "mediaType"> {
  readonly kind: "document";
  readonly policy: PolicySummary;
  /** The document as JSON. */
  readonly document: JsonObject;
  /** The document with its guardrails, which gateways compile; null: it names none. */
  readonly sealed: string | null;
  /** Secrets are masked, because callers may log their answers. */
  readonly warnings: readonly Diagnostic[];
}

/** The result of a dry run: the document is valid. */
export interface ValidatedDocument {
  readonly kind: "validated";
  readonly policy: Pick<PolicySummary, "id" | "name"> & { readonly document: JsonObject };
  readonly warnings: readonly Diagnostic[];
}

const NOT_JSON = "The policy document is not strict JSON. Send YAML with Content-Type: application/yaml.";

const NOT_CHECKED = {
  fault: "a policy document could not be checked",
  consequence:
    `The policy document could not be checked. ${NOTHING_CHANGED}. If it has a Rego module whose check ` +
    "takes more than 5 s, trying again does not help: make the module smaller. Otherwise try again.",
};

export type ReadingPorts = GuardrailPorts & Pick<ControlPlanePorts, "documents">;

/** Checks a document as a gateway would, with the guardrails that its organization has now. */
export async function checkDocument(
  ports: ReadingPorts,
  org: string,
  text: DocumentText,
): Promise<Outcome<DocumentCheck>> {
  const known = await withGuardrails(ports, org, text);
  return known.kind === "problem" ? known : checkText(ports, known.value);
}

/** Checks a document with the guardrails that are given with it. */
export function checkText(
  { documents, log }: Pick<ReadingPorts, "documents" | "log">,
  text: DocumentText,
): Promise<Outcome<DocumentCheck>> {
  return askThread({ log }, NOT_CHECKED, () => documents.check(text));
}

/** Checks a document, and refuses it with one entry per finding. Stores nothing. */
export async function readDocument(
  ports: ReadingPorts,
  { org, text }: { readonly org: string; readonly text: DocumentText },
  load: LoadMode,
): Promise<ReadDocument | Refusal> {
  const check = await checkDocument(ports, org, text);
  return check.kind === "problem" ? check : judged(text, check.value, load);
}

/** What a check says, as a document or as a refusal. */
export function judged(
  text: DocumentText,
  check: DocumentCheck,
  { strict }: LoadMode,
): ReadDocument | Refusal {
  if (check.kind !== "valid") return refuseCheck(text, check);
  const { policy, document, sealed, warnings } = check;
  if (strict && warnings.length > 0) return refuseFindings(REFUSED_BY_STRICT, warnings);
  const { source, mediaType } = text;
  const masked = warnings.map(maskFinding);
  return { kind: "document", policy, document, sealed, warnings: masked, source, mediaType };
}

/** Refuses a document with one entry per finding. */
export function refuseCheck(
  { source }: DocumentText,
  check: Exclude<DocumentCheck, { kind: "valid" }>,
): Refusal {
  switch (check.kind) {
    case "not_json": {
      const { kind, ...fault } = check.fault;
      const code = kind === "too_large" ? "body_too_large" : "malformed_json";
      return refuse(code, NOT_JSON, [{ pointer: "", ...fault }]);
    }
    case "invalid":
      return refuseLostLines(source) ?? refuseFindings(REFUSED, check.diagnostics);
  }
}

const REFUSED = "The policy document was refused; errors lists every finding.";

const REFUSED_BY_STRICT =
  "The policy document has warnings, and strict=true refuses them; errors lists every warning. " +
  "Correct them, or load the document without strict=true.";

/**
 * Two keys of a block mapping on the only line. A YAML document has this form only when its line
 * ends were lost. Takes linear time: this runs on the thread that serves calls.
 */
function hasTwoKeysInOneLine(source: string): boolean {
  if (source.includes("\n")) return false;
  const first = source.search(/[A-Za-z_]: /);
  const flowMapping = source.indexOf("{");
  if (first === -1 || (flowMapping !== -1 && flowMapping < first)) return false;
  return /[A-Za-z_]:(?: |$)/.test(source.slice(first + "k: ".length));
}

/**
 * `curl -d @file` removes the line ends of the file. One finding says so, because many
 * findings would mislead.
 */
function refuseLostLines(source: string): Refusal | null {
  if (!hasTwoKeysInOneLine(source)) return null;
  const entry = {
    pointer: "",
    expected: "a document of several lines",
    found: `one line of ${String(source.length)} characters`,
    code: "policy/lines-lost",
    fix: "with curl, use --data-binary @file instead of -d @file",
  };
  return refuse(
    "invalid_policy",
    "The policy document came as one line: its line breaks were lost on the way. " +
      "curl -d @file removes them; use --data-binary @file.",
    [entry],
  );
}

function refuseFindings(detail: string, diagnostics: readonly Diagnostic[]): Refusal {
  const findings = diagnostics.map(maskFinding);
  return { ...refuse("invalid_policy", detail, findings.map(findingEntry)), findings };
}

/** The answer of a dry run, which does not store the document. */
export function validated({ policy, document, warnings }: ReadDocument): ValidatedDocument {
  const { id, name } = policy;
  return { kind: "validated", policy: { id, name, document }, warnings };
}

/**
 * Refuses a document that would rename its policy, because versions, bindings and audit rows refer to the id.
 */
export function refuseOtherId(document: ReadDocument, id: string): Refusal | null {
  const { id: found } = document.policy;
  if (found === id) return null;
  const entry = {
    pointer: "/id",
    expected: `${JSON.stringify(id)}, the id of the policy that is updated`,
    found: JSON.stringify(found),
    code: "policy/id-changed",
  };
  return refuse("invalid_policy", "The id of a policy cannot change. Create another policy instead.", [
    entry,
  ]);
}

/**
 * A finding in its wire form. `file` is left out, because the server does not know the name of the document.
 */
export function findingEntry({ file: _file, related, ...finding }: Diagnostic): ProblemEntry {
  return { ...finding, related: related === null ? null : { ...related } };
}
