import { compilePolicy } from "@svc/engine/compile-policy";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";

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

function compiled(source: string): CompiledPolicy {
  const compilation = compilePolicy(source);
  if (!compilation.ok) throw new Error("the policy of a large call cannot be compiled on its thread");
  return compilation.policy;
}
