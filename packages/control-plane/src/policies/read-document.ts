import type { PolicyMediaType } from "@svc/contract/policy-record";
import type { ProblemEntry } from "@svc/contract/problem";
import { parseStrictJsonText } from "@svc/contract/strict-json";
import { compilePolicy } from "@svc/engine/compile-policy";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import type { Diagnostic } from "@svc/engine/diagnostic";
import { maskSecrets } from "@svc/engine/mask-secrets";
import { type Refusal, refuse } from "../refusal.ts";

/** A policy document as it came in. */
export interface DocumentText {
  readonly source: string;
  readonly mediaType: PolicyMediaType;
}

/** A document that compiles, with the text it came from. */
export interface ReadDocument extends DocumentText {
  readonly kind: "document";
  readonly policy: CompiledPolicy;
  readonly warnings: readonly Diagnostic[];
}

/** Compiles a document as gateways will; refuses it with one entry per finding. Stores nothing. */
export function readDocument({ source, mediaType }: DocumentText): ReadDocument | Refusal {
  if (mediaType === "application/json") {
    // The compiler reads JSON as the YAML that it also is: what only YAML allows must not pass as JSON.
    const json = parseStrictJsonText(source);
    if (!json.ok) {
      const { kind, ...fault } = json.fault;
      const code = kind === "too_large" ? "body_too_large" : "malformed_json";
      return refuse(code, "The policy document is not strict JSON.", [{ pointer: "", ...fault }]);
    }
  }
  const compiled = compilePolicy(source);
  if (compiled.ok) {
    return { kind: "document", policy: compiled.policy, warnings: compiled.warnings, source, mediaType };
  }
  const entries = compiled.diagnostics.map(diagnosticEntry);
  return refuse("invalid_policy", "The policy document was refused; errors lists every finding.", entries);
}

/** Refuses a document that would rename its policy: versions, bindings and audit rows go by the id. */
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
 * A finding in its wire form. `file` is left out: the server knows no name of the document. Answers end up in
 * the logs of others, so a secret on a line that is shown is masked.
 */
function diagnosticEntry({ file: _file, related, ...finding }: Diagnostic): ProblemEntry {
  const entry = { ...finding, related: related === null ? null : { ...related } };
  return { ...entry, ...maskSecrets(entry, JSON.stringify(entry)) };
}
