import { MAX_NAME_BYTES } from "@svc/contract/limits";

const STAR = "*";
const STAR_CODE = STAR.charCodeAt(0);

/**
 * Whether a name matches a glob: `*` stands for any run of characters, also an empty one; all else for
 * itself. Anchored at both ends, case-sensitive, without Unicode folding. Never recursive: a star that
 * fails later moves on by one, and only the last star is ever tried again, so the cost is at most glob
 * length times name length.
 */
export function matchesGlob(glob: string, name: string): boolean {
  let globAt = 0;
  let nameAt = 0;
  let starAt = -1;
  let retryAt = 0;
  while (nameAt < name.length) {
    if (glob.charCodeAt(globAt) === STAR_CODE) {
      starAt = globAt;
      retryAt = nameAt;
      globAt += 1;
    } else if (glob.charCodeAt(globAt) === name.charCodeAt(nameAt)) {
      globAt += 1;
      nameAt += 1;
    } else if (starAt >= 0) {
      retryAt += 1;
      nameAt = retryAt;
      globAt = starAt + 1;
    } else {
      return false;
    }
  }
  while (glob.charCodeAt(globAt) === STAR_CODE) globAt += 1;
  return globAt === glob.length;
}

/** The characters before the first star. */
export function headOf(glob: string): string {
  const star = glob.indexOf(STAR);
  return star === -1 ? glob : glob.slice(0, star);
}

/** The characters after the last star. */
export function tailOf(glob: string): string {
  return glob.slice(glob.lastIndexOf(STAR) + 1);
}

export function hasStar(glob: string): boolean {
  return glob.includes(STAR);
}

/**
 * How much of a name a glob fixes: an exact name more than any glob, then by characters that are not stars.
 */
export function specificityOf(glob: string): number {
  return hasStar(glob) ? glob.replaceAll(STAR, "").length : MAX_NAME_BYTES + 1;
}
