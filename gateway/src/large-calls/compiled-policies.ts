import { compileAtOnce } from "@svc/engine/compile-document";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import { decidingDocument } from "@svc/engine/document-parts";
import type { Evaluator } from "@svc/engine/evaluation";
import { SEALED } from "@svc/engine/prepare-document";
import { readPolicy } from "@svc/engine/read-policy";

/** Compiled policies that are kept, as count: few agents send large calls. */
const MAX_COMPILED = 64;

/** Compiled policies by their document. The text is the key, so two versions are never confused. */
export class CompiledPolicies {
  /** Least recently used first. */
  readonly #bySource = new Map<string, CompiledPolicy>();

  /** @throws when the document cannot be compiled, although the serving thread compiled it. */
  policyOf(source: string): CompiledPolicy {
    const policy = this.#bySource.get(source) ?? compiled(source);
    this.#bySource.delete(source);
    this.#bySource.set(source, policy);
    for (const oldest of this.#bySource.keys()) {
      if (this.#bySource.size <= MAX_COMPILED) break;
      this.#bySource.delete(oldest);
    }
    return policy;
  }
}

/** The serving thread asks the module of a policy, with what this thread writes of the call. */
const ELSEWHERE: Evaluator = {
  evaluate: () => Promise.reject(new Error("the thread of large calls evaluates no modules")),
  explain: () => Promise.resolve(null),
};

function compiled(source: string): CompiledPolicy {
  const reading = readPolicy(source, SEALED);
  if (!reading.ok) throw new Error("the policy of a large call cannot be compiled on its thread");
  const document = decidingDocument(reading.document);
  return compileAtOnce(document, document.rego === null ? [] : [ELSEWHERE]);
}
