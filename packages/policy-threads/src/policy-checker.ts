import type { Guardrail } from "@svc/engine/guardrail";
import type { PlacedModule } from "@svc/engine/policy-document";
import {
  type PreparedDocument,
  prepareDocument,
  SEALED,
  type StoredDocument,
} from "@svc/engine/prepare-document";
import { type GuardrailReading, readGuardrail } from "@svc/engine/read-guardrails";
import { type PolicyReading, readPolicy } from "@svc/engine/read-policy";
import { type GuardrailTrial, tryGuardrail } from "@svc/engine/try-guardrail";
import type { WrittenGuardrail } from "@svc/engine/validate-guardrail";
import type { ModuleReading } from "@svc/engine/validate-policy";
import { checkDocument, type DocumentCheck, type DocumentText } from "@svc/policy-analysis/check-document";
import { moduleOf } from "@svc/policy-analysis/check-module";
import { readExamined } from "@svc/policy-analysis/read-examined";

/** Checked documents that are kept, as count. The gateway of the same process soon needs each of them. */
const MAX_KEPT = 4;

/** A check whose document is its JSON: a text crosses threads faster than an object. */
export interface CheckReply {
  /** What is said about the document without its module. */
  readonly check:
    | Omit<Extract<DocumentCheck, { kind: "valid" }>, "document">
    | Exclude<DocumentCheck, { kind: "valid" }>;
  /** Of a valid document. */
  readonly documentText: string;
  /** Null: there is none, or a fault is in it. */
  readonly module: PlacedModule | null;
}

/**
 * Reads policy documents. It keeps those that it checked for authors, so that the gateway gets them sooner.
 */
export class PolicyChecker {
  /** Oldest first. */
  readonly #checked = new Map<string, PolicyReading>();

  /** For gateways, which compile the documents. */
  prepare(documents: readonly StoredDocument[]): readonly PreparedDocument[] {
    const read = (source: string): PolicyReading => this.#read(source);
    return documents.map((one) => prepareDocument(one, read));
  }

  /** For authors, who want the findings about a document. What the module means is found out elsewhere. */
  check(text: DocumentText, modules: ModuleReading): CheckReply {
    let module: PlacedModule | null = null;
    const check = checkDocument(text, (source) => {
      const reading = readExamined(source, { modules, guardrails: text.guardrails });
      module = moduleOf(reading);
      return this.#keep(source, reading, modules);
    });
    if (check.kind !== "valid") return { check, documentText: "", module };
    const { document, ...rest } = check;
    return { check: rest, documentText: JSON.stringify(document), module };
  }

  /** For authors of guardrails. */
  readGuardrail(source: string): GuardrailReading<WrittenGuardrail> {
    return readGuardrail(source);
  }

  /** What a guardrail finds in a text. */
  tryGuardrail(guardrail: Guardrail, text: string): GuardrailTrial {
    return tryGuardrail(guardrail, text);
  }

  #read(source: string): PolicyReading {
    return this.#checked.get(source) ?? readPolicy(source, SEALED);
  }

  /** A document that is refused for its module alone is not refused by a gateway. */
  #keep(source: string, reading: PolicyReading, modules: ModuleReading): PolicyReading {
    this.#checked.delete(source);
    if (modules === "refused" && !reading.ok) return reading;
    // What gateways compile then has its guardrails in it, and is another text.
    if (reading.ok && reading.document.guardrails.length > 0) return reading;
    this.#checked.set(source, reading);
    for (const oldest of this.#checked.keys()) {
      if (this.#checked.size <= MAX_KEPT) break;
      this.#checked.delete(oldest);
    }
    return reading;
  }
}
