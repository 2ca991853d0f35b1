import { canonicalJson } from "@svc/contract/canonical-json";
import { digestOfText } from "@svc/contract/digest-of";
import type { JsonObject, JsonValue } from "@svc/contract/json-value";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "@svc/contract/limits";
import { replaceDetected } from "../detectors/detect.ts";
import type { Constraint, Mask, Redaction } from "../policy-document.ts";
import { rewriteMembers } from "../rewrite-strings.ts";
import { BLOCKED, type FieldPath, MISSING } from "./field-path.ts";
import { type Change, changeAt, REMOVED } from "./set-at.ts";

/** The arguments after a rule's rewrite; the same object when it changed nothing. */
export type Rewrite = (args: JsonObject) => Rewritten;

export type Rewritten =
  | { readonly kind: "rewritten"; readonly args: JsonObject }
  /** The rule cannot be carried out on these arguments, and without it they must not pass. */
  | { readonly kind: "impossible"; readonly because: string };

/** Characters of a masked text that stay readable, and the length below which none do. */
const SHOWN = 4;
const MIN_LENGTH_TO_SHOW = 8;
const HIDDEN = "****";

export function compileRedaction({ target, mask }: Redaction): Rewrite {
  if (target.kind === "fields") {
    const change: Change = (found) => (found === MISSING ? REMOVED : masked(found, mask));
    return limited((args) => changeAll(args, target.paths, change));
  }
  const replace = (found: string): string => maskedText(found, mask);
  return limited((args) => ({
    kind: "rewritten",
    args: rewriteMembers(args, (text) => replaceDetected(text, target.names, replace)),
  }));
}

export function compileConstraint({ remove, set, min, max }: Constraint): Rewrite {
  const steps: Rewrite[] = [
    (args) => changeAll(args, remove, () => REMOVED),
    ...set.map(
      ({ path, value }): Rewrite =>
        (args) =>
          changeAll(args, [path], (found) => (sameJson(found, value) ? found : value)),
    ),
    ...min.map(
      ({ path, bound }): Rewrite =>
        (args) =>
          bounded(args, path, (number) => Math.max(number, bound)),
    ),
    ...max.map(
      ({ path, bound }): Rewrite =>
        (args) =>
          bounded(args, path, (number) => Math.min(number, bound)),
    ),
  ];
  return limited((args) => {
    let current = args;
    for (const step of steps) {
      const rewritten = step(current);
      if (rewritten.kind === "impossible") return rewritten;
      current = rewritten.args;
    }
    return { kind: "rewritten", args: current };
  });
}

/** What is rewritten leaves as a request body again, so it must still be one. */
function limited(rewrite: Rewrite): Rewrite {
  return (args) => {
    const rewritten = rewrite(args);
    if (rewritten.kind === "impossible" || rewritten.args === args) return rewritten;
    if (!isWithinDepth(rewritten.args, MAX_JSON_DEPTH)) {
      return { kind: "impossible", because: "the rewritten arguments would nest too deeply" };
    }
    if (Buffer.byteLength(JSON.stringify(rewritten.args)) <= MAX_BODY_BYTES) return rewritten;
    return { kind: "impossible", because: "the rewritten arguments would be too large" };
  };
}

function isWithinDepth(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member: JsonValue) => isWithinDepth(member, levels - 1));
}

function changeAll(args: JsonObject, paths: readonly FieldPath[], change: Change): Rewritten {
  let current = args;
  for (const path of paths) {
    const changed = changeAt(current, path, change);
    if (changed === BLOCKED) return { kind: "impossible", because: `${path.text} cannot be reached` };
    current = changed;
  }
  return { kind: "rewritten", args: current };
}

function bounded(args: JsonObject, path: FieldPath, bound: (number: number) => number): Rewritten {
  let isNumber = false;
  const changed = changeAt(args, path, (found) => {
    if (typeof found !== "number") return found === MISSING ? REMOVED : found;
    isNumber = true;
    return bound(found);
  });
  if (changed !== BLOCKED && isNumber) return { kind: "rewritten", args: changed };
  return { kind: "impossible", because: `${path.text} is not a number` };
}

function masked(value: JsonValue, mask: Mask): JsonValue | typeof REMOVED {
  if (mask.kind === "remove") return REMOVED;
  if (typeof value === "string") return maskedText(value, mask);
  if (mask.kind === "hash") return digestOfText(canonicalJson(value));
  return typeof value === "number" ? maskedText(String(value), mask) : maskedText("", mask);
}

function maskedText(text: string, mask: Mask): string {
  switch (mask.kind) {
    case "last4":
      return text.length < MIN_LENGTH_TO_SHOW ? HIDDEN : HIDDEN + text.slice(-SHOWN);
    case "hash":
      return digestOfText(text);
    case "remove":
      return "";
    case "with":
      return mask.text;
  }
}

function sameJson(found: JsonValue | typeof MISSING, value: JsonValue): found is JsonValue {
  if (found === value) return true;
  if (typeof found !== "object" || found === null || typeof value !== "object") return false;
  return canonicalJson(found) === canonicalJson(value);
}
