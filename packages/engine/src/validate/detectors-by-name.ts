import type { GuardrailDetector, OwnDetector } from "../detectors/named-detector.ts";
import { GUARDRAIL_PREFIX, type Guardrail } from "../guardrails/guardrail.ts";
import type { KnownDetectors, OwnDetectors } from "./validate-detectors.ts";

/** The detectors of a document and the guardrails that it may name. Notes those that it does name. */
export class DetectorsByName implements KnownDetectors {
  readonly #own: OwnDetectors;
  readonly #guardrails: ReadonlyMap<string, Guardrail>;
  readonly #used = new Set<Guardrail>();

  constructor(own: OwnDetectors, guardrails: readonly Guardrail[]) {
    this.#own = own;
    this.#guardrails = new Map(guardrails.map((one) => [`${GUARDRAIL_PREFIX}${one.id}`, one]));
  }

  get(name: string): OwnDetector | GuardrailDetector | undefined {
    const guardrail = this.#guardrails.get(name);
    if (guardrail === undefined) return this.#own.get(name);
    this.#used.add(guardrail);
    return { guardrail };
  }

  has(name: string): boolean {
    return this.#own.has(name) || this.#guardrails.has(name);
  }

  keys(): readonly string[] {
    return [...this.#own.keys(), ...this.#guardrails.keys()];
  }

  /** By id. */
  usedGuardrails(): readonly Guardrail[] {
    return [...this.#used].toSorted((left, right) => (left.id < right.id ? -1 : 1));
  }
}
