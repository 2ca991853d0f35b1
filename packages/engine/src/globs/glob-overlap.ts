import { isName } from "@svc/contract/name";
import { hasStar, headOf, matchesGlob, tailOf } from "./glob.ts";
import type { GlobIndex } from "./glob-index.ts";

const STAR = "*";

/** Stands in a witness where any character would do. */
const ANY = "x";

/** Stands in no glob. */
const ANYTHING = "\u0000";

/**
 * A tool name that both globs match; null when there is none. Two globs with stars meet whenever their fixed
 * beginnings and ends agree: what lies between can stand one after the other.
 */
export function overlapWitness(left: string, right: string): string | null {
  if (!hasStar(left)) return matchesGlob(right, left) ? left : null;
  if (!hasStar(right)) return matchesGlob(left, right) ? right : null;
  const head = longerIfAgreeing(headOf(left), headOf(right), (long, short) => long.startsWith(short));
  const tail = longerIfAgreeing(tailOf(left), tailOf(right), (long, short) => long.endsWith(short));
  if (head === null || tail === null) return null;
  const plain = joinOverlapping(head, tail);
  const full = head + middleOf(left) + middleOf(right) + tail;
  const names = [plain, ANY + plain, plain + ANY, full, ANY + full];
  return names.find((name) => isName(name) && matchesGlob(left, name) && matchesGlob(right, name)) ?? null;
}

/**
 * The first of several globs that surely matches every name that `inner` matches; -1 for none. Never claims
 * it wrongly; may miss that two globs together, or the grammar of names, make it so.
 */
export function firstCovering(outers: GlobIndex, inner: string): number {
  return outers.matches(withAnything(inner))[0] ?? -1;
}

/** As `firstCovering`, for lists of globs: whether each of the inner ones lies in one of the outer ones. */
export function coversAll(outers: readonly string[], inners: readonly string[]): boolean {
  return inners.every((inner) => outers.some((outer) => matchesGlob(outer, withAnything(inner))));
}

/** A tool name that a glob of both lists matches; null when there is none. */
export function overlapOfAny(lefts: readonly string[], rights: readonly string[]): string | null {
  for (const left of lefts) {
    for (const right of rights) {
      const witness = overlapWitness(left, right);
      if (witness !== null) return witness;
    }
  }
  return null;
}

/** Only a star can match a character that stands in no glob, so a match covers whatever stands there. */
export function withAnything(glob: string): string {
  return glob.replaceAll(STAR, ANYTHING);
}

function longerIfAgreeing(
  left: string,
  right: string,
  agree: (long: string, short: string) => boolean,
): string | null {
  const [long, short] = left.length >= right.length ? [left, right] : [right, left];
  return agree(long, short) ? long : null;
}

/**
 * Head and tail as one, sharing what the one ends and the other begins with: `mail.` and
 * `.send` are `mail.send`.
 */
function joinOverlapping(head: string, tail: string): string {
  for (let shared = Math.min(head.length, tail.length); shared > 0; shared -= 1) {
    if (head.endsWith(tail.slice(0, shared))) return head + tail.slice(shared);
  }
  return head + tail;
}

/** The fixed characters between the first star and the last. */
function middleOf(glob: string): string {
  return glob.slice(glob.indexOf(STAR), glob.lastIndexOf(STAR)).replaceAll(STAR, "");
}
