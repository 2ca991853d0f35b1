import { detects } from "@svc/engine/detect";
import { DETECTOR_NAMES } from "@svc/engine/detector";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { mayHoldMask } from "../explain/masked-args.ts";

/** Paths of one tool that are watched, and how deep they go, as counts. */
const MAX_PATHS = 20;
const MAX_DEPTH = 3;

/** Different texts of one path that are shown; with more of them none is. */
const MAX_TEXTS = 5;

/** Longest text that is shown, in UTF-16 units: a word of an enumeration. */
const MAX_TEXT_LENGTH = 40;

interface SeenPath {
  min: number;
  max: number;
  numbers: number;
  /** Null: too many, or one that must not be shown. */
  texts: Set<string> | null;
}

/** What the arguments of one tool were, as far as it may be shown: never a masked value or personal data. */
export class SeenArguments {
  readonly #paths = new Map<string, SeenPath>();

  note(args: JsonObject): void {
    this.#noteWithin(args, "args", 1);
  }

  /** Such as `args.amount from 1 to 480`. */
  describe(): readonly string[] {
    return [...this.#paths]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([path, seen]) => {
        const range = seen.numbers > 0 ? [`${path} from ${String(seen.min)} to ${String(seen.max)}`] : [];
        const texts = seen.texts !== null && seen.texts.size > 0 ? [[...seen.texts].toSorted()] : [];
        return [...range, ...texts.map((all) => `${path} is one of ${JSON.stringify(all)}`)];
      });
  }

  #noteWithin(object: JsonObject, prefix: string, depth: number): void {
    for (const [name, value] of Object.entries(object)) {
      if (mayHoldMask(name)) continue;
      const path = `${prefix}.${name}`;
      if (isJsonObject(value) && depth < MAX_DEPTH) this.#noteWithin(value, path, depth + 1);
      else if (typeof value === "number" || typeof value === "string") this.#noteValue(path, value);
    }
  }

  #noteValue(path: string, value: JsonValue): void {
    let seen = this.#paths.get(path);
    if (seen === undefined) {
      if (this.#paths.size >= MAX_PATHS) return;
      seen = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, numbers: 0, texts: new Set() };
      this.#paths.set(path, seen);
    }
    if (typeof value === "number") {
      seen.numbers += 1;
      seen.min = Math.min(seen.min, value);
      seen.max = Math.max(seen.max, value);
    } else if (typeof value === "string" && seen.texts?.has(value) === false) {
      if (isShown(value) && seen.texts.size < MAX_TEXTS) seen.texts.add(value);
      else seen.texts = null;
    }
  }
}

function isShown(text: string): boolean {
  if (text.length > MAX_TEXT_LENGTH || mayHoldMask(text)) return false;
  return !detects(text, DETECTOR_NAMES);
}
