/** A text that the shipped file holds, and what stands in its place here. */
export type Replacement = readonly [from: RegExp, to: string];

/**
 * A shipped configuration with other addresses and nothing else changed. @throws when one of them is not in
 * it: what runs would then not be what is shipped.
 */
export function withAddresses(file: string, text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((changed, [from, to]) => {
    if (changed.search(from) < 0) throw new Error(`${file}: expected ${from.source}, found none`);
    return changed.replace(from, to);
  }, text);
}
