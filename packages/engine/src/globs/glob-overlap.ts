import { isIdentifier } from "@svc/contract/identifier";
import { hasStar, headOf, matchesGlob, tailOf } from "./glob.ts";

const STAR = "*";

/** Stands in a witness where any character would do. */
const ANY = "x";

/**
 * A tool name that both globs match; null when no name can. The shortest there is, give or take what makes it a
 * legal name. Costs at most the product of the two lengths.
 */
export function overlapWitness(left: string, right: string): string | null {
  if (!mayOverlap(left, right)) return null;
  if (!hasStar(left)) return matchesGlob(right, left) ? left : null;
  if (!hasStar(right)) return matchesGlob(left, right) ? right : null;
  const common = walk(left, right);
  if (common === null) return null;
  // Two globs that begin with a star may meet in nothing, or in a name that begins with a dot.
  return isIdentifier(common) ? common : firstLegal(common, left, right);
}

/** Whether every name that `inner` matches is matched by `outer` too. Never claims it wrongly; may miss it. */
export function covers(outer: string, inner: string): boolean {
  // A star of the inner glob can only be covered by a star: taken as a character that stands in no glob, it is.
  return matchesGlob(outer, inner.replaceAll(STAR, "\u0000"));
}

function mayOverlap(left: string, right: string): boolean {
  const leftHead = headOf(left);
  const rightHead = headOf(right);
  const leftTail = tailOf(left);
  const rightTail = tailOf(right);
  const heads = leftHead.startsWith(rightHead) || rightHead.startsWith(leftHead);
  return heads && (leftTail.endsWith(rightTail) || rightTail.endsWith(leftTail));
}

/** Breadth-first over pairs of positions: each step is free, or adds one character to the name. */
function walk(left: string, right: string): string | null {
  const width = right.length + 1;
  const goal = left.length * width + right.length;
  const from = new Map<number, { readonly previous: number; readonly character: string }>();
  const queue: number[] = [0];
  from.set(0, { previous: -1, character: "" });
  for (const state of queue) {
    if (state === goal) return spell(from, state);
    const i = Math.floor(state / width);
    const j = state % width;
    for (const [di, dj, character] of stepsFrom(left[i], right[j])) {
      const next = (i + di) * width + j + dj;
      if (from.has(next)) continue;
      from.set(next, { previous: state, character });
      queue.push(next);
    }
  }
  return null;
}

type Step = readonly [left: 0 | 1, right: 0 | 1, character: string];

function stepsFrom(left: string | undefined, right: string | undefined): readonly Step[] {
  const steps: Step[] = [];
  if (left === STAR) steps.push([1, 0, ""]);
  if (right === STAR) steps.push([0, 1, ""]);
  if (left === STAR && right !== undefined && right !== STAR) steps.push([0, 1, right]);
  if (right === STAR && left !== undefined && left !== STAR) steps.push([1, 0, left]);
  if (left !== undefined && left === right && left !== STAR) steps.push([1, 1, left]);
  return steps;
}

function spell(
  from: ReadonlyMap<number, { readonly previous: number; readonly character: string }>,
  goal: number,
): string {
  let text = "";
  for (let at = goal; at !== -1; ) {
    const step = from.get(at);
    if (step === undefined) break;
    text = step.character + text;
    at = step.previous;
  }
  return text;
}

function firstLegal(common: string, left: string, right: string): string | null {
  const longer = ANY + common;
  return isIdentifier(longer) && matchesGlob(left, longer) && matchesGlob(right, longer) ? longer : null;
}
