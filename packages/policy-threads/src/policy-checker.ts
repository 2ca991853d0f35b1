import { type PreparedDocument, prepareDocument, type StoredDocument } from "@svc/engine/prepare-document";
import { type PolicyReading, readPolicy } from "@svc/engine/read-policy";
import { checkDocument, type DocumentCheck, type DocumentText } from "@svc/policy-analysis/check-document";
import { readExamined } from "@svc/policy-analysis/read-examined";

/** Checked documents that are kept, as count. The gateway of the same process soon needs each of them. */
const MAX_KEPT = 4;

/** A check whose document is its JSON: a text crosses threads faster than an object. */
export type CheckReply =
  | (Omit<Extract<DocumentCheck, { kind: "valid" }>, "document"> & { readonly documentText: string })
  | Exclude<DocumentCheck, { kind: "valid" }>;

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

  /** For authors, who want the findings about a document. */
  check(text: DocumentText): CheckReply {
    const check = checkDocument(text, (source) => this.#keep(source, readExamined(source)));
    if (check.kind !== "valid") return check;
    const { document, ...rest } = check;
    return { ...rest, documentText: JSON.stringify(document) };
  }

  #read(source: string): PolicyReading {
    return this.#checked.get(source) ?? readPolicy(source);
  }

  #keep(source: string, reading: PolicyReading): PolicyReading {
    this.#checked.delete(source);
    this.#checked.set(source, reading);
    for (const oldest of this.#checked.keys()) {
      if (this.#checked.size <= MAX_KEPT) break;
      this.#checked.delete(oldest);
    }
    return reading;
  }
}
