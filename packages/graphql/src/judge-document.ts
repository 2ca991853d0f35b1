import { problem } from "@svc/contract/problem";
import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from "graphql";
import { MAX_DEPTH, MAX_INTROSPECTION_DEPTH, MAX_SAME_KEY, MAX_SELECTIONS } from "./limits.ts";
import { ProblemError } from "./problem-error.ts";

/** Levels of fields below a selection set. Fields of introspection count by themselves. */
interface Depth {
  readonly fields: number;
  readonly introspection: number;
}

const NO_DEPTH: Depth = { fields: 0, introspection: 0 };

/**
 * Judges the form of a document before the library validates it, whose rules take quadratic time. Each
 * fragment is walked once, so the walk is linear. Null: it passes.
 */
export function judgeDocument(document: DocumentNode): ProblemError | null {
  return new DocumentWalk(document).judge();
}

class DocumentWalk {
  readonly #document: DocumentNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #depths = new Map<string, Depth>();
  /** Fragments on the way from the operation to here. */
  readonly #open = new Set<string>();
  #fault: ProblemError | null = null;

  constructor(document: DocumentNode) {
    this.#document = document;
    this.#fragments = new Map(
      document.definitions
        .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
        .map((fragment) => [fragment.name.value, fragment]),
    );
  }

  judge(): ProblemError | null {
    for (const definition of this.#document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#depthOfFragment(definition.name.value);
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const { fields, introspection } = this.#depthOf(definition.selectionSet);
      if (fields > MAX_DEPTH)
        this.#refuse(atMost(MAX_DEPTH, "levels of fields", fields, DEEP_FIX), definition);
      if (introspection > MAX_INTROSPECTION_DEPTH)
        this.#refuse(
          atMost(MAX_INTROSPECTION_DEPTH, "levels of introspection", introspection, DEEP_FIX),
          definition,
        );
    }
    return this.#fault;
  }

  #depthOf(set: SelectionSetNode): Depth {
    this.#judgeSet(set);
    return set.selections
      .map((selection): Depth => {
        if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#depthOfFragment(selection.name.value);
        if (selection.kind === Kind.INLINE_FRAGMENT) return this.#depthOf(selection.selectionSet);
        const below = selection.selectionSet === undefined ? NO_DEPTH : this.#depthOf(selection.selectionSet);
        const isIntrospection = /^__(?:schema|type)$/.test(selection.name.value);
        if (isIntrospection) return { fields: 1, introspection: below.fields + 1 };
        return { fields: below.fields + 1, introspection: below.introspection };
      })
      .reduce(deeper, NO_DEPTH);
  }

  #depthOfFragment(name: string): Depth {
    const known = this.#depths.get(name);
    const fragment = this.#fragments.get(name);
    // The library refuses a fragment that does not exist.
    if (known !== undefined || fragment === undefined) return known ?? NO_DEPTH;
    if (this.#open.has(name)) {
      this.#refuse(
        `expected fragments that do not contain themselves, found ${name}. Take its spread out`,
        fragment,
      );
      return NO_DEPTH;
    }
    this.#open.add(name);
    const depth = this.#depthOf(fragment.selectionSet);
    this.#open.delete(name);
    this.#depths.set(name, depth);
    return depth;
  }

  #judgeSet(set: SelectionSetNode): void {
    const { selections } = set;
    if (selections.length > MAX_SELECTIONS)
      this.#refuse(atMost(MAX_SELECTIONS, "entries of a selection set", selections.length, FEWER_FIX), set);
    const fields = selections.filter((selection) => selection.kind === Kind.FIELD);
    for (const [key, same] of Map.groupBy(fields, ({ alias, name }) => (alias ?? name).value)) {
      if (same.length <= MAX_SAME_KEY) continue;
      const what = `fields named ${key} in one selection set`;
      this.#refuse(atMost(MAX_SAME_KEY, what, same.length, "Name the field once"), same[MAX_SAME_KEY] ?? set);
    }
  }

  /** The first fault is the refusal. */
  #refuse(detail: string, node: ASTNode): void {
    const refusal = problem("too_much_work", `The document is too large: ${detail}.`);
    this.#fault ??= new ProblemError(refusal, node);
  }
}

const DEEP_FIX = "Ask for the deeper fields in a question of their own";
const FEWER_FIX = "Ask for the others in a question of their own";

function atMost(most: number, what: string, found: number, fix: string): string {
  return `expected at most ${String(most)} ${what}, found ${String(found)}. ${fix}`;
}

function deeper(one: Depth, other: Depth): Depth {
  return {
    fields: Math.max(one.fields, other.fields),
    introspection: Math.max(one.introspection, other.introspection),
  };
}
