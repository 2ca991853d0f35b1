import type { JsonObject } from "@svc/text/json-value";
import type { Field, Question, Subject } from "../condition.ts";
import type { GovernedCall } from "../evaluation.ts";
import { type FieldPath, MISSING, valueAt } from "./field-path.ts";
import { compileField, type Found } from "./read-field.ts";

/** Most paths of one policy whose values are remembered, as count: rules ask about the same few arguments. */
const MAX_REMEMBERED = 64;

/** Reads one value of a call. */
export type RememberingReader = (call: GovernedCall, memory: FieldMemory) => Found;

/** One path of a policy. */
class RememberedPath {
  readonly path: FieldPath;
  readonly subject: Subject;
  /** Where the memory keeps the value. */
  readonly place: number;
  /** Whether several conditions read it. What one condition reads is not worth remembering. */
  isShared = false;
  readonly read: RememberingReader = (call, memory) => memory.valueAt(call.args, this);
  readonly readWithoutNull: RememberingReader = withoutNull(this.read);

  constructor(path: FieldPath, place: number) {
    this.path = path;
    this.subject = { kind: "args", path };
    this.place = place;
  }
}

/**
 * The paths that the conditions of one policy read, each once. Conditions on one path share it and its
 * readers: a policy has many rules about few arguments.
 */
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
    const remembered = new RememberedPath(path, place);
    this.#byText.set(path.text, remembered);
    return remembered;
  }

  /** The same question, about the path that other conditions hold already. */
  shareIn(question: Question): Question {
    const { subject } = question;
    const known = subject.kind === "args" ? this.#byText.get(subject.path.text) : undefined;
    return known === undefined ? question : { ...question, subject: known.subject };
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

/**
 * As `compileField`. An argument that several conditions read is looked up once per call.
 * @param nullIsMissing whether a null is read as a missing field
 */
export function compileRemembered(
  field: Field,
  nullIsMissing: boolean,
  paths: RememberedPaths,
): RememberingReader {
  const remembered = field.kind === "args" ? paths.remember(field.path) : null;
  if (remembered !== null) return nullIsMissing ? remembered.readWithoutNull : remembered.read;
  const read = compileField(field);
  return nullIsMissing ? withoutNull(read) : read;
}

/** Reads a null as a missing field. */
export function withoutNull(read: RememberingReader): RememberingReader {
  return (call, memory) => {
    const found = read(call, memory);
    return found === null ? MISSING : found;
  };
}
