import { prepareDocument } from "@svc/engine/prepare-document";
import { type PolicyReading, readPolicy } from "@svc/engine/read-policy";
import { checkDocument } from "@svc/policy-analysis/check-document";
import { readExamined } from "@svc/policy-analysis/read-examined";
import type { CheckReply, CompilerOrder, CompilerReply } from "./compiler-protocol.ts";

/** Checked documents that are kept, as count. The gateway of the same process soon needs each of them. */
const MAX_KEPT = 4;

/**
 * Carries out the orders of the compiler's thread. It keeps documents that it checked for authors, so that
 * the gateway gets them sooner.
 */
export class PolicyChecker {
  /** Oldest first. */
  readonly #checked = new Map<string, PolicyReading>();

  handle(order: CompilerOrder): CompilerReply {
    switch (order.kind) {
      case "prepare": {
        const read = (source: string): PolicyReading => this.#read(source);
        return { kind: "prepared", documents: order.documents.map((one) => prepareDocument(one, read)) };
      }
      case "check":
        return { kind: "checked", check: this.#check(order) };
      default:
        throw new Error(`unknown order ${JSON.stringify(order satisfies never)}`);
    }
  }

  #check({ text }: CompilerOrder & { kind: "check" }): CheckReply {
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
