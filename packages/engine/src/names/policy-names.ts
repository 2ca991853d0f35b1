import { CALL_FIELDS, type CallField, questionsOf } from "../condition.ts";
import { hasStar, matchesGlob } from "../globs/glob.ts";
import { GlobIndex } from "../globs/glob-index.ts";
import type { RuleBody } from "../policy-document.ts";
import { LookAlikes } from "./look-alikes.ts";
import { isAscii, skeletonOf } from "./skeleton.ts";

/** The names of a call that a policy may hold. */
export type CallNames = Readonly<Record<CallField, string | null>>;

/** A name of a call, and what in the policy it looks like. */
export interface Confusion {
  readonly field: CallField;
  readonly name: string;
  /** A name or a glob of the policy. */
  readonly other: string;
}

const WORD_OR_REST = /[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+/gu;

/** A text that a condition compares a name of the call with. */
export type ComparedName = readonly [CallField, string];

/**
 * The names and globs in a policy, and which calls bear names that only look like them. What a module in Rego
 * or a regular expression says is not read. Prepared when the first call asks that needs it.
 */
export class PolicyNames {
  readonly #globs: readonly string[];
  readonly #compared: readonly ComparedName[];
  /** Whether every name and glob is in ASCII, so that a call whose names are, too, need not be compared. */
  readonly isPlain: boolean;
  #prepared: Prepared | null = null;

  /** @param globs every glob of tools, in whatever list or rule */
  constructor(globs: ReadonlySet<string>, compared: readonly ComparedName[]) {
    this.#globs = [...globs];
    this.#compared = compared;
    this.isPlain = this.#globs.every(isAscii) && compared.every(([, name]) => isAscii(name));
  }

  /** What a name of the call looks like without being it; null: nothing in the policy. */
  confusion(call: CallNames): Confusion | null {
    this.#prepared ??= prepare(this.#globs, this.#compared);
    const { names, tools } = this.#prepared;
    for (const field of CALL_FIELDS) {
      const name = call[field];
      if (name === null || names[field].has(name)) continue;
      const other = names[field].find(name) ?? (field === "tool" ? tools.find(name) : null);
      if (other !== null) return { field, name, other };
    }
    return null;
  }
}

interface Prepared {
  readonly names: Readonly<Record<CallField, LookAlikes>>;
  readonly tools: GlobLooks;
}

function prepare(globs: readonly string[], compared: readonly ComparedName[]): Prepared {
  const names = {
    agent_id: new LookAlikes(),
    session_id: new LookAlikes(),
    namespace: new LookAlikes(),
    tool: new LookAlikes(),
  };
  for (const glob of globs) if (!hasStar(glob)) names.tool.add(glob);
  for (const [field, name] of compared) names[field].add(name);
  return { names, tools: new GlobLooks(globs.filter(hasStar)) };
}

/** Operators that compare with whole names. */
const EXACT: ReadonlySet<string> = new Set(["==", "!=", "in", "not_in"]);

/** The texts that the conditions of a rule compare names of the call with. */
export function comparedNames({ match }: RuleBody): readonly ComparedName[] {
  return questionsOf(match).flatMap(({ subject, test }) => {
    if (subject.kind !== "call" || !EXACT.has(test.operator)) return [];
    const values: readonly unknown[] = Array.isArray(test.operand) ? test.operand : [test.operand];
    return values.filter((value) => typeof value === "string").map((value) => [subject.name, value] as const);
  });
}

/** Globs with stars, by what they look like. */
class GlobLooks {
  readonly #globs: readonly string[];
  readonly #looks: GlobIndex;

  constructor(globs: readonly string[]) {
    this.#globs = globs;
    this.#looks = new GlobIndex(globs.map((glob) => glob.split("*").map(lookOf).join("*")));
  }

  find(name: string): string | null {
    const plain = isAscii(name);
    for (const place of this.#looks.matches(lookOf(name))) {
      const glob = this.#globs[place] ?? "*";
      if (!(plain && isAscii(glob)) && !matchesGlob(glob, name)) return glob;
    }
    return null;
  }
}

/**
 * A text with the skeleton of each word that looks like one in ASCII. A glob names the beginning or the end
 * of a name. A word of which only some letters look like Latin ones, as in most words in
 * Russian, must not match it.
 */
function lookOf(text: string): string {
  return text.replaceAll(WORD_OR_REST, (piece) => {
    const skeleton = skeletonOf(piece);
    return isAscii(skeleton) ? skeleton : piece;
  });
}
