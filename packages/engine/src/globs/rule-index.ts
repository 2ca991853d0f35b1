import { GlobIndex } from "./glob-index.ts";
import { withAnything } from "./glob-overlap.ts";

/** Rules by their globs: which of them are about a tool. A rule may have several globs. */
export class RuleIndex {
  readonly #index: GlobIndex;
  /** The rule of each glob, ascending; null where every rule has one. */
  readonly #rules: readonly number[] | null;

  constructor(globsOfRules: readonly (readonly string[])[]) {
    this.#index = new GlobIndex(globsOfRules.flat());
    this.#rules = globsOfRules.every(({ length }) => length === 1)
      ? null
      : globsOfRules.flatMap((globs, rule) => globs.map(() => rule));
  }

  /** Places in the list of every rule that is about the tool, ascending. The caller must not change them. */
  matches(tool: string): readonly number[] {
    const found = this.#index.matches(tool);
    const rules = this.#rules;
    if (rules === null) return found;
    return [...new Set(found.map((place) => rules[place] ?? 0))];
  }

  /** Places of every rule that has a glob around this one. */
  covering(glob: string): readonly number[] {
    return this.matches(withAnything(glob));
  }
}
