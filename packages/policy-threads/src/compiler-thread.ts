import type { JsonObject } from "@svc/contract/json-value";
import type { PreparedDocument, StoredDocument } from "@svc/engine/prepare-document";
import type { DocumentCheck, DocumentText } from "@svc/policy-analysis/check-document";
import { threadUrl } from "@svc/process/thread-url";
import type { CompilerOrder, CompilerReply } from "./compiler-protocol.ts";
import { PolicyThread, type PolicyThreadOptions } from "./policy-thread.ts";

const WORKER_URL = threadUrl("compiler-worker", import.meta.url);

/**
 * Most checks that wait, as count. Further checks are refused, so that a flood of documents does
 * not fill memory.
 */
const MAX_WAITING = 32;

/**
 * The thread that reads and validates policy documents, as seen from the one that serves calls. One order is
 * on the thread at a time, so a thread that ends or is stuck takes no other order with it. The gateway and
 * authors take turns: a flood of checks delays a stored version by one order only.
 */
export class CompilerThread {
  readonly #thread: PolicyThread<CompilerOrder>;
  /** Each entry lets one order begin. */
  readonly #waiting: Readonly<Record<CompilerOrder["kind"], (() => void)[]>> = { prepare: [], check: [] };
  /** Of the order on the thread; null: there is none. */
  #onThread: CompilerOrder["kind"] | null = null;

  constructor({ workerUrl = WORKER_URL, ...options }: PolicyThreadOptions) {
    this.#thread = new PolicyThread("policy-compiler", workerUrl, options);
  }

  /**
   * For the one loader of a gateway, which asks for one batch at a time. It waits for one check at most.
   * Rejects when the thread was lost, which says nothing about the documents.
   */
  async prepare(documents: readonly StoredDocument[]): Promise<readonly PreparedDocument[]> {
    const reply = await this.#ask({ kind: "prepare", documents });
    if (reply.kind !== "prepared") throw new Error(`the compiler answered ${reply.kind}`);
    return reply.documents;
  }

  /** Rejects when the thread was lost or is too busy, which says nothing about the document. */
  async check(text: DocumentText): Promise<DocumentCheck> {
    const reply = await this.#ask({ kind: "check", text });
    if (reply.kind !== "checked") throw new Error(`the compiler answered ${reply.kind}`);
    if (reply.check.kind !== "valid") return reply.check;
    const { documentText, ...rest } = reply.check;
    return { ...rest, document: JSON.parse(documentText) as JsonObject };
  }

  /** Ends the thread. Orders without a reply are rejected. */
  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #ask(order: CompilerOrder): Promise<CompilerReply> {
    const { kind } = order;
    if (kind === "check" && this.#waiting.check.length >= MAX_WAITING)
      throw new Error("too many policy documents wait to be read");
    if (this.#onThread !== null) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting[kind].push(resolve);
      await promise;
    }
    this.#onThread = kind;
    try {
      return await this.#run(order);
    } finally {
      this.#beginNext(kind);
    }
  }

  /** The thread stays taken until the next order begins, so that none can slip in between. */
  #beginNext(last: CompilerOrder["kind"]): void {
    const { prepare, check } = this.#waiting;
    const [first, second] = last === "check" ? [prepare, check] : [check, prepare];
    const begin = first.shift() ?? second.shift();
    if (begin === undefined) this.#onThread = null;
    else begin();
  }

  async #run(order: CompilerOrder): Promise<CompilerReply> {
    return (await this.#thread.run(order)) as CompilerReply;
  }
}
