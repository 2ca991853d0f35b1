import { canonicalJson } from "@svc/text/canonical-json";
import { digestOfText } from "@svc/text/digest-of";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES, MAX_JSON_DEPTH } from "@svc/text/limits";
import { utf8Length } from "@svc/text/utf8";
import type { Replacement } from "../detectors/detect.ts";
import { type NamedDetector, nameOfDetector } from "../detectors/named-detector.ts";
import type { Constraint, Mask, Redaction } from "../policy-document.ts";
import { rewriteMembers } from "../rewrite-strings.ts";
import { BLOCKED, type FieldPath, type FieldPattern, isFieldPath, MISSING } from "./field-path.ts";
import { MatchingChange, UNVISITED } from "./matching-change.ts";
import type { PatternSet } from "./pattern-set.ts";
import { type Change, changeAt, REMOVED } from "./set-at.ts";
import { compileTextDetectors } from "./text-detectors.ts";
import type { TextWork } from "./text-work.ts";

/** The arguments after a rule's rewrite; the same object when nothing changed. Searches take from `work`. */
export type Rewrite = (args: JsonObject, work: TextWork) => Rewritten;

export type Rewritten =
  | { readonly kind: "rewritten"; readonly args: JsonObject }
  /** The rule cannot be carried out on these arguments, and without it they must not pass. */
  | { readonly kind: "impossible"; readonly because: string };

/** Characters of a masked text that stay readable, and the length below which none do. */
const SHOWN = 4;
const MIN_LENGTH_TO_SHOW = 8;
const HIDDEN = "****";

/** What was not searched cannot be hidden, so it must not pass. */
const UNREAD: Rewritten = {
  kind: "impossible",
  because: "the arguments are too long to be searched together with the rest of this call",
};

export function compileRewrite(action: Redaction | Constraint, patterns: PatternSet): Rewrite {
  return action.kind === "redact" ? compileRedaction(action, patterns) : compileConstraint(action);
}

function compileRedaction({ target, mask }: Redaction, patterns: PatternSet): Rewrite {
  if (target.kind === "fields") {
    const change: Change = (found) => (found === MISSING ? REMOVED : masked(found, mask));
    return limited(compileChanges(target.paths, change));
  }
  const own = new Set(target.names.filter((one) => typeof one !== "string").map(nameOfDetector));
  const replace: Replacement = (found, name) => maskedText(found, mask, own.has(name) ? name : null);
  return limited(compileReplacement(target.names, replace, patterns));
}

/** Every text searched and what is found replaced. */
export function compileReplacement(
  names: readonly NamedDetector[],
  replacement: Replacement,
  patterns: PatternSet,
): Rewrite {
  const detectors = compileTextDetectors(names, patterns);
  return (args, work) => {
    let isUnread = false;
    const rewrite = (text: string): string => {
      const replaced = isUnread ? null : detectors.replace(text, replacement, work);
      isUnread = replaced === null;
      return replaced ?? text;
    };
    const rewritten = rewriteMembers(args, { rewrite, everyNumber: detectors.searchesAll });
    return isUnread ? UNREAD : { kind: "rewritten", args: rewritten };
  };
}

function compileConstraint({ remove, set, min, max }: Constraint): Rewrite {
  const steps: Rewrite[] = [
    compileChanges(remove, () => REMOVED),
    ...set.map(({ path, value }) =>
      compileChanges([path], (found) => (sameJson(found, value) ? found : value)),
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
  return limited((args, work) => {
    let current = args;
    for (const step of steps) {
      const rewritten = step(current, work);
      if (rewritten.kind === "impossible") return rewritten;
      current = rewritten.args;
    }
    return { kind: "rewritten", args: current };
  });
}

/** What is rewritten leaves as a request body again, so it must still be one. */
function limited(rewrite: Rewrite): Rewrite {
  return (args, work) => {
    const rewritten = rewrite(args, work);
    if (rewritten.kind === "impossible" || rewritten.args === args) return rewritten;
    if (!isWithinDepth(rewritten.args, MAX_JSON_DEPTH)) {
      return { kind: "impossible", because: "the rewritten arguments would nest too deeply" };
    }
    if (utf8Length(JSON.stringify(rewritten.args)) <= MAX_BODY_BYTES) return rewritten;
    return { kind: "impossible", because: "the rewritten arguments would be too large" };
  };
}

function isWithinDepth(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member: JsonValue) => isWithinDepth(member, levels - 1));
}

/** Changes what is at every path, one path after the other. */
function compileChanges(paths: readonly FieldPattern[], change: Change): Rewrite {
  const steps = paths.map((path) => ({ path, apply: compileChange(path, change) }));
  return (args, work) => {
    let current = args;
    for (const { path, apply } of steps) {
      const changed = apply(current, work);
      if (changed === UNVISITED) return UNREAD;
      if (changed === BLOCKED) return { kind: "impossible", because: `${path.text} cannot be reached` };
      current = changed;
    }
    return { kind: "rewritten", args: current };
  };
}

type AppliedChange = (args: JsonObject, work: TextWork) => JsonObject | typeof BLOCKED | typeof UNVISITED;

function compileChange(path: FieldPattern, change: Change): AppliedChange {
  if (isFieldPath(path)) return (args) => changeAt(args, path, change);
  const matching = new MatchingChange(path, change);
  return (args, work) => matching.apply(args, work);
}

function bounded(args: JsonObject, path: FieldPath, bound: (number: number) => number): Rewritten {
  let because: string | null = null;
  const changed = changeAt(args, path, (found) => {
    if (typeof found === "number") return bound(found);
    because = found === MISSING ? `${path.text} is missing` : `${path.text} is not a number`;
    return found === MISSING ? REMOVED : found;
  });
  if (changed === BLOCKED) return { kind: "impossible", because: `${path.text} cannot be reached` };
  return because === null ? { kind: "rewritten", args: changed } : { kind: "impossible", because };
}

function masked(value: JsonValue, mask: Mask): JsonValue | typeof REMOVED {
  if (mask.kind === "remove") return REMOVED;
  if (typeof value === "string") return maskedText(value, mask);
  if (mask.kind === "hash") return digestOfText(canonicalJson(value));
  return typeof value === "number" ? maskedText(String(value), mask) : maskedText("", mask);
}

function maskedText(text: string, mask: Mask, ownDetector: string | null = null): string {
  switch (mask.kind) {
    case "marker":
      return ownDetector === null ? "[redacted]" : `[redacted:${ownDetector}]`;
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
