import type { ModuleChecker } from "@svc/engine/evaluator-factory";
import type { Guardrail } from "@svc/engine/guardrail";
import type { PreparedDocument, StoredDocument } from "@svc/engine/prepare-document";
import type { GuardrailReading } from "@svc/engine/read-guardrails";
import type { GuardrailTrial } from "@svc/engine/try-guardrail";
import type { WrittenGuardrail } from "@svc/engine/validate-guardrail";
import type { DocumentCheck, DocumentText } from "@svc/policy-analysis/check-document";
import { checkModule } from "@svc/policy-analysis/check-module";
import { ServiceThread, type ThreadOverrides } from "@svc/process/service-thread";
import { threadUrl } from "@svc/process/thread-url";
import type { JsonObject } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import type { CheckReply, PolicyChecker } from "./policy-checker.ts";
import { policyThread } from "./policy-thread.ts";

/** Checks that run or wait, as count: further ones are refused, so that a flood does not fill memory. */
const MAX_WAITING = 33;

export interface DocumentThreadOptions extends ThreadOverrides {
  /** Null: nothing runs modules, and a document with one is refused by name. */
  readonly modules: ModuleChecker | null;
}

/**
 * The thread that reads and validates policy documents, as seen from the one that serves calls. One call is
 * on the thread at a time, so a thread that ends or is stuck takes no other call with it. The gateway and
 * authors take turns: a flood of checks delays a stored version by one check only.
 */
export class DocumentThread {
  readonly #thread: ServiceThread<PolicyChecker>;
  readonly #modules: ModuleChecker | null;

  constructor({ modules, ...overrides }: DocumentThreadOptions) {
    this.#modules = modules;
    this.#thread = new ServiceThread({
      ...policyThread("policy-reader"),
      url: threadUrl("document-worker", import.meta.url),
      turns: { laneOf: (method) => method },
      maxWaiting: { most: MAX_WAITING, refusal: "too many policy documents wait to be read" },
      ...overrides,
    });
  }

  /**
   * For the one loader of a gateway, which asks for one batch at a time. It waits for one check at most.
   * Rejects when the thread was lost, which says nothing about the documents.
   */
  prepare(documents: readonly StoredDocument[]): Promise<readonly PreparedDocument[]> {
    return this.#thread.calls.prepare(documents);
  }

  /**
   * Rejects when the thread was lost or is too busy, and when the module could not be checked, which says
   * nothing about the document.
   */
  async check(text: DocumentText): Promise<DocumentCheck> {
    const modules = this.#modules;
    const reply = await this.#thread.calls.check(text, modules === null ? "refused" : "read");
    const { module } = reply;
    const check = checkOf(reply);
    if (module === null || modules === null) return check;
    return checkModule(check, { module, source: text.source, file: null }, modules);
  }

  /** Reads a guardrail for its author, and tries its samples. Rejects as `check` does. */
  readGuardrail(source: string): Promise<GuardrailReading<WrittenGuardrail>> {
    return this.#thread.calls.readGuardrail(source);
  }

  /** What a guardrail finds in a text. Rejects as `check` does. */
  tryGuardrail(guardrail: Guardrail, text: string): Promise<GuardrailTrial> {
    return this.#thread.calls.tryGuardrail(guardrail, text);
  }

  /** Ends the thread. Calls without a reply are rejected. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}

function checkOf({ check, documentText }: CheckReply): DocumentCheck {
  if (check.kind !== "valid") return check;
  return { ...check, document: parseJson(documentText) as JsonObject };
}
