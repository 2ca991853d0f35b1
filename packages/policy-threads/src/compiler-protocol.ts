import type { PreparedDocument, StoredDocument } from "@svc/engine/prepare-document";
import type { DocumentCheck, DocumentText } from "@svc/policy-analysis/check-document";

/** Messages between a thread that needs policy documents read and the one that reads them. */

export type CompilerOrder =
  /** From gateways, which compile the documents. */
  | { readonly kind: "prepare"; readonly documents: readonly StoredDocument[] }
  /** From authors, who want the findings about a document. */
  | { readonly kind: "check"; readonly text: DocumentText };

/** A check whose document is its JSON: a text crosses threads faster than an object. */
export type CheckReply =
  | (Omit<Extract<DocumentCheck, { kind: "valid" }>, "document"> & { readonly documentText: string })
  | Exclude<DocumentCheck, { kind: "valid" }>;

export type CompilerReply =
  | { readonly kind: "prepared"; readonly documents: readonly PreparedDocument[] }
  | { readonly kind: "checked"; readonly check: CheckReply };
