import type { JsonObject } from "@svc/contract/json-value";
import type { Field } from "../condition.ts";
import type { GovernedCall } from "../evaluation.ts";
import { type FieldPath, valueAt } from "./field-path.ts";
import { compileField, type Found } from "./read-field.ts";

/** Most paths of one policy whose values are remembered, as count: rules ask about the same few arguments. */
const MAX_REMEMBERED = 64;

/** One path, whose value is remembered at a place of the memory. */
interface RememberedPath {
  readonly path: FieldPath;
  readonly place: number;
  /** Whether several conditions read it. What one condition reads is not worth remembering. */
  isShared: boolean;
}

/** The paths that the conditions of one policy read, each once. */
export class RememberedPaths {
  readonly #byText = new Map<string, RememberedPath>();

  /** Null: the value at this path is read each time. */
  remember(path: FieldPath): RememberedPath | null {
    const known = this.#byText.get(path.text);
    if (known !== undefined) {
      known.isShared = true;
      return known;
    }
    const place = this.#byText.size;
    if (place === MAX_REMEMBERED) return null;
    const remembered = { path, place, isShared: false };
    this.#byText.set(path.text, remembered);
    return remembered;
  }
}

/** Until the first value is read. Never written to. */
const NOTHING_READ: RememberedPath[] = [];
const NOTHING_FOUND: Found[] = [];

/**
 * What the conditions of one policy have read in one call. Arguments never change: a rewrite makes others,
 * which are read anew.
 */
export class FieldMemory {
  #args: JsonObject | null = null;
  #read: RememberedPath[] = NOTHING_READ;
  #found: Found[] = NOTHING_FOUND;

  valueAt(args: JsonObject, remembered: RememberedPath): Found {
    if (!remembered.isShared) return valueAt(args, remembered.path);
    if (args !== this.#args) {
      this.#args = args;
      this.#read = [];
      this.#found = [];
    }
    const { path, place } = remembered;
    // A path of another policy could have the same place, so the place alone does not say what was read.
    if (this.#read[place] === remembered) return this.#found[place] as Found;
    const found = valueAt(args, path);
    this.#read[place] = remembered;
    this.#found[place] = found;
    return found;
  }
}

export type RememberingReader = (call: GovernedCall, memory: FieldMemory) => Found;

/** As `compileField`. An argument that several conditions read is looked up once per call. */
export function compileRemembered(field: Field, paths: RememberedPaths): RememberingReader {
  const remembered = field.kind === "args" ? paths.remember(field.path) : null;
  if (remembered === null) return compileField(field);
  return (call, memory) => memory.valueAt(call.args, remembered);
}
