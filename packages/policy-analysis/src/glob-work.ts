/** Characters that are skipped at once where a glob has one star, or none. */
const SKIPPED_AT_ONCE = 16;

/**
 * What it costs to ask each of the globs about one name, in characters: some 20 nanoseconds. Of a glob with
 * several stars every character counts, because each star is tried at every place.
 */
export function globWork(globs: readonly string[]): number {
  return globs.reduce((sum, glob) => sum + workOf(glob), 0);
}

function workOf(glob: string): number {
  const hasStars = glob.indexOf("*") !== glob.lastIndexOf("*");
  return hasStars ? glob.length : 1 + glob.length / SKIPPED_AT_ONCE;
}
